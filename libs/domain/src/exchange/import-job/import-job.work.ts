import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { held, type JobLease, JobWork, MAXIMUM_STARTS, type Taken, type Taker } from '../job/job.work.js';
import { OPERATOR_ID } from '../../kernel/operator.js';
import type { RowOf } from '../../kernel/tables.js';
import { jobError, type JobError } from '../job/job.rules.js';
import { ImportJob } from './import-job.entity.js';
import { keptUntil } from './import-job.commands.js';
import { importJobMachine } from './import-job.machine.js';
import { type ImportSummary, importTitle } from './import-job.rules.js';

/** What workers do with import jobs besides ending them. */
export const importWork = new JobWork({
  entity: ImportJob,
  machine: importJobMachine,
  subject: 'import_job',
  titleOf: importTitle,
  claiming: ['start', 'apply', 'takeOver'],
  releasing: ['giveBack', 'rest'],
  ended: sql`kept_until = ${keptUntil}`,
});

/**
 * An import in the hands of one worker, in the name of who sent the file, or, of an accepted job, of who accepted it.
 */
export interface ImportLease extends JobLease {
  readonly fileName: string;
  readonly fileKey: string | null;
  readonly model: string | null;
  /** Whether its changes are to be applied; else they are to be found out. */
  readonly accepted: boolean;
  /** The attempt whose rows are the difference that was accepted. */
  readonly differenceFence: number;
}

/** What files say of themselves. */
export interface ImportedFiles {
  readonly type: string;
  readonly fileFormat: string;
  readonly contentModels: readonly string[];
}

/** Takes a job by its id; undefined where it can not be taken. What else it does: `leaseNextImport`. */
export async function leaseImport(em: EntityManager, id: number, owner: string): Promise<ImportLease | undefined> {
  return leaseOf(em, await importWork.take(em, id, owner));
}

/**
 * Takes the next job for a worker; undefined where there is nothing to do. A job that was to be cancelled when its
 * worker died ends here, and so does one that was begun too often: `over`.
 */
export async function leaseNextImport(em: EntityManager, taker: Taker): Promise<ImportLease | undefined> {
  return leaseOf(em, await importWork.takeNext(em, taker));
}

async function leaseOf(
  em: EntityManager,
  taken: Taken<RowOf<typeof ImportJob>> | undefined,
): Promise<ImportLease | undefined> {
  if (!taken) return undefined;
  const { row, cancelled } = taken;
  const accepted = row.status === 'applying_changes';
  const lease: ImportLease = {
    ...taken.lease,
    userId: (accepted ? row.accepted_by : row.triggered_by) ?? OPERATOR_ID,
    fileName: row.file_name,
    fileKey: row.file_key,
    model: row.model,
    accepted,
    differenceFence: row.difference_fence ?? 0,
  };
  if (cancelled) await importWork.stop(em, lease);
  else if (lease.over)
    await failImport(em, lease, [
      jobError(`The import was begun ${MAXIMUM_STARTS} times, and each time its worker died. Try smaller files.`),
    ]);
  return lease;
}

/** Notes what the files say of themselves. */
export async function noteFiles(em: EntityManager, lease: ImportLease, files: ImportedFiles): Promise<void> {
  await sql`UPDATE import_job AS item SET type = ${files.type}, file_format = ${files.fileFormat},
    content_models = ${[...files.contentModels]}::text[] WHERE ${held(lease)}`.execute(em.getKysely());
}

/** Shows the difference that this attempt has made. False where the job is cancelled, or held by another worker. */
export const offerDifference = (em: EntityManager, lease: ImportLease, summary: ImportSummary): Promise<boolean> =>
  importWork.release(
    em,
    lease,
    'review',
    sql`summary = ${JSON.stringify(summary)}::json, difference_fence = fence, starts = 0, kept_until = ${keptUntil}`,
  );

/**
 * Ends the job on the transaction that has applied its changes. False where another worker holds it: then roll back.
 */
export const succeedImport = (em: EntityManager, lease: ImportLease): Promise<boolean> =>
  importWork.complete(em, lease, 'succeed', sql`progress_done = progress_total`);

/** Ends the job with reasons for its user. False where it is cancelled, or held by another worker. */
export const failImport = (em: EntityManager, lease: ImportLease, errors: readonly JobError[]): Promise<boolean> =>
  importWork.complete(
    em,
    lease,
    'fail',
    sql`errors = ${JSON.stringify(errors)}::json, summary = NULL, difference_fence = NULL`,
  );

/** Sends an accepted job back, since the library has changed: its worker makes another difference. False as above. */
export async function startImportOver(
  em: EntityManager,
  lease: ImportLease,
  errors: readonly JobError[],
): Promise<boolean> {
  const set = sql`accepted_at = NULL, accepted_by = NULL, errors = ${JSON.stringify(errors)}::json, summary = NULL,
    difference_fence = NULL, progress_done = NULL, progress_total = NULL`;
  return (await importJobMachine.tryMove(em, 'startOver', { where: held(lease), set })) !== undefined;
}
