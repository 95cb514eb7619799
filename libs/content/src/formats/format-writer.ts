import type { Column } from '../models/content-model.js';

/** What a file says of itself. */
export interface Sheet {
  readonly model: string;
  readonly columns: readonly Column[];
  /** How many cells of a spreadsheet the longest value of a column takes, by name; 1 where it is not named. */
  readonly cells: ReadonlyMap<string, number>;
}

/** A value as JSON has it. Which one a column holds follows from its type. */
export type CellValue = string | number | boolean | null | readonly CellValue[] | { readonly [key: string]: CellValue };

export type RowValues = Readonly<Record<string, CellValue>>;

/** A list or an object, as the text of its JSON. */
export interface Nested {
  readonly json: string;
}

/** The values of a row, in the order of the columns. */
export type Row = readonly (string | number | boolean | null | Nested)[];

/** How files of one format are written. */
export interface FormatWriter {
  /** zlib's level for the file within the archive. */
  readonly compression: number;
  /** Writes a file piece by piece. */
  write(sheet: Sheet, batches: AsyncIterable<readonly Row[]>): AsyncIterable<string | Uint8Array>;
}

/** What stands around the blanks between the parts of JSON. Where it stands in a text, a look at it does no harm. */
const SPACED = /[,:] | :/;

/** JSON without blanks between its parts. */
export const compact = ({ json }: Nested): string => (SPACED.test(json) ? JSON.stringify(JSON.parse(json)) : json);
