import type { CellValue } from '#files/cell-value.js';

/** What would change in a field. */
export interface FieldChange {
  readonly from: CellValue;
  readonly to: CellValue;
}

/** What would change in an item, by field. */
export type Changes = Readonly<Record<string, FieldChange>>;

/** What the fields will hold. */
export const newValues = (changes: Changes): Readonly<Record<string, CellValue>> =>
  Object.fromEntries(Object.entries(changes).map(([field, { to }]) => [field, to]));
