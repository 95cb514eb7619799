import type { FileToRead, ReportError } from './format-reader.js';
import type { NoteInterpretation } from './interpretation.js';
import { InvalidFiles, unreadable } from './invalid-files.js';
import { LIMITS } from './limits.js';

/** Shortens a name for messages: an unknown name may be as long as a cell. */
const shortened = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);

/** The name of a column without regard to case and blanks: `Risk Rating` is `risk_rating`. */
export const normalName = (written: string): string =>
  written
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

/**
 * The column names of a table: a known name in another case, or with blanks, is replaced and noted, and columns without
 * a name at the end are left out.
 */
export function columnNames(
  { columns }: Pick<FileToRead, 'columns'>,
  row: number,
  cells: readonly string[],
  note?: NoteInterpretation,
): string[] {
  const knownNames = new Set(columns.map(({ name }) => name));
  const names = cells.map((cell) => {
    const written = cell.trim();
    const name = normalName(written);
    if (knownNames.has(written) || !knownNames.has(name)) return written;
    note?.({ kind: 'column', field: name, row, details: `The column ${shortened(written)} is read as "${name}".` });
    return name;
  });
  const end = names.findLastIndex((name) => name !== '') + 1;
  return names.slice(0, end);
}

/** Explains that the table is another one, or begins below, before the names of the model's columns. */
const NO_HEADER = 'None of these is a column of this model. Remove all rows above the column names, which can be:';

/** Returns an error message, or undefined for a valid name. */
function errorOf(name: string, knownNames: ReadonlySet<string>, isSecond: boolean): string | undefined {
  if (isSecond) return `The column ${shortened(name)} occurs twice.`;
  if (knownNames.has(name)) return undefined;
  return name === '' ? 'A column has no name.' : `There is no column ${shortened(name)}.`;
}

/**
 * Reports each unknown column, which does not prevent reading the rows. Throws `InvalidFiles` if there are too many
 * columns, a duplicate, or no known column.
 *
 * @param row the number of the header row; null if there is none
 */
export function checkHeader(
  { name: file, columns }: Pick<FileToRead, 'name' | 'columns'>,
  row: number | null,
  names: readonly string[],
  report: ReportError,
): void {
  if (names.length > LIMITS.columns)
    throw unreadable(file, `The file has ${names.length} columns; the limit is ${LIMITS.columns}.`, row);
  const knownColumns = new Set(columns.map(({ name }) => name));
  const seenNames = new Set<string>();
  const errors = names.flatMap((name) => {
    const details = errorOf(name, knownColumns, seenNames.has(name));
    seenNames.add(name);
    return details === undefined ? [] : [{ file, row, field: name.slice(0, 100) || null, details }];
  });
  if (errors.length && errors.length === names.length)
    errors.push({ file, row, field: null, details: `${NO_HEADER} ${columns.map(({ name }) => name).join(', ')}.` });
  if (seenNames.size < names.length || errors.length > names.length) throw new InvalidFiles(errors);
  for (const { field, details } of errors) report(row, field, details);
}
