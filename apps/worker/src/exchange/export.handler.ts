import { EntityManager } from '@mikro-orm/postgresql';
import { InjectEntityManager } from '@mikro-orm/nestjs';
import { Injectable } from '@nestjs/common';
import { FileTooLarge } from '#files/limits.js';
import { exportLibrary } from '#content/export/export-library.js';
import type { ContentModel, ExportType, FileFormat } from '#domain/exchange/job/content-models.js';
import { exportFileKey, jobError } from '#domain/exchange/job/job.rules.js';
import {
  type ExportFile,
  type ExportLease,
  exportWork,
  failExport,
  leaseNextExport,
  succeedExport,
} from '#domain/exchange/export-job/export-job.work.js';
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
import { EXPORT_RUN } from '#jobs/jobs.js';
import type { JobRun } from '#jobs/queues.js';
import { Settings } from '#platform/injected.js';
import { FileStorage, StorageFailure } from '#platform/storage/file-storage.js';
import type { JobHandler } from '../handler-registry.js';
import { Log, REPLICA } from '../injected.js';

/** Runs export jobs. The job's row decides whether there is work, and which worker may record the result. */
@Injectable()
export class ExportHandler implements JobHandler<Fenced> {
  readonly job = EXPORT_RUN;

  constructor(
    private readonly em: EntityManager,
    @InjectEntityManager(REPLICA) private readonly replica: EntityManager,
    private readonly files: FileStorage,
    private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  async handle(_: Fenced, { signal }: JobRun): Promise<boolean> {
    if (signal.aborted) return false;
    const taker = { owner: LEASE_OWNER, slots: EXPORT_RUN.concurrency };
    const lease = await acrossOrganizations(this.em, 'claim a job', (em) => leaseNextExport(em, taker));
    if (!lease) return false;
    if (lease.alreadyEnded) await this.removeEarlierFiles(lease);
    else await this.run(lease, signal);
    return true;
  }

  private async run(lease: ExportLease, signal: AbortSignal): Promise<void> {
    this.log.info({ job: EXPORT_RUN.name, id: lease.id, start: lease.starts }, 'Export started');
    const key = exportFileKey(lease.organizationId, lease.id, lease.fence);
    let published = false;
    try {
      await this.removeEarlierFiles(lease);
      const file = await this.write(lease, key, signal);
      published = await inTransaction(this.em, lease, (em) => succeedExport(em, lease, file));
      // The result is rejected if the job was cancelled or leased by another worker in the meantime.
      if (!published) await inTransaction(this.em, lease, (em) => exportWork.stop(em, lease));
    } catch (error) {
      await this.end(lease, error);
    } finally {
      if (!published) await this.discard(key);
    }
    this.log.info({ job: EXPORT_RUN.name, id: lease.id, published }, 'Export ended');
  }

  private async write(lease: ExportLease, key: string, shutdown: AbortSignal): Promise<ExportFile> {
    const keeper = new LeaseKeeper(
      (progress) => inTransaction(this.em, lease, (em) => exportWork.renew(em, lease, progress)),
      LEASE_SECONDS,
      shutdown,
    );
    try {
      const request = {
        organizationId: lease.organizationId,
        // The columns only hold values of these closed sets.
        type: lease.type as ExportType,
        fileFormat: lease.fileFormat as FileFormat,
        contentModels: lease.contentModels as readonly ContentModel[],
      };
      const watch = { signal: keeper.signal, progress: (progress: Progress) => keeper.reportProgress(progress) };
      const archive = await exportLibrary(this.replica.fork(), request, watch);
      const stored = await this.files.write(key, archive, keeper.signal);
      keeper.signal.throwIfAborted();
      return { key, ...stored, retentionHours: this.settings.exportRetentionHours, progress: keeper.progress };
    } catch (error) {
      // An error after the abort is a consequence of the abort.
      throw keeper.signal.aborted ? keeper.signal.reason : error;
    } finally {
      await keeper.release();
    }
  }

  /** Records why a job did not produce its file. A worker whose fence is outdated changes nothing here. */
  private async end(lease: ExportLease, error: unknown): Promise<void> {
    if (error instanceof JobEnded && error.reason === 'lost') {
      this.log.warn({ job: EXPORT_RUN.name, id: lease.id }, 'Another worker has taken over this export');
      return;
    }
    const shutdown = error instanceof JobEnded && error.reason === 'shutdown';
    const about = { err: error, job: EXPORT_RUN.name, id: lease.id };
    if (error instanceof FileTooLarge) this.log.info(about, 'Export too large');
    else if (!(error instanceof JobEnded)) this.log.error(about, 'Export failed');
    await inTransaction(this.em, lease, async (em) => {
      if (await exportWork.stop(em, lease)) return;
      if (shutdown) await exportWork.giveBack(em, lease, { seconds: 0, unspent: true });
      else if (error instanceof FileTooLarge || lease.starts >= MAX_STARTS)
        await failExport(em, lease, [jobError(reasonOf(error))]);
      else await exportWork.giveBack(em, lease, { seconds: backOffSeconds(lease.starts), unspent: false });
    });
  }

  /** Removes the files of earlier attempts, which a worker that died may have left. */
  private async removeEarlierFiles({ organizationId, id, fence, starts }: ExportLease): Promise<void> {
    for (let earlier = fence - starts + 1; earlier < fence; earlier += 1)
      await this.files.remove(exportFileKey(organizationId, id, earlier));
  }

  private async discard(key: string): Promise<void> {
    try {
      await this.files.remove(key);
    } catch (error) {
      this.log.warn({ err: error, key }, 'A file without a job could not be deleted');
    }
  }
}

/** The error message for the user. Causes that they can't act on are only logged. */
function reasonOf(error: unknown): string {
  if (error instanceof FileTooLarge) return error.message;
  if (error instanceof StorageFailure) return `The file could not be stored. ${error.message}`;
  return 'The export could not be finished because of an internal error. See the log of the service for details.';
}
