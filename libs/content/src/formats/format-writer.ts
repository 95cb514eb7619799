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

/** How files of one format are written. */
export interface FormatWriter {
  /** zlib's level for the file within the archive. */
  readonly compression: number;
  /**
   * Writes a file piece by piece.
   *
   * @param batches rows as JSON texts of objects whose members are the columns, in their order
   */
  write(sheet: Sheet, batches: AsyncIterable<readonly string[]>): AsyncIterable<string | Uint8Array>;
}

/** The values of a row that came as JSON. */
export const valuesOf = (json: string): RowValues => JSON.parse(json);
