import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import { acceptImportJob, cancelImportJob, createImportJob } from '#domain/exchange/import-job/import-job.commands.js';
import { findDifference } from '#domain/exchange/import-job/import-job.cleanup.js';
import type { ReviewedImport } from '#domain/exchange/import-job/import-job.rules.js';
import { failImport, type ImportLease, importWork, leaseImport } from '#domain/exchange/import-job/import-job.work.js';
import { LEASE_SECONDS } from '#domain/exchange/job/job.lease.js';
import { LeaseKeeper, LEASE_OWNER } from '#domain/kernel/lease/lease-keeper.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { jobError } from '#domain/exchange/job/job.rules.js';
import type { ImportWatch } from './difference/check-import.js';
import { InvalidFiles } from '#files/invalid-files.js';
import { ImportWork } from './import-work.js';
import type { ImportSource } from './difference/source-files.js';

/** The result of an import in this process. */
export interface ImportResult extends ReviewedImport {
  readonly job: string;
}

/**
 * Runs a complete import in this process, as a job whose lease keeps workers away. Throws `InvalidFiles`, and the
 * signal's reason if that is aborted.
 *
 * @param review receives the difference; returns whether to apply it
 */
export async function importInProcess(
  em: EntityManager,
  actor: Actor,
  source: ImportSource,
  watch: ImportWatch,
  review: (imported: ImportResult) => Promise<boolean>,
): Promise<ImportResult> {
  const { fileName, model } = source;
  const { id, lease } = await inTransaction(em, actor, async (forked) => {
    const id = await createImportJob(forked, actor, { fileName, ...(model !== null && { model }) });
    return { id, lease: await claimImport(forked, id) };
  });
  await withLease(em, lease, watch, (work) => work.check(source));
  for (;;) {
    const state = await findDifference(em.fork(), actor, id);
    if (typeof state === 'string') throw new InvalidFiles([jobError('The import was cancelled.')]);
    const imported = { job: id, ...state };
    if (!(await review(imported))) {
      await inTransaction(em, actor, (forked) => cancelImportJob(forked, actor, id));
      return imported;
    }
    const accepted = await inTransaction(em, actor, async (forked) => {
      await acceptImportJob(forked, actor, id);
      return claimImport(forked, id);
    });
    const done = await withLease(em, accepted, watch, async (work) => {
      if (await work.apply()) return true;
      // The library has changed in the meantime, so there is a new difference to review.
      await work.check(source);
      return false;
    });
    if (done) return imported;
  }
}

async function claimImport(em: EntityManager, id: string): Promise<ImportLease> {
  const lease = await leaseImport(em, Number(id), LEASE_OWNER);
  if (!lease) throw new Error('Another process is running this import.');
  return lease;
}

/** Works on a job while renewing its lease. An error ends the job. */
async function withLease<Result>(
  em: EntityManager,
  lease: ImportLease,
  watch: ImportWatch,
  work: (work: ImportWork) => Promise<Result>,
): Promise<Result> {
  const keeper = new LeaseKeeper(
    (progress) => inTransaction(em, lease, (forked) => importWork.renew(forked, lease, progress)),
    LEASE_SECONDS,
    watch.signal,
  );
  const progress: ImportWatch['progress'] = (now) => {
    keeper.reportProgress(now);
    watch.progress(now);
  };
  try {
    return await work(new ImportWork(em, lease, { signal: keeper.signal, progress }));
  } catch (error) {
    const errors = error instanceof InvalidFiles ? error.errors : [jobError('The import was interrupted.')];
    // If the database is unavailable, the lease expires. The caller needs the original error, not this one.
    await inTransaction(em, lease, (forked) => failImport(forked, lease, errors)).catch(() => undefined);
    watch.signal.throwIfAborted();
    throw error;
  } finally {
    await keeper.release();
  }
}
