import { type CellValue, type RowValues, textOf } from '#files/cell-value.js';
import { converted } from '#domain/kernel/fields/conversions.js';
import { repeatedId, STORABLE_NUMBERS } from '#domain/kernel/fields/field-checks.js';
import { integer, text } from '#domain/kernel/fields/fields.js';
import type { JobError } from '#domain/exchange/job/job.rules.js';
import type { Column } from '../../models/content-model.js';
import { describe } from '../../models/models.js';
import { registerIds } from './register-ids.js';
import type { RawRow, ReportError } from '#files/format-reader.js';
import { InvalidFiles, unreadable } from '#files/invalid-files.js';
import type { Interpretation } from '#files/interpretation.js';
import type { Items } from './items.js';
import { mebibytes } from '#files/limits.js';
import { LIMITS } from '../formats/limits.js';
import { FORMATS } from '#files/formats.js';
import type { SourceFile } from './source-files.js';
import { BATCH_CHARACTERS, BATCH_ROWS, type RowHead } from './staging.js';
import { quoted, readCell, type ReadCell } from '../plans/table-values.js';

/** A parsed row of a file. */
export interface SourceRow extends RowHead {
  readonly given: RowValues;
  /** Fields whose values could not be parsed. */
  readonly unread: ReadonlySet<string>;
  /** Whether its id is invalid or occurred earlier. The error has been reported. */
  readonly misnamed: boolean;
}

/** What else is to be told about the files. */
interface ReadWatch {
  /** Called with the error that ends the reading of a file. */
  readonly onUnreadable?: (error: InvalidFiles) => void;
  /** Called with everything that was interpreted. */
  readonly note?: (file: string, interpretation: Interpretation) => void;
}

/**
 * Parses the rows of the files in batches, each of one file, and registers the ids of new items. If a file becomes
 * unreadable, its remaining rows are skipped, and the other files are still read.
 *
 * @param report called with each error
 * @param signal ends the reading: its reason may be thrown
 */
export async function* readRows(
  files: readonly SourceFile[],
  items: Items,
  report: (error: JobError) => void,
  signal: AbortSignal,
  { onUnreadable = (error) => error.errors.forEach(report), note = () => undefined }: ReadWatch = {},
): AsyncGenerator<readonly SourceRow[], void, undefined> {
  let position = 0;
  for (const file of files) {
    let batch: SourceRow[] = [];
    let size = 0;
    let sizeOfAll = 0;
    try {
      for await (const read of rowsOf(file, report, signal, (noted) => note(file.name, noted))) {
        const { row, id, given } = read;
        const sizeOfRow = sizeOf(given);
        sizeOfAll += sizeOfRow;
        // In a small spreadsheet, all cells may share one long text.
        if (sizeOfAll > LIMITS.values)
          throw unreadable(file.name, `The values of the file are larger than ${mebibytes(LIMITS.values)}.`, row);
        if (position === LIMITS.rowsOfJob) {
          const details = `The import has more than ${LIMITS.rowsOfJob} rows. Split it.`;
          report({ file: file.name, row, field: null, details });
          if (batch.length) yield batch;
          return;
        }
        registerIds(items, file.model, id, given.answers);
        position += 1;
        batch.push({ position, model: file.model, file: file.name, ...read });
        size += sizeOfRow + (id?.length ?? 0);
        if (batch.length < BATCH_ROWS && size < BATCH_CHARACTERS) continue;
        yield batch;
        batch = [];
        size = 0;
      }
    } catch (error) {
      if (!(error instanceof InvalidFiles)) throw error;
      onUnreadable(error);
    }
    if (batch.length) yield batch;
  }
}

type ReadRow = Omit<SourceRow, 'position' | 'model' | 'file'>;

