import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type JobLease, JobWork, MAX_STARTS, type ClaimedJob, type ClaimingWorker } from '../job/job.work.js';
import { OPERATOR_ID } from '../../kernel/operator.js';
import { type RowOf, tables } from '../../kernel/tables.js';
import { jobError, type JobError } from '../job/job.rules.js';
import { ImportJob } from './import-job.entity.js';
import { keptUntil } from './import-job.commands.js';
import { importJobMachine, importLease } from './import-job.machine.js';
import { importTitle, type ReviewedImport } from './import-job.rules.js';

/** The worker's operations on import jobs, except for their completion. */
export const importWork = new JobWork({
  entity: ImportJob,
  machine: importJobMachine,
  lease: importLease,
  subject: 'import_job',
  titleOf: importTitle,
  claiming: ['start', 'apply', 'takeOver'],
  releasing: ['giveBack', 'rest'],
  ended: sql`kept_until = ${keptUntil}`,
});

/**
 * A worker's lease on an import. It acts for the user who accepted the job or, before that, the one who sent the file.
 */
export interface ImportLease extends JobLease {
  readonly fileName: string;
  readonly fileKey: string | null;
  readonly model: string | null;
  /** Whether to apply the changes; otherwise to compute the difference. */
  readonly accepted: boolean;
  /** The attempt that staged the accepted difference. */
  readonly differenceFence: number;
}

/** Metadata from the files. */
export interface ImportedFiles {
  readonly type: string;
  readonly fileFormat: string;
  readonly contentModels: readonly string[];
}

/** Claims a job by its id; undefined if that is not possible. Otherwise like `leaseNextImport`. */
export async function leaseImport(em: EntityManager, id: number, owner: string): Promise<ImportLease | undefined> {
  return leaseOf(em, await importWork.claim(em, id, owner));
}

/**
 * Claims the next job for a worker; undefined if there is none. A job that was cancelled before its worker died, or
 * that was attempted too often, ends here: `alreadyEnded`.
 */
export async function leaseNextImport(em: EntityManager, worker: ClaimingWorker): Promise<ImportLease | undefined> {
  return leaseOf(em, await importWork.claimNext(em, worker));
}

async function leaseOf(
  em: EntityManager,
  job: ClaimedJob<RowOf<typeof ImportJob>> | undefined,
): Promise<ImportLease | undefined> {
  if (!job) return undefined;
  const { row, cancelled } = job;
  const accepted = row.status === 'applying_changes';
  const lease: ImportLease = {
    ...job.lease,
    userId: (accepted ? row.accepted_by : row.triggered_by) ?? OPERATOR_ID,
    fileName: row.file_name,
    fileKey: row.file_key,
    model: row.model,
    accepted,
    differenceFence: row.difference_fence ?? 0,
  };
  if (cancelled) await importWork.stop(em, lease);
  else if (lease.alreadyEnded)
    await failImport(em, lease, [
      jobError(`The import was started ${MAX_STARTS} times, and its worker died each time. Try smaller files.`),
    ]);
  return lease;
}

/** Stores the metadata from the files. */
export async function storeFileMetadata(em: EntityManager, lease: ImportLease, files: ImportedFiles): Promise<void> {
  await tables(em, ImportJob)
    .updateTable('import_job as item')
    .set({ type: files.type, file_format: files.fileFormat, content_models: [...files.contentModels] })
    .where(importLease.isHeld(lease))
    .execute();
}

/** Publishes this attempt's difference for review. False if the job was cancelled or another worker has it. */
export const publishDifference = (
  em: EntityManager,
  lease: ImportLease,
  { summary, interpreted }: ReviewedImport,
): Promise<boolean> =>
  importWork.release(
    em,
    lease,
    'review',
    sql`summary = ${JSON.stringify(summary)}::json, interpreted = ${JSON.stringify(interpreted)}::json,
      difference_fence = fence, starts = 0, kept_until = ${keptUntil}`,
  );

/**
 * Marks the job as successful, in the transaction that applied its changes. If it returns false, another worker has the
 * job, and the caller must roll back.
 */
export const succeedImport = (em: EntityManager, lease: ImportLease): Promise<boolean> =>
  importWork.complete(em, lease, 'succeed', sql`progress_done = progress_total`);

/**
 * Marks the job as failed, with errors for its user. False if it was cancelled or another worker has it.
 *
 * @param dropsUpload whether the upload is useless: the caller then removes its file
 */
export const failImport = (
  em: EntityManager,
  lease: ImportLease,
  errors: readonly JobError[],
  { dropsUpload }: { readonly dropsUpload: boolean } = { dropsUpload: false },
): Promise<boolean> =>
  importWork.complete(
    em,
    lease,
    'fail',
    sql`errors = ${JSON.stringify(errors)}::json, summary = NULL, interpreted = NULL, difference_fence = NULL${
      dropsUpload ? sql`, file_key = NULL` : sql``
    }`,
  );

/** Returns an accepted job for another difference, because the library has changed. False if another worker has it. */
export async function startImportOver(
  em: EntityManager,
  lease: ImportLease,
  errors: readonly JobError[],
): Promise<boolean> {
  const set = sql`accepted_at = NULL, accepted_by = NULL, errors = ${JSON.stringify(errors)}::json, summary = NULL,
    interpreted = NULL, difference_fence = NULL, progress_done = NULL, progress_total = NULL`;
  return (await importJobMachine.tryMove(em, 'startOver', { where: importLease.isHeld(lease), set })) !== undefined;
}
