/**
 * The type of a column's values: `list` is a list of texts or of whole numbers, `json` any nested value, `timestamp`
 * ISO 8601.
 */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'list' | 'json' | 'timestamp';

/** A column of a file. A `number` may have decimals, an `integer` may not. */
export interface SheetColumn {
  readonly name: string;
  readonly type: ColumnType | 'number';
}

/** A list or an object, as JSON text. */
export interface Nested {
  readonly json: string;
}

/** A value of a row. */
export type RowValue = string | number | boolean | null | Nested;

/** The values of a row, in the order of the columns. */
export type Row = readonly RowValue[];
