import type { Nested, Rows, SheetColumn } from './rows.js';

/** What a file says of itself. */
export interface Sheet {
  readonly model: string;
  readonly columns: readonly SheetColumn[];
  /** How many cells of a spreadsheet the longest value of a column takes, by name; 1 where it is not named. */
  readonly cells: ReadonlyMap<string, number>;
}

/** How files of one format are written. */
export interface FormatWriter {
  /** zlib's level for the file within the archive. */
  readonly compression: number;
  /** Writes a file piece by piece. */
  write(sheet: Sheet, batches: AsyncIterable<Rows>): AsyncIterable<string | Uint8Array>;
}

/** What stands around the blanks between the parts of JSON. Where it stands in a text, a look at it does no harm. */
const SPACED = /[,:] | :/;

/** JSON without blanks between its parts. */
export const compact = ({ json }: Nested): string => (SPACED.test(json) ? JSON.stringify(JSON.parse(json)) : json);

/**
 * Texts, one after the other, in UTF-8. One long text of them all would go where V8 keeps what lives long, and have to
 * be cleared from there.
 */
export const joined = (texts: readonly string[]): Buffer => Buffer.concat(texts.map((text) => Buffer.from(text)));
