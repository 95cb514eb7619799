import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/actor.js';
import { IMPORT_ACTIONS, type ImportAction, type ImportSummary } from '#domain/import-job/import-job.rules.js';
import type { ImportProgress } from '#domain/import-job/import-job.work.js';
import type { ContentModel } from '#domain/content-models.js';
import { readingOf } from '../export/reading.js';
import type { RowValues } from '../formats/format-writer.js';
import type { Column } from '../models/content-model.js';
import { describe } from '../models/models.js';
import { Difference } from './difference.js';
import { announce } from './announce.js';
import { ImportFailure, unreadable } from './import-failure.js';
import { Items } from './items.js';
import { checkLibraryRules } from './library-rules.js';
import { LIMITS } from './limits.js';
import { Problems } from './problems.js';
import { READERS } from './readers.js';
import type { SourceFile, SourceFiles } from './source-files.js';
import { clearStaging, stagedRows, StagingWriter, type Taking, writeOutcomes } from './staging.js';
import { readValue } from './values.js';
import { textOf } from './text-of.js';
import { WriteBehind } from './write-behind.js';

/** How the caller follows an import, and ends it. */
export interface ImportWatch {
  readonly signal: AbortSignal;
  /** Called after every batch of rows. */
  readonly progress: (progress: ImportProgress) => void;
}

/**
 * Reads the files and finds out what they would change, row by row, into the rows of the taking. Throws `ImportFailure`
 * with everything that is wrong, and the signal's reason once that is aborted.
 */
export async function checkImport(
  em: EntityManager,
  actor: Actor,
  taking: Taking,
  source: SourceFiles,
  { signal, progress }: ImportWatch,
): Promise<ImportSummary> {
  await clearStaging(em, taking);
  const problems = new Problems();
  const items = new Items(em, actor);
  await using behind = new WriteBehind();
  const writer = new StagingWriter(em, taking, behind);
  const unread = new Map<number, ReadonlySet<string>>();
  for (const file of source.files) await stage(writer, file, items, unread, problems, signal);
  await writer.end();
  const total = writer.rows;
  let done = 0;
  progress({ done, total });
  const reading = readingOf(actor.organizationId, actor.flags);
  const difference = new Difference(em, actor, reading, items, (error) => problems.add(error), unread);
  for await (const rows of stagedRows(em, taking)) {
    signal.throwIfAborted();
    const outcomes = await difference.compare(rows);
    await behind.write(() => writeOutcomes(em, taking, outcomes));
    done += rows.length;
    progress({ done, total });
  }
  await behind.end();
  await checkLibraryRules(em, actor, taking, (error) => problems.add(error));
  signal.throwIfAborted();
  problems.refuse();
  return summarize(
    em,
    taking,
    source.files.map(({ model }) => model),
  );
}

/** Reads one file into the rows of the taking. A file that can't be read ends here; the others are read all the same. */
async function stage(
  writer: StagingWriter,
  file: SourceFile,
  items: Items,
  unread: Map<number, ReadonlySet<string>>,
  problems: Problems,
  signal: AbortSignal,
): Promise<void> {
  const { name, model, format } = file;
  const { columns } = describe(model);
  const taken = columns.filter(({ readOnly }) => !readOnly);
  const seen = new Set<string>();
  let count = 0;
  const refuse = (row: number | null, field: string | null, details: string): void =>
    problems.add({ file: name, row, field, details });
  try {
    for await (const { row, values } of READERS[format]({ name, model, columns, content: file.content() }, refuse)) {
      signal.throwIfAborted();
      count += 1;
      if (count > LIMITS.rows) throw unreadable(name, `The file has more than ${LIMITS.rows} rows.`, row);
      const read = readRow(taken, values, format, (field, details) => refuse(row, field, details));
      const { id, given } = read;
      if (id !== null && seen.has(id)) refuse(row, 'id', `"${id.slice(0, 100)}" is there twice.`);
      else {
        if (id !== null) seen.add(id);
        announce(items, model, id, given);
        // Everything that is wrong is told: the rest of a row that can't be read is looked at too, as long as it would be told.
        if (!read.unread.size) await writer.add({ model, file: name, row, id, given });
        else if (!read.unread.has('id') && !problems.full)
          unread.set(await writer.add({ model, file: name, row, id, given }), read.unread);
      }
    }
    file.finish(count);
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    for (const problem of error.errors) problems.add(problem);
  }
}

/** The values of a row that an import takes, in their types. */
function readRow(
  columns: readonly Column[],
  values: Readonly<Record<string, unknown>>,
  format: SourceFile['format'],
  refuse: (field: string, details: string) => void,
): { readonly id: string | null; readonly given: RowValues; readonly unread: ReadonlySet<string> } {
  const given: Record<string, RowValues[string]> = {};
  let id: string | null = null;
  const unread = new Set<string>();
  for (const column of columns) {
    const { name } = column;
    if (!Object.hasOwn(values, name)) continue;
    // A row without an id is new, whatever the format says for that.
    if (name === 'id' && (values.id === null || values.id === '')) continue;
    const read = readValue(column, values[name], format);
    if ('problem' in read) {
      refuse(name, read.problem);
      unread.add(name);
    } else if (name === 'id') id = textOf(read.value);
    else if (read.value !== undefined) given[name] = read.value;
  }
  return { id, given, unread };
}

/** Counts what the rows would do, by model. */
async function summarize(
  em: EntityManager,
  { job, fence }: Taking,
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