/** The rows of a file. */
async function* rowsOf(
  file: SourceFile,
  report: (error: JobError) => void,
  signal: AbortSignal,
  note: (interpretation: Interpretation) => void,
): AsyncGenerator<ReadRow, void, undefined> {
  const { name, model, format } = file;
  const { columns } = describe(model);
  const importedColumns = columns.filter(({ readOnly }) => !readOnly);
  const seenIds = new Set<string>();
  let count = 0;
  let errors = 0;
  const reportHere = (row: number | null, field: string | null, details: string): void => {
    errors += 1;
    if (errors > LIMITS.rows)
      throw unreadable(name, `The file has more than ${LIMITS.rows} errors. The rest was not read.`, row);
    report({ file: name, row, field, details });
  };
  const toRead = { name, model, columns, content: file.content(), signal };
  for await (const raw of FORMATS[format].read(toRead, reportHere, note)) {
    const { row } = raw;
    count += 1;
    if (count > LIMITS.rows) throw unreadable(name, `The file has more than ${LIMITS.rows} rows.`, row);
    if (isEmpty(raw)) {
      reportHere(row, null, 'The row is empty.');
      continue;
    }
    const read = readRow(importedColumns, raw, file, reportHere, note);
    const { id, unread } = read;
    const isTwice = id !== null && seenIds.has(id);
    if (isTwice) reportHere(row, 'id', repeatedId(id.slice(0, 100)));
    // The rest of an unreadable row is checked too, so that all errors are reported.
    yield { row, ...read, misnamed: isTwice || unread.has('id') };
    if (id !== null && id.length <= LIMITS.id) seenIds.add(id);
  }
  file.finish(count);
}

/** Whether a row has no values. Such rows are not staged, since they change nothing. */
const isEmpty = ({ values, errors = {} }: RawRow): boolean =>
  Object.values(values).every((value) => value === null || value === '') && !Object.keys(errors).length;

/** Reads the values of a row that an import writes. Their fields check them later, all except the id. */
function readRow(
  columns: readonly Column[],
  { row, values, errors = {}, dates }: RawRow,
  { model, format }: SourceFile,
  report: ReportError,
  note: (interpretation: Interpretation) => void,
): Pick<ReadRow, 'id' | 'given' | 'unread'> {
  const given: Record<string, CellValue> = {};
  let id: string | null = null;
  const unread = new Set<string>();
  const isTable = format === 'csv' || format === 'xlsx';
  const read = (column: Column): ReadCell => {
    const error = errors[column.name];
    if (error !== undefined) return { error };
    const raw = values[column.name];
    const cell = isTable ? readCell(model, column, raw) : { value: raw as CellValue };
    return column.name === 'id' ? readId(column.type, cell) : cell;
  };
  for (const column of columns) {
    const { name, field } = column;
    if (!Object.hasOwn(values, name)) continue;
    const cell = read(column);
    if ('error' in cell) {
      report(row, name, cell.error);
      unread.add(name);
      continue;
    }
    const { value, note: noted } = cell;
    if (value === undefined) continue;
    if (field) given[name] = converted(field, value) as CellValue;
    else id = textOf(value);
    if (dates?.has(name)) note({ kind: 'date', field: name, row, details: `A date is read as ${quoted(value)}.` });
    else if (noted) note({ ...noted, field: name, row });
  }
  return { id, given, unread };
}

/** The fields of ids, by the type of their column. Whether a value is an id of the model is checked later. */
const ID_FIELDS = { text: text({ maximum: Infinity, blank: true }), integer: integer(STORABLE_NUMBERS) };

/** A row without an id is new, in each format's way of leaving it out. */
function readId(type: Column['type'], cell: ReadCell): ReadCell {
  if ('error' in cell || cell.value === undefined) return cell;
  if (cell.value === null || cell.value === '') return { value: undefined };
  const field = ID_FIELDS[type === 'integer' ? type : 'text'];
  const value = converted(field, cell.value) as CellValue;
  const error = field.check(value);
  return error === undefined ? { ...cell, value } : { error };
}

/** Approximate size of a row's values in characters. */
function sizeOf(rowValues: RowValues): number {
  let size = 0;
  for (const value of Object.values(rowValues))
    size += typeof value === 'string' ? value.length : JSON.stringify(value).length;
  return size;
}
