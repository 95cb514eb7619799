import type { Nested, Row, SheetColumn } from './rows.js';

/** The metadata of a file. */
export interface Sheet {
  readonly model: string;
  readonly columns: readonly SheetColumn[];
  /** The number of spreadsheet cells that the longest value of a column needs, by column name; 1 if not listed. */
  readonly cells: ReadonlyMap<string, number>;
}

/** Writes files of one format. */
export interface FormatWriter {
  /** zlib's level for the file within the archive; 0 if the format is already compressed. */
  readonly compression: number;
  /** Writes a file in chunks. */
  write(sheet: Sheet, batches: AsyncIterable<readonly Row[]>): AsyncIterable<string | Uint8Array>;
}

/** Matches JSON with blanks between its tokens. A match inside a text only costs time. */
const SPACED = /[,:] | :/;

/** JSON without blanks between its tokens. */
export const compact = ({ json }: Nested): string => (SPACED.test(json) ? JSON.stringify(JSON.parse(json)) : json);
