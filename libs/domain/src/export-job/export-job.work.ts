import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/projection.js';
import { recordActivity } from '../activity/activity.js';
import { OPERATOR_ID } from '../organization/operator.js';
import { findJobActor } from '../user/principal.js';
import { exportJobMachine } from './export-job.machine.js';
import { type ExportError, exportError, exportTitle, LEASE_SECONDS, MAXIMUM_STARTS } from './export-job.rules.js';

/** A job that a worker may take: the row's id, and its fence as it was when the relay saw it. */
export type DueExport = {
  readonly id: number;
  readonly fence: number;
};

/** A job in the hands of one worker. Only who holds the fence can still change the row. */
export interface ExportLease {
  readonly id: number;
  readonly fence: number;
  readonly starts: number;
  readonly organizationId: number;
  readonly triggeredBy: number;
  readonly type: string;
  readonly fileFormat: string;
  readonly contentModels: readonly string[];
  /** It ended by being taken: it was to be cancelled, or was begun too often. Nothing is left but to tidy up. */
  readonly over: boolean;
}

/** Rows written, and rows in all. */
export interface ExportProgress {
  readonly done: number;
  readonly total: number;
}

/** A file that was written for a job. */
export interface ExportFile {
  readonly key: string;
  readonly bytes: number;
  readonly etag: string;
  readonly retentionHours: number;
  readonly progress: ExportProgress | undefined;
}

/** After this time the relay puts a job that nobody took on the queue once more: it may have been emptied. */
const REQUEUE_SECONDS = 4;

const leaseEnd: Sql = sql`now() + make_interval(secs => ${LEASE_SECONDS})`;
const noLease: Sql = sql`lease_owner = NULL, lease_until = NULL`;
const held = ({ id, fence }: DueExport): Sql => sql`item.id = ${id} AND item.fence = ${fence}`;

/** Jobs that wait, or whose worker has gone silent; they are not due again for a moment. Commit, then queue them. */
export async function takeDueExports(em: EntityManager, limit: number): Promise<DueExport[]> {
  const { rows } = await sql<{ id: string; fence: number }>`
    UPDATE export_job AS item SET due_at = now() + make_interval(secs => ${REQUEUE_SECONDS})
    FROM (SELECT id FROM export_job WHERE status IN ('pending', 'in_progress') AND due_at <= now()
      ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) due
    WHERE item.id = due.id RETURNING item.id, item.fence`.execute(em.getKysely());
  return rows.map(({ id, fence }) => ({ id: Number(id), fence }));
}

interface LeaseRow {
  readonly fence: number;
  readonly starts: number;
  readonly organization_id: string;
  readonly triggered_by: string | null;
  readonly type: string;
  readonly file_format: string;
  readonly content_models: string[];
  readonly cancel_requested: boolean;
}

/**
 * Takes a job for a worker; undefined where there is nothing to do: it is gone, done, or in other hands. A job that
 * was to be cancelled when its worker died ends here, and so does one that was begun too often: `over`.
 */
export async function leaseExport(
  em: EntityManager,
  { id }: DueExport,
  owner: string,
): Promise<ExportLease | undefined> {
  const move = {
    where: sql`item.id = ${id}`,
    set: sql`lease_owner = ${owner}, lease_until = ${leaseEnd}, due_at = ${leaseEnd}, fence = fence + 1,
      starts = starts + 1, progress_done = NULL, progress_total = NULL`,
    returning: sql`fence, starts, organization_id, triggered_by, type, file_format, content_models, cancel_requested`,
  };
  const row =
    (await exportJobMachine.tryMove<LeaseRow>(em, 'start', move)) ??
    (await exportJobMachine.tryMove<LeaseRow>(em, 'takeOver', move));
  if (!row) return undefined;
  const lease: ExportLease = {
    id,
    fence: row.fence,
    starts: row.starts,
    organizationId: Number(row.organization_id),
    triggeredBy: Number(row.triggered_by ?? OPERATOR_ID),
    type: row.type,
    fileFormat: row.file_format,
    contentModels: row.content_models,
    over: row.cancel_requested || row.starts > MAXIMUM_STARTS,
  };
  if (row.cancel_requested) await stopExport(em, lease);
  else if (lease.over)
    await failExport(em, lease, [
      exportError(`The export was begun ${MAXIMUM_STARTS} times, and each time its worker died. Try fewer models.`),
    ]);
  return lease;
}

