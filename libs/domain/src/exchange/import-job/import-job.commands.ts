import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { wakeRelay } from '../../kernel/lease/wake-relay.js';
import { authorOf } from '../../kernel/operator.js';
import { clockTime, tables } from '../../kernel/tables.js';
import { jobCommands } from '../job/job.commands.js';
import { ImportJob } from './import-job.entity.js';
import { importJobMachine } from './import-job.machine.js';
import { importTitle, KEPT_DAYS } from './import-job.rules.js';

/** An uploaded file. */
export interface ImportJobInput {
  readonly fileName: string;
  /** Its storage key; absent if the file stays with the process that works on the job. */
  readonly fileKey?: string;
  readonly fileBytes?: number;
  /** The model of a single file; absent for an archive. */
  readonly model?: string;
}

/** When the upload and the difference expire, counted from now. */
export const keptUntil = sql<string>`clock_timestamp() + make_interval(days => ${sql.lit(KEPT_DAYS)})`;

const jobs = jobCommands({
  machine: importJobMachine,
  subject: 'import_job',
  titleOf: importTitle,
  cancelled: sql`kept_until = ${keptUntil}`,
  retried: sql`accepted_at = NULL, accepted_by = NULL, summary = NULL, interpreted = NULL, difference_fence = NULL,
    kept_until = ${keptUntil}`,
});

export const { cancel: cancelImportJob, retry: retryImportJob } = jobs;

/**
 * Creates a job; returns its id. The relay never queues a job without a file key, because the caller works on it
 * itself.
 */
export async function createImportJob(em: EntityManager, actor: Actor, input: ImportJobInput): Promise<string> {
  const { id } = await tables(em, ImportJob)
    .insertInto('import_job')
    .values({
      organization_id: actor.organizationId,
      file_name: input.fileName,
      file_key: input.fileKey,
      file_bytes: input.fileBytes ?? 0,
      model: input.model,
      triggered_by: authorOf(actor),
      kept_until: keptUntil,
      due_at: input.fileKey === undefined ? 'infinity' : clockTime,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await jobs.record(em, actor, 'Created', id);
  if (input.fileKey !== undefined) await wakeRelay(em);
  return String(id);
}

/** Accepts the difference, so that a worker applies it. Throws `NotFound`, `Invalid`. */
export async function acceptImportJob(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const set = sql`accepted_at = clock_timestamp(), accepted_by = ${authorOf(actor)}, errors = NULL,
    progress_done = NULL, progress_total = NULL, starts = 0, due_at = clock_timestamp(), kept_until = ${keptUntil}`;
  await jobs.move(em, actor, id, 'Accepted', { move: 'accept', set });
  await wakeRelay(em);
}
