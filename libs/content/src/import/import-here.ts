import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import { acceptImportJob, cancelImportJob, createImportJob } from '#domain/exchange/import-job/import-job.commands.js';
import { findDifference } from '#domain/exchange/import-job/import-job.kept.js';
import { type ImportSummary } from '#domain/exchange/import-job/import-job.rules.js';
import { failImport, type ImportLease, importWork, leaseImport } from '#domain/exchange/import-job/import-job.work.js';
import { LEASE_SECONDS } from '#domain/exchange/job/job.work.js';
import { LeaseKeeper, LEASE_OWNER } from '#domain/kernel/lease-keeper.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { jobError } from '#domain/exchange/job/job.rules.js';
import type { ImportWatch } from './difference/check-import.js';
import { FilesRefused } from '#files/files-refused.js';
import { ImportWork } from './import-work.js';
import type { ImportSource } from './difference/source-files.js';

/** An import that was done by its caller. */
export interface ImportedHere {
  readonly job: string;
  readonly summary: ImportSummary;
}

/**
 * Does a whole import in this process, as a job that no worker takes as long as this one lives. Throws `FilesRefused`,
 * and the signal's reason once that is aborted.
 *
 * @param review sees the difference; answers whether it shall be applied
 */
export async function importHere(
  em: EntityManager,
  actor: Actor,
  source: ImportSource,
  watch: ImportWatch,
  review: (imported: ImportedHere) => Promise<boolean>,
): Promise<ImportedHere> {
  const { fileName, model } = source;
  const { id, lease } = await inTransaction(em, actor, async (forked) => {
    const id = await createImportJob(forked, actor, { fileName, ...(model !== null && { model }) });
    return { id, lease: await taken(forked, id) };
  });
  await held(em, lease, watch, (work) => work.check(source));
  for (;;) {
    const state = await findDifference(em.fork(), actor, id);
    if (typeof state === 'string') throw new FilesRefused([jobError('The import was cancelled.')]);
    const imported = { job: id, summary: state.summary };
    if (!(await review(imported))) {
      await inTransaction(em, actor, (forked) => cancelImportJob(forked, actor, id));
      return imported;
    }
    const accepted = await inTransaction(em, actor, async (forked) => {
      await acceptImportJob(forked, actor, id);
      return taken(forked, id);
    });
    const done = await held(em, accepted, watch, async (work) => {
      if (await work.apply()) return true;
      // The library has changed meanwhile: there is another difference to review.
      await work.check(source);
      return false;
    });
    if (done) return imported;
  }
}

async function taken(em: EntityManager, id: string): Promise<ImportLease> {
  const lease = await leaseImport(em, Number(id), LEASE_OWNER);
  if (!lease) throw new Error('Another process has this import.');
  return lease;
}

/** Works on a job while its lease is kept. What goes wrong ends the job. */
async function held<Result>(
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
    const errors = error instanceof FilesRefused ? error.errors : [jobError('The import was broken off.')];
    // The database may be what is gone. Then the lease runs out, and what went wrong first is what the caller has to
    // hear.
    await inTransaction(em, lease, (forked) => failImport(forked, lease, errors)).catch(() => undefined);
    watch.signal.throwIfAborted();
    throw error;
  } finally {
    await keeper.release();
  }
}
