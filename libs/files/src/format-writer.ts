import type { Nested, Row, SheetColumn } from './rows.js';

/** What a file says of itself. */
export interface Sheet {
  readonly model: string;
  readonly columns: readonly SheetColumn[];
  /** How many cells of a spreadsheet the longest value of a column takes, by name; 1 where it is not named. */
  readonly cells: ReadonlyMap<string, number>;
}

/** How files of one format are written. */
export interface FormatWriter {
  /** zlib's level for the file within the archive; 0 where it is packed already. */
  readonly compression: number;
  /** Writes a file piece by piece. */
  write(sheet: Sheet, batches: AsyncIterable<readonly Row[]>): AsyncIterable<string | Uint8Array>;
}

/** What is around the blanks between the parts of JSON. Where it is in a text, a look at it does no harm. */
const SPACED = /[,:] | :/;

/** JSON without blanks between its parts. */
export const compact = ({ json }: Nested): string => (SPACED.test(json) ? JSON.stringify(JSON.parse(json)) : json);
