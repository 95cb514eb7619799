/** A file whose rows are to be read. */
export interface FileToRead {
  /** Its name, for errors. */
  readonly name: string;
  /** What its rows are, and the columns that it may have. */
  readonly model: string;
  readonly columns: readonly { readonly name: string }[];
  readonly content: AsyncIterable<Uint8Array>;
  /** Ends the reading where it could take long without a row: its reason is thrown. */
  readonly signal: AbortSignal;
}

/** A row as its format has it. `row` is its number as a person counts. */
export interface RawRow {
  readonly row: number;
  /** By column; what a row says nothing of is left out. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Reports what is wrong in a file. */
export type Refuse = (row: number | null, field: string | null, details: string) => void;

/**
 * Reads the rows of a file, in sequence. Throws `FilesRefused` where it can't go on.
 *
 * @param refuse called for what is wrong and lets the rest be read
 */
export type FormatReader = (file: FileToRead, refuse: Refuse) => AsyncIterable<RawRow>;
