import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import {
  type ImportLease,
  importWork,
  storeFileMetadata,
  publishDifference,
  startImportOver,
  succeedImport,
} from '#domain/exchange/import-job/import-job.work.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { findJobActor } from '#domain/access/user/principal.js';
import { jobError } from '#domain/exchange/job/job.rules.js';
import { applyImport, LibraryChanged } from './apply/apply-import.js';
import { checkImport, type ImportWatch } from './difference/check-import.js';
import { type ImportSource, openSource } from './difference/source-files.js';

/** Another worker took the job while its changes were being applied: the transaction must be rolled back. */
class TakenOver extends Error {}

/** The work on one import job. The caller must hold its lease. */
export class ImportWork {
  constructor(
    private readonly em: EntityManager,
    private readonly lease: ImportLease,
    private readonly watch: ImportWatch,
  ) {}

  /** Computes the difference and stores it for review. Throws `InvalidFiles` if the files can't be imported. */
  async check(source: ImportSource): Promise<void> {
    const { em, lease } = this;
    const actor = await this.actor();
    const opened = await openSource(source);
    try {
      const { type, format: fileFormat, files } = opened;
      const contentModels = files.map(({ model }) => model);
      await inTransaction(em, lease, (forked) => storeFileMetadata(forked, lease, { type, fileFormat, contentModels }));
      const attempt = { job: lease.id, fence: lease.fence };
      const reviewed = await checkImport(em.fork(), actor, attempt, opened, this.watch);
      const isPublished = await inTransaction(em, lease, (forked) => publishDifference(forked, lease, reviewed));
      // The job was cancelled, or another worker took it, at the last moment.
      if (!isPublished) await inTransaction(em, lease, (forked) => importWork.stop(forked, lease));
    } finally {
      opened.close();
    }
  }

  /**
   * Applies the accepted difference. Returns false if the library has changed since it was computed: then the job must
   * be checked and accepted again.
   */
  async apply(): Promise<boolean> {
    const { em, lease } = this;
    const actor = await this.actor();
    try {
      await inTransaction(em, lease, async (forked) => {
        await applyImport(forked, actor, { job: lease.id, fence: lease.differenceFence }, this.watch);
        if (!(await succeedImport(forked, lease))) throw new TakenOver();
      });
      return true;
    } catch (error) {
      if (error instanceof TakenOver) return true;
      if (!(error instanceof LibraryChanged)) throw error;
      const reason = jobError('The library has changed since the comparison. Review the new differences.');
      return !(await inTransaction(em, lease, (forked) => startImportOver(forked, lease, [reason, ...error.errors])));
    }
  }

  private actor(): Promise<Actor> {
    return findJobActor(this.em.fork(), this.lease.userId, this.lease.organizationId);
  }
}
