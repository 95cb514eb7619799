import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { InvalidFiles, unreadable } from '#files/invalid-files.js';
import { ImportWork } from '#content/import/import-work.js';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import {
  failImport,
  type ImportLease,
  importWork,
  leaseNextImport,
} from '#domain/exchange/import-job/import-job.work.js';
import { LEASE_SECONDS } from '#domain/exchange/job/job.lease.js';
import { MAX_STARTS } from '#domain/exchange/job/job.work.js';
import type { Fenced } from '#domain/kernel/lease/lease.js';
import {
  JobEnded,
  LeaseKeeper,
  LEASE_OWNER,
  type Progress,
  backOffSeconds,
} from '#domain/kernel/lease/lease-keeper.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { jobError } from '#domain/exchange/job/job.rules.js';
import { IMPORT_RUN } from '#jobs/jobs.js';
import type { JobRun } from '#jobs/queues.js';
import { Settings } from '#platform/injected.js';
import { FileMissing, FileStorage } from '#platform/storage/file-storage.js';
import type { JobHandler } from '../handler-registry.js';
import { Log } from '../injected.js';
import { withLocalCopy } from './local-copy.js';

/** Runs import jobs. The job's row decides what to do, and which worker may record the result. */
@Injectable()
export class ImportHandler implements JobHandler<Fenced> {
  readonly job = IMPORT_RUN;

  constructor(
    private readonly em: EntityManager,
    private readonly files: FileStorage,
    private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  async handle(_: Fenced, { signal }: JobRun): Promise<boolean> {
    if (signal.aborted) return false;
    const taker = { owner: LEASE_OWNER, slots: IMPORT_RUN.concurrency };
    const lease = await acrossOrganizations(this.em, 'claim a job', (em) => leaseNextImport(em, taker));
    if (!lease) return false;
    if (!lease.alreadyEnded) await this.run(lease, signal);
    return true;
  }

  private async run(lease: ImportLease, signal: AbortSignal): Promise<void> {
    this.log.info(
      { job: IMPORT_RUN.name, id: lease.id, start: lease.starts, accepted: lease.accepted },
      'Import started',
    );
    const keeper = new LeaseKeeper(
      (progress) => inTransaction(this.em, lease, (em) => importWork.renew(em, lease, progress)),
      LEASE_SECONDS,
      signal,
    );
    try {
      await this.work(lease, keeper);
    } catch (error) {
      // An error after the abort is a consequence of the abort.
      await this.end(lease, keeper.signal.aborted ? keeper.signal.reason : error);
    } finally {
      await keeper.release();
    }
    this.log.info({ job: IMPORT_RUN.name, id: lease.id }, 'Import ended');
  }

  private async work(lease: ImportLease, keeper: LeaseKeeper): Promise<void> {
    const progress = (progress: Progress) => keeper.reportProgress(progress);
    if (lease.accepted && (await new ImportWork(this.em, lease, { signal: keeper.signal, progress }).apply())) return;
    if (lease.fileKey === null) throw new FileMissing('');
    const seconds = this.settings.maxImportSeconds;
    const deadline = AbortSignal.timeout(seconds * 1000);
    const signal = AbortSignal.any([keeper.signal, deadline]);
    try {
      await withLocalCopy(this.files, lease.fileKey, signal, (path) =>
        new ImportWork(this.em, lease, { signal, progress }).check({
          path,
          fileName: lease.fileName,
          model: lease.model as ContentModel | null,
        }),
      );
    } catch (error) {
      // An error after the deadline is a consequence of it.
      throw deadline.aborted && !keeper.signal.aborted ? tooSlow(lease.fileName, seconds) : error;
    }
  }

  /** Records why a job failed or stopped. A worker whose fence is outdated changes nothing here. */
  private async end(lease: ImportLease, error: unknown): Promise<void> {
    if (error instanceof JobEnded && error.reason === 'lost') {
      this.log.warn({ job: IMPORT_RUN.name, id: lease.id }, 'Another worker has taken over this import');
      return;
    }
    const shutdown = error instanceof JobEnded && error.reason === 'shutdown';
    const about = { err: error, job: IMPORT_RUN.name, id: lease.id };
    if (error instanceof InvalidFiles) this.log.info({ id: lease.id, errors: error.errors.length }, 'Import rejected');
    else if (!(error instanceof JobEnded)) this.log.error(about, 'Import failed');
    const reasons = reasonsOf(error);
    const dropsUpload = error instanceof InvalidFiles && error.permanent;
    const failed = await inTransaction(this.em, lease, async (em) => {
      if (await importWork.stop(em, lease)) return false;
      if (shutdown) await importWork.giveBack(em, lease, { seconds: 0, unspent: true });
      else if (reasons ?? lease.starts >= MAX_STARTS)
        return failImport(em, lease, reasons ?? [jobError(UNFORESEEN)], { dropsUpload });
      else await importWork.giveBack(em, lease, { seconds: backOffSeconds(lease.starts), unspent: false });
      return false;
    });
    if (failed && dropsUpload && lease.fileKey !== null) await this.discard(lease.fileKey);
  }

  /** Removes an upload that no job refers to. If that fails, the regular cleanup removes it. */
  private async discard(key: string): Promise<void> {
    try {
      await this.files.remove(key);
    } catch (error) {
      this.log.warn({ err: error, key }, 'A file without a job could not be deleted');
    }
  }
}

const tooSlow = (fileName: string, seconds: number): InvalidFiles =>
  unreadable(
    fileName,
    `Checking the file takes longer than ${seconds} s. Split it, delete empty rows, or choose another format.`,
  );

const UNFORESEEN =
  'The import could not be finished because of an internal error. See the log of the service for details.';

/** Error messages for the user; undefined for errors that may be temporary or that they can't act on. */
function reasonsOf(error: unknown): InvalidFiles['errors'] | undefined {
  if (error instanceof InvalidFiles) return error.errors;
  if (error instanceof FileMissing) return [jobError('The uploaded file is no longer available. Upload it again.')];
  return undefined;
}