/** Keeps a job for its worker, and tells how far it is. `lost`: another worker has it, or it is over. */
export async function renewExport(
  em: EntityManager,
  lease: ExportLease,
  progress: ExportProgress | undefined,
): Promise<'held' | 'cancelled' | 'lost'> {
  const { rows } = await sql<{ cancel_requested: boolean }>`
    UPDATE export_job AS item SET lease_until = ${leaseEnd}, due_at = ${leaseEnd},
      progress_done = coalesce(${progress?.done ?? null}::integer, progress_done),
      progress_total = coalesce(${progress?.total ?? null}::integer, progress_total)
    WHERE ${held(lease)} AND item.status = 'in_progress' RETURNING item.cancel_requested`.execute(em.getKysely());
  if (!rows[0]) return 'lost';
  return rows[0].cancel_requested ? 'cancelled' : 'held';
}

async function recordCompletion(em: EntityManager, lease: ExportLease, status: string): Promise<void> {
  await recordActivity(em, await findJobActor(em, lease.triggeredBy, lease.organizationId), {
    subject: 'export_job',
    verb: 'Completed',
    id: lease.id,
    title: exportTitle(lease.id),
    also: { status: { id: status, description: status } },
  });
}

/** Publishes the file: the job has succeeded. False where it is cancelled, or in other hands: the file is nobody's. */
export async function succeedExport(em: EntityManager, lease: ExportLease, file: ExportFile): Promise<boolean> {
  const done = await exportJobMachine.tryMove(em, 'succeed', {
    where: held(lease),
    set: sql`${noLease}, completed_at = clock_timestamp(), file_key = ${file.key}, file_bytes = ${file.bytes},
      file_etag = ${file.etag}, file_expires_at = clock_timestamp() + make_interval(hours => ${file.retentionHours}),
      progress_done = ${file.progress?.done ?? null}::integer, progress_total = ${file.progress?.total ?? null}::integer`,
  });
  if (done) await recordCompletion(em, lease, 'success');
  return done !== undefined;
}

/** Ends the job with reasons for its user. False where it is cancelled, or in other hands. */
export async function failExport(
  em: EntityManager,
  lease: ExportLease,
  errors: readonly ExportError[],
): Promise<boolean> {
  const done = await exportJobMachine.tryMove(em, 'fail', {
    where: held(lease),
    set: sql`${noLease}, completed_at = clock_timestamp(), errors = ${JSON.stringify(errors)}::json`,
  });
  if (done) await recordCompletion(em, lease, 'fail');
  return done !== undefined;
}

/** Ends a job that was to be cancelled. False where it was not, or is in other hands. */
export async function stopExport(em: EntityManager, lease: ExportLease): Promise<boolean> {
  const set = sql`${noLease}, completed_at = clock_timestamp()`;
  return (await exportJobMachine.tryMove(em, 'stop', { where: held(lease), set })) !== undefined;
}

/**
 * Gives a job back, to be taken again after `seconds`. `unspent`: the start does not count, since nothing went wrong.
 * False where it is cancelled, or in other hands.
 */
export async function giveExportBack(
  em: EntityManager,
  lease: ExportLease,
  { seconds, unspent }: { readonly seconds: number; readonly unspent: boolean },
): Promise<boolean> {
  const set = sql`${noLease}, due_at = now() + make_interval(secs => ${seconds}), starts = starts - ${unspent ? 1 : 0}::integer,
    progress_done = NULL, progress_total = NULL`;
  return (await exportJobMachine.tryMove(em, 'giveBack', { where: held(lease), set })) !== undefined;
}
