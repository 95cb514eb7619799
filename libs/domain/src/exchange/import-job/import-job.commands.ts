import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { recordActivity } from '../../activity/activity.js';
import type { Verb } from '../../activity/activities.js';
import type { Actor } from '../../kernel/actor.js';
import { wakeRelay } from '../../kernel/wake-relay.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { authorOf } from '../../kernel/operator.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { importJobMachine } from './import-job.machine.js';
import { importTitle, KEPT_DAYS } from './import-job.rules.js';

/** A file that was uploaded. */
export interface ImportJobInput {
  readonly fileName: string;
  /** Where it is kept; absent where it stays with who works on the job. */
  readonly fileKey?: string;
  /** The model of the one file that it is; absent for an archive. */
  readonly model?: string;
}

const record = (em: EntityManager, actor: Actor, verb: Verb, id: string): Promise<void> =>
  recordActivity(em, actor, { subject: 'import_job', verb, id: Number(id), title: importTitle(id) });

const ownJob = (actor: Actor, id: string): Sql =>
  sql`item.organization_id = ${actor.organizationId} AND item.id = ${id}::bigint`;

/** When upload and difference go, counted from now. */
export const keptUntil: Sql = sql`clock_timestamp() + make_interval(days => ${sql.lit(KEPT_DAYS)})`;

/**
 * Makes a job that waits for a worker; returns its id. One whose file stays with the caller is left alone by workers,
 * as long as the caller holds it.
 */
export async function createImportJob(em: EntityManager, actor: Actor, input: ImportJobInput): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO import_job (organization_id, file_name, file_key, model, triggered_by, kept_until, due_at)
    VALUES (${actor.organizationId}, ${input.fileName}, ${input.fileKey ?? null}, ${input.model ?? null},
      ${authorOf(actor)}, ${keptUntil},
      ${input.fileKey === undefined ? sql`'infinity'` : sql`clock_timestamp()`})
    RETURNING id::text AS id`.execute(em.getKysely());
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('No import job was made.');
  await record(em, actor, 'Created', id);
  if (input.fileKey !== undefined) await wakeRelay(em);
  return id;
}

/** Accepts the difference: a worker will apply it. Throws `NotFound`, `Invalid`. */
export async function acceptImportJob(em: EntityManager, actor: Actor, id: string): Promise<void> {
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  const set = sql`accepted_at = clock_timestamp(), accepted_by = ${authorOf(actor)}, errors = NULL,
    progress_done = NULL, progress_total = NULL, starts = 0, due_at = clock_timestamp(), kept_until = ${keptUntil}`;
  await importJobMachine.move(em, ownJob(actor, id), [{ move: 'accept', set }]);
  await record(em, actor, 'Accepted', id);
  await wakeRelay(em);
}

/**
 * Cancels a job: at once where it waits; where a worker checks it, the worker is told to stop. Throws `NotFound`,
 * `Invalid`.
 */
export async function cancelImportJob(em: EntityManager, actor: Actor, id: string): Promise<void> {
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  await importJobMachine.move(em, ownJob(actor, id), [
    { move: 'cancel', set: sql`completed_at = clock_timestamp(), kept_until = ${keptUntil}` },
    { move: 'requestCancel', set: sql`cancel_requested = true` },
  ]);
  await record(em, actor, 'Cancelled', id);
}

/**
 * Puts a job that has failed or was cancelled back into the queue, as the actor's own. Throws `NotFound`, `Invalid`.
 */
export async function retryImportJob(em: EntityManager, actor: Actor, id: string): Promise<void> {
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  const set = sql`triggered_at = clock_timestamp(), triggered_by = ${authorOf(actor)}, accepted_at = NULL,
    accepted_by = NULL,
    completed_at = NULL, errors = NULL, progress_done = NULL, progress_total = NULL, summary = NULL,
      difference_fence = NULL,
    starts = 0, cancel_requested = false, due_at = clock_timestamp(), queued_until = NULL, kept_until = ${keptUntil}`;
  await importJobMachine.move(em, ownJob(actor, id), [{ move: 'retry', set }]);
  await record(em, actor, 'Retried', id);
  await wakeRelay(em);
}
