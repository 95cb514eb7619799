import type { CellValue } from '#files/cell-value.js';

/** The change of one field. */
export interface FieldChange {
  readonly from: CellValue;
  readonly to: CellValue;
}

/** The changes of an item by field. */
export type Changes = Readonly<Record<string, FieldChange>>;

/** The new values of the changed fields. */
export const newValues = (changes: Changes): Readonly<Record<string, CellValue>> =>
  Object.fromEntries(Object.entries(changes).map(([field, { to }]) => [field, to]));
