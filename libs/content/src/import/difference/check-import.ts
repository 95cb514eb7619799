import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/kernel/actor.js';
import {
  IMPORT_ACTIONS,
  type ImportAction,
  type ImportSummary,
  type ReviewedImport,
} from '#domain/exchange/import-job/import-job.rules.js';
import type { Progress } from '#domain/kernel/lease/lease-keeper.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import type { JobError } from '#domain/exchange/job/job.rules.js';
import type { InvalidFiles } from '#files/invalid-files.js';
import type { Interpretation } from '#files/interpretation.js';
import { organizationContext } from '../../organization-context.js';
import { Difference } from './difference.js';
import { Items } from './items.js';
import { checkLibraryRules } from './rules-across-rows.js';
import { Interpretations } from './interpretations.js';
import { ImportErrorCollector } from './import-error-collector.js';
import { readRows } from './read-rows.js';
import { References } from './references.js';
import type { SourceFiles } from './source-files.js';
import { changesOf, clearStaging, misnamedRowsOf, rowChanges, stageRows, type ImportAttempt } from './staging.js';
import { WriteBehind } from './write-behind.js';

/** Reports the progress of an import, and can cancel it. */
export interface ImportWatch {
  readonly signal: AbortSignal;
  /** Called after every batch of rows. The total is an estimate until all files were read. */
  readonly progress: (progress: Progress) => void;
}

/**
 * Reads the files, determines what each row would change, and stages the rows for this attempt. Returns what a reviewer
 * sees besides the rows. Throws `InvalidFiles` with all errors, and the signal's reason if that is aborted.
 */
export async function checkImport(
  em: EntityManager,
  actor: Actor,
  attempt: ImportAttempt,
  source: SourceFiles,
  { signal, progress }: ImportWatch,
): Promise<ReviewedImport> {
  await inTransaction(em, actor, (forked) => clearStaging(forked, attempt));
  const errors = new ImportErrorCollector();
  const report = (error: JobError): void => errors.add(error);
  const interpretations = new Interpretations();
  const items = new Items(em, actor);
  const difference = new Difference(em, actor, organizationContext(actor.organizationId, actor.flags), report);
  const references = new References(items, report);
  // A row may refer to a later row, so missing references are reported at the end.
  const waiting = new Set<number>();
  await using behind = new WriteBehind(1);
  let done = 0;
  const watch = {
    onUnreadable: (error: InvalidFiles) => errors.addUnreadable(error),
    note: (file: string, noted: Interpretation) => interpretations.add(file, noted),
  };
  for await (const rows of readRows(source.files, items, report, signal, watch)) {
    signal.throwIfAborted();
    const { named, misnamed } = await difference.compare(rows);
    for (const compared of [named, misnamed])
      for (const { row } of await references.findMissing(compared)) waiting.add(row.position);
    await behind.write(() =>
      inTransaction(em, actor, async (forked) => {
        await stageRows(forked, attempt, named);
        await stageRows(forked, misnamedRowsOf(attempt), misnamed);
      }),
    );
    done += rows.length;
    progress({ done, total: Math.max(done, Math.round(done / source.shareRead())) });
  }
  await behind.end();
  progress({ done, total: done });
  for (const staged of waiting.size ? [attempt, misnamedRowsOf(attempt)] : [])
    for await (const rows of rowChanges(em, staged)) {
      signal.throwIfAborted();
      const compared = rows.flatMap((row) => (waiting.has(row.position) ? [changesOf(row)] : []));
      for (const missing of await references.findMissing(compared)) report(missing.error);
    }
  await inTransaction(em, actor, (forked) => checkLibraryRules(forked, actor, attempt, report));
  signal.throwIfAborted();
  errors.throwIfAny();
  const summary = await summarize(
    em,
    attempt,
    source.files.map(({ model }) => model),
  );
  return { summary, interpreted: interpretations.list() };
}

/** Counts created, changed and unchanged rows by model. */
async function summarize(
  em: EntityManager,
  { job, fence }: ImportAttempt,
  models: readonly ContentModel[],
): Promise<ImportSummary> {
  const { rows } = await sql<{ model: string; action: ImportAction; count: number }>`
    SELECT model, action, count(*)::int AS count FROM import_row WHERE job_id = ${job} AND fence = ${fence}
    GROUP BY model, action`.execute(em.getKysely());
  const none = Object.fromEntries(IMPORT_ACTIONS.map((action) => [action, 0])) as Record<ImportAction, number>;
  return Object.fromEntries(
    models.map((model) => [
      model,
      {
        ...none,
        ...Object.fromEntries(rows.filter((row) => row.model === model).map(({ action, count }) => [action, count])),
      },
    ]),
  );
}
