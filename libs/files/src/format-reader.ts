import type { NoteInterpretation } from './interpretation.js';

/** A file whose rows are to be read. */
export interface FileToRead {
  /** Its name, for errors. */
  readonly name: string;
  /** The kind of its rows, and the columns that it may have. */
  readonly model: string;
  readonly columns: readonly { readonly name: string }[];
  readonly content: AsyncIterable<Uint8Array>;
  /** Cancels reading, also between rows: its reason is thrown. */
  readonly signal: AbortSignal;
}

/** A row before conversion. `row` is its number in the file, from 1. */
export interface RawRow {
  readonly row: number;
  /** By column, without columns that the row does not have. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Errors of values, by column. Whoever needs the column reports them. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Columns whose texts were dates or times in a spreadsheet. */
  readonly dates?: ReadonlySet<string>;
}

/** Reports an error in a file. */
export type ReportError = (row: number | null, field: string | null, details: string) => void;

/**
 * Reads the rows of a file in order. Throws `InvalidFiles` if it cannot continue.
 *
 * @param report is called for errors after which reading continues
 * @param note is called for everything that was interpreted
 */
export type FormatReader = (file: FileToRead, report: ReportError, note?: NoteInterpretation) => AsyncIterable<RawRow>;
