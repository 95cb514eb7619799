import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type JobLease, JobWork, MAX_STARTS, type ClaimingWorker } from '../job/job.work.js';
import type { Progress } from '../../kernel/lease/lease-keeper.js';
import { OPERATOR_ID } from '../../kernel/operator.js';
import { jobError, type JobError, exportTitle } from '../job/job.rules.js';
import { ExportJob } from './export-job.entity.js';
import { exportJobMachine, exportLease } from './export-job.machine.js';

/** The worker's operations on export jobs, except for their completion. */
export const exportWork = new JobWork({
  entity: ExportJob,
  machine: exportJobMachine,
  lease: exportLease,
  subject: 'export_job',
  titleOf: exportTitle,
  claiming: ['start', 'takeOver'],
  releasing: ['giveBack'],
});

/** A worker's lease on an export. */
export interface ExportLease extends JobLease {
  readonly type: string;
  readonly fileFormat: string;
  readonly contentModels: readonly string[];
}

/** A completed export file. */
export interface ExportFile {
  readonly key: string;
  readonly bytes: number;
  readonly etag: string;
  readonly retentionHours: number;
  readonly progress: Progress | undefined;
}

/**
 * Claims the next job for a worker; undefined if there is none. A job that was cancelled before its worker died, or
 * that was attempted too often, ends here: `alreadyEnded`.
 */
export async function leaseNextExport(em: EntityManager, worker: ClaimingWorker): Promise<ExportLease | undefined> {
  const job = await exportWork.claimNext(em, worker);
  if (!job) return undefined;
  const { row, cancelled } = job;
  const lease: ExportLease = {
    ...job.lease,
    userId: row.triggered_by ?? OPERATOR_ID,
    type: row.type,
    fileFormat: row.file_format,
    contentModels: row.content_models,
  };
  if (cancelled) await exportWork.stop(em, lease);
  else if (lease.alreadyEnded)
    await failExport(em, lease, [
      jobError(`The export was started ${MAX_STARTS} times, and its worker died each time. Try fewer models.`),
    ]);
  return lease;
}

/**
 * Publishes the file and marks the job as successful. False if it was cancelled or another worker has it; then no job
 * owns the file.
 */
export const succeedExport = (em: EntityManager, lease: ExportLease, file: ExportFile): Promise<boolean> =>
  exportWork.complete(
    em,
    lease,
    'succeed',
    sql`file_key = ${file.key}, file_bytes = ${file.bytes}, file_etag = ${file.etag},
      file_expires_at = clock_timestamp() + make_interval(hours => ${file.retentionHours}),
      progress_done = ${file.progress?.done ?? null}::integer,
        progress_total = ${file.progress?.total ?? null}::integer`,
  );

/** Marks the job as failed, with errors for its user. False if it was cancelled or another worker has it. */
export const failExport = (em: EntityManager, lease: ExportLease, errors: readonly JobError[]): Promise<boolean> =>
  exportWork.complete(em, lease, 'fail', sql`errors = ${JSON.stringify(errors)}::json`);
