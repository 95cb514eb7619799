import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/projection.js';
import { recordActivity } from '../activity/activity.js';
import { OPERATOR_ID } from '../organization/operator.js';
import { findJobActor } from '../user/principal.js';
import { keptUntil } from './import-job.commands.js';
import { importJobMachine } from './import-job.machine.js';
import {
  type ImportError,
  importError,
  type ImportSummary,
  importTitle,
  LEASE_SECONDS,
  MAXIMUM_STARTS,
} from './import-job.rules.js';

/** A job that a worker may take: the row's id, and its fence as it was when the relay saw it. */
export type DueImport = {
  readonly id: number;
  readonly fence: number;
};

/** A job in the hands of one worker. Only who holds the fence can still change the row. */
export interface ImportLease {
  readonly id: number;
  readonly fence: number;
  readonly starts: number;
  readonly organizationId: number;
  /** Who sent the file, or, of an accepted job, who accepted it: in whose name it is done. */
  readonly userId: number;
  readonly fileName: string;
  readonly fileKey: string | null;
  readonly model: string | null;
  /** Whether its changes are to be applied; else they are to be found out. */
  readonly accepted: boolean;
  /** The taking whose rows are the difference that was accepted. */
  readonly differenceFence: number;
  /** It ended by being taken: it was to be cancelled, or was begun too often. */
  readonly over: boolean;
}

/** Rows done, and rows in all. */
export interface ImportProgress {
  readonly done: number;
  readonly total: number;
}

/** What files say of themselves. */
export interface ImportedFiles {
  readonly type: string;
  readonly fileFormat: string;
  readonly contentModels: readonly string[];
}

/** After this time the relay puts a job that nobody took on the queue once more: it may have been emptied. */
const REQUEUE_SECONDS = 4;

const leaseEnd: Sql = sql`now() + make_interval(secs => ${LEASE_SECONDS})`;
const noLease: Sql = sql`lease_owner = NULL, lease_until = NULL`;
const held = ({ id, fence }: DueImport): Sql => sql`item.id = ${id} AND item.fence = ${fence}`;

/** Jobs that wait, or whose worker has gone silent; they are not due again for a moment. Commit, then queue them. */
export async function takeDueImports(em: EntityManager, limit: number): Promise<DueImport[]> {
  const { rows } = await sql<{ id: string; fence: number }>`
    UPDATE import_job AS item SET due_at = now() + make_interval(secs => ${REQUEUE_SECONDS})
    FROM (SELECT id FROM import_job WHERE status IN ('pending', 'generating_diff', 'applying_changes') AND due_at <= now()
      ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) due
    WHERE item.id = due.id RETURNING item.id, item.fence`.execute(em.getKysely());
  return rows.map(({ id, fence }) => ({ id: Number(id), fence }));
}

interface LeaseRow {
  readonly status: string;
  readonly fence: number;
  readonly starts: number;
  readonly organization_id: string;
  readonly triggered_by: string | null;
  readonly accepted_by: string | null;
  readonly file_name: string;
  readonly file_key: string | null;
  readonly model: string | null;
  readonly difference_fence: number | null;
  readonly cancel_requested: boolean;
}

/**
 * Takes a job; undefined where there is nothing to do: it is gone, done, waits for its user, or is in other hands. A job
 * that was to be cancelled when its worker died ends here, and so does one that was begun too often: `over`.
 */
export async function leaseImport(em: EntityManager, id: number, owner: string): Promise<ImportLease | undefined> {
  const move = {
    where: sql`item.id = ${id}`,
    set: sql`lease_owner = ${owner}, lease_until = ${leaseEnd}, due_at = ${leaseEnd}, fence = fence + 1,
      starts = starts + 1, progress_done = NULL, progress_total = NULL`,
    returning: sql`status, fence, starts, organization_id, triggered_by, accepted_by, file_name, file_key, model,
      difference_fence, cancel_requested`,
  };
  const row =
    (await importJobMachine.tryMove<LeaseRow>(em, 'start', move)) ??
    (await importJobMachine.tryMove<LeaseRow>(em, 'apply', move)) ??
    (await importJobMachine.tryMove<LeaseRow>(em, 'takeOver', move));
  if (!row) return undefined;
  const accepted = row.status === 'applying_changes';
  const lease: ImportLease = {
    id,
    fence: row.fence,
    starts: row.starts,
    organizationId: Number(row.organization_id),
    userId: Number((accepted ? row.accepted_by : row.triggered_by) ?? OPERATOR_ID),
    fileName: row.file_name,
    fileKey: row.file_key,
    model: row.model,
    accepted,
    differenceFence: row.difference_fence ?? 0,
    over: row.cancel_requested || row.starts > MAXIMUM_STARTS,
  };
  if (row.cancel_requested) await stopImport(em, lease);
  else if (lease.over)
    await failImport(em, lease, [
      importError(`The import was begun ${MAXIMUM_STARTS} times, and each time its worker died. Try smaller files.`),
    ]);
  return lease;
}

