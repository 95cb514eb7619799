/** What a cell holds: `list` is a list of texts or of whole numbers, `json` anything nested, `timestamp` ISO 8601. */
export type ColumnType = 'text' | 'integer' | 'boolean' | 'list' | 'json' | 'timestamp';

/** A column of a file. A `number` may have decimals, where an `integer` has none. */
export interface SheetColumn {
  readonly name: string;
  readonly type: ColumnType | 'number';
}

/** A list or an object, as the text of its JSON. */
export interface Nested {
  readonly json: string;
}

/** What a column of a row contains. */
export type RowValue = string | number | boolean | null | Nested;

/** The values of a row, in the order of the columns. */
export type Row = readonly RowValue[];
