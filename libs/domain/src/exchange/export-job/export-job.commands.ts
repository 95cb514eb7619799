import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Verb } from '../../activity/activities.js';
import type { Actor } from '../../kernel/actor.js';
import { wakeRelay } from '../../kernel/wake-relay.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { authorOf } from '../../kernel/operator.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { exportJobMachine } from './export-job.machine.js';
import { exportTitle } from './export-job.rules.js';
import type { ExportJobInput } from './export-job.fields.js';

const record = (em: EntityManager, actor: Actor, verb: Verb, id: string): Promise<void> =>
  recordActivity(em, actor, { subject: 'export_job', verb, id: Number(id), title: exportTitle(id) });

const ownJob = (actor: Actor, id: string) =>
  sql`item.organization_id = ${actor.organizationId} AND item.id = ${id}::bigint`;

/** Makes a job that waits for a worker. Answers its id. */
export async function createExportJob(em: EntityManager, actor: Actor, input: ExportJobInput): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO export_job (organization_id, type, file_format, content_models, triggered_by)
    VALUES (${actor.organizationId}, ${input.type}, ${input.file_format}, ${[...input.content_models]}::text[],
      ${authorOf(actor)})
    RETURNING id::text AS id`.execute(em.getKysely());
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('No export job was made.');
  await record(em, actor, 'Created', id);
  await wakeRelay(em);
  return id;
}

/**
 * Cancels a job: at once where it waits; where a worker has it, the worker is told to stop. Throws `NotFound`,
 * `Invalid`.
 */
export async function cancelExportJob(em: EntityManager, actor: Actor, id: string): Promise<void> {
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  await exportJobMachine.move(em, ownJob(actor, id), [
    { move: 'cancel', set: sql`completed_at = clock_timestamp()` },
    { move: 'requestCancel', set: sql`cancel_requested = true` },
  ]);
  await record(em, actor, 'Cancelled', id);
}

/**
 * Puts a job that has failed or was cancelled back into the queue, as the actor's own. Throws `NotFound`, `Invalid`.
 */
export async function retryExportJob(em: EntityManager, actor: Actor, id: string): Promise<void> {
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  const set = sql`triggered_at = clock_timestamp(), triggered_by = ${authorOf(actor)}, completed_at = NULL,
    errors = NULL,
    progress_done = NULL, progress_total = NULL, starts = 0, cancel_requested = false, due_at = clock_timestamp(),
      queued_until = NULL`;
  await exportJobMachine.move(em, ownJob(actor, id), [{ move: 'retry', set }]);
  await record(em, actor, 'Retried', id);
  await wakeRelay(em);
}
