import type { FileToRead, Refuse } from './format-reader.js';
import { FilesRefused, unreadable } from './files-refused.js';
import { LIMITS } from './limits.js';

/** A name that does not belong there may be as long as a cell. */
const shown = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);

/** What is wrong with a name; undefined where nothing is. */
function problemOf(name: string, known: ReadonlySet<string>, isSecond: boolean): string | undefined {
  if (isSecond) return `The column ${shown(name)} is there twice.`;
  if (known.has(name)) return undefined;
  return name === '' ? 'A column has no name.' : `There is no column ${shown(name)}.`;
}

/**
 * Tells each name of a file's columns that is unknown; the rows can be read all the same. Throws `FilesRefused` where
 * they can't be: there are too many columns, one is there twice, or none of them is known.
 *
 * @param row the number of the row that has the names; null where none has
 */
export function checkHeader(
  { name: file, columns }: Pick<FileToRead, 'name' | 'columns'>,
  row: number | null,
  names: readonly string[],
  refuse: Refuse,
): void {
  if (names.length > LIMITS.columns)
    throw unreadable(file, `The file has ${names.length} columns. It may have ${LIMITS.columns}.`, row);
  const known = new Set(columns.map(({ name }) => name));
  const seen = new Set<string>();
  const errors = names.flatMap((name) => {
    const details = problemOf(name, known, seen.has(name));
    seen.add(name);
    return details === undefined ? [] : [{ file, row, field: name.slice(0, 100) || null, details }];
  });
  if (seen.size < names.length || (errors.length && errors.length === names.length)) throw new FilesRefused(errors);
  for (const { field, details } of errors) refuse(row, field, details);
}
