import type { Column } from '../models/content-model.js';
import { ImportFailure, unreadable } from './import-failure.js';
import { LIMITS } from './limits.js';

/** A name that does not belong there may be as long as a cell. */
const shown = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);

/**
 * Checks the names of a file's columns. Throws `ImportFailure` with each that is unknown or there twice.
 *
 * @param row the number of the row that the names stand in; null where they stand in none
 */
export function checkHeader(
  file: string,
  row: number | null,
  names: readonly string[],
  columns: readonly Column[],
): void {
  if (names.length > LIMITS.columns)
    throw unreadable(file, `The file has ${names.length} columns. It may have ${LIMITS.columns}.`, row);
  const known = new Set(columns.map(({ name }) => name));
  const seen = new Set<string>();
  const errors = names.flatMap((name) => {
    const details = seen.has(name)
      ? `The column ${shown(name)} is there twice.`
      : known.has(name)
        ? undefined
        : name === ''
          ? 'A column has no name.'
          : `There is no column ${shown(name)}.`;
    seen.add(name);
    return details === undefined ? [] : [{ file, row, field: name.slice(0, 100) || null, details }];
  });
  if (errors.length) throw new ImportFailure(errors);
}