/** Keeps a job for its worker, and tells how far it is. `lost`: another worker has it, or it is over. */
export async function renewImport(
  em: EntityManager,
  lease: ImportLease,
  progress: ImportProgress | undefined,
): Promise<'held' | 'cancelled' | 'lost'> {
  const { rows } = await sql<{ cancel_requested: boolean }>`
    UPDATE import_job AS item SET lease_until = ${leaseEnd}, due_at = ${leaseEnd},
      progress_done = coalesce(${progress?.done ?? null}::integer, progress_done),
      progress_total = coalesce(${progress?.total ?? null}::integer, progress_total)
    WHERE ${held(lease)} AND item.status IN ('generating_diff', 'applying_changes')
    RETURNING item.cancel_requested`.execute(em.getKysely());
  if (!rows[0]) return 'lost';
  return rows[0].cancel_requested ? 'cancelled' : 'held';
}

/** Notes what the files say of themselves. */
export async function noteFiles(em: EntityManager, lease: ImportLease, files: ImportedFiles): Promise<void> {
  await sql`UPDATE import_job AS item SET type = ${files.type}, file_format = ${files.fileFormat},
    content_models = ${[...files.contentModels]}::text[] WHERE ${held(lease)}`.execute(em.getKysely());
}

async function recordCompletion(em: EntityManager, lease: ImportLease, status: string): Promise<void> {
  await recordActivity(em, await findJobActor(em, lease.userId, lease.organizationId), {
    subject: 'import_job',
    verb: 'Completed',
    id: lease.id,
    title: importTitle(lease.id),
    also: { status: { id: status, description: status } },
  });
}

/** Shows the difference that this taking has made. False where the job is cancelled, or in other hands. */
export async function offerDifference(em: EntityManager, lease: ImportLease, summary: ImportSummary): Promise<boolean> {
  const moved = await importJobMachine.tryMove(em, 'review', {
    where: held(lease),
    set: sql`${noLease}, summary = ${JSON.stringify(summary)}::json, difference_fence = fence, starts = 0,
      kept_until = ${keptUntil}`,
  });
  return moved !== undefined;
}

/** Ends the job on the transaction that has applied its changes. False where it is in other hands: then roll back. */
export async function succeedImport(em: EntityManager, lease: ImportLease): Promise<boolean> {
  const set = sql`${noLease}, completed_at = clock_timestamp(), kept_until = ${keptUntil},
    progress_done = progress_total`;
  const moved = await importJobMachine.tryMove(em, 'succeed', { where: held(lease), set });
  if (moved) await recordCompletion(em, lease, 'success');
  return moved !== undefined;
}

/** Ends the job with reasons for its user. False where it is cancelled, or in other hands. */
export async function failImport(
  em: EntityManager,
  lease: ImportLease,
  errors: readonly ImportError[],
): Promise<boolean> {
  const set = sql`${noLease}, completed_at = clock_timestamp(), kept_until = ${keptUntil},
    errors = ${JSON.stringify(errors)}::json, summary = NULL, difference_fence = NULL`;
  const moved = await importJobMachine.tryMove(em, 'fail', { where: held(lease), set });
  if (moved) await recordCompletion(em, lease, 'fail');
  return moved !== undefined;
}

/** Ends a job that was to be cancelled. False where it was not, or is in other hands. */
export async function stopImport(em: EntityManager, lease: ImportLease): Promise<boolean> {
  const set = sql`${noLease}, completed_at = clock_timestamp(), kept_until = ${keptUntil}`;
  return (await importJobMachine.tryMove(em, 'stop', { where: held(lease), set })) !== undefined;
}

/** Sends an accepted job back, since the library has changed: its worker makes another difference. False as above. */
export async function startImportOver(
  em: EntityManager,
  lease: ImportLease,
  errors: readonly ImportError[],
): Promise<boolean> {
  const set = sql`accepted_at = NULL, accepted_by = NULL, errors = ${JSON.stringify(errors)}::json, summary = NULL,
    difference_fence = NULL, progress_done = NULL, progress_total = NULL`;
  return (await importJobMachine.tryMove(em, 'startOver', { where: held(lease), set })) !== undefined;
}

/**
 * Gives a job back, to be taken again after `seconds`. `unspent`: the start does not count, since nothing went wrong.
 * False where it is cancelled, or in other hands.
 */
export async function giveImportBack(
  em: EntityManager,
  lease: ImportLease,
  { seconds, unspent }: { readonly seconds: number; readonly unspent: boolean },
): Promise<boolean> {
  const where = held(lease);
  const set = sql`${noLease}, due_at = now() + make_interval(secs => ${seconds}), starts = starts - ${unspent ? 1 : 0}::integer,
    progress_done = NULL, progress_total = NULL`;
  return (
    ((await importJobMachine.tryMove(em, 'giveBack', { where, set })) ??
      (await importJobMachine.tryMove(em, 'rest', { where, set }))) !== undefined
  );
}
