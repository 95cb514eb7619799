const MEBIBYTE = 2 ** 20;

/** Upper bounds for files. Without them, memory or time would be unbounded: docs/use/imports.md. */
export const LIMITS = {
  /** Number of files in an archive. */
  entries: 64,
  /** Unpacked size of all files of an archive, in bytes. */
  unpacked: 1024 * MEBIBYTE,
  /** Maximum compression ratio, checked for files larger than `ratioFrom` bytes. */
  ratio: 200,
  ratioFrom: 8 * MEBIBYTE,
  columns: 500,
  /** Bytes of one row, in any format. */
  row: 16 * MEBIBYTE,
  /** Nesting levels of lists and objects in a value. */
  depth: 16,
  /** A spreadsheet is read into memory, so its size is limited. */
  spreadsheet: 64 * MEBIBYTE,
  spreadsheetEntries: 500,
  spreadsheetUnpacked: 512 * MEBIBYTE,
  /**
   * Bounds for the parts of a spreadsheet that are kept in memory: the shared texts, by size and number, and any other
   * part.
   */
  spreadsheetTextPart: 128 * MEBIBYTE,
  spreadsheetTexts: 4_000_000,
  spreadsheetPart: 8 * MEBIBYTE,
  spreadsheetSheets: 500,
  spreadsheetFormats: 65_536,
  /** Cells that show errors, or dates and times in an unusual way. */
  spreadsheetMarks: 500_000,
  /** The limit of Excel. */
  sheetRows: 1_048_576,
  /** Cells of all rows, each up to its last cell: the library creates an empty value for each cell that is missing. */
  spreadsheetCells: 20_000_000,
  /** Bounds for reading a spreadsheet: seconds for one step and for the whole file, and MiB of memory. */
  spreadsheetSeconds: 120,
  spreadsheetFileSeconds: 600,
  spreadsheetMemory: 384,
  /** Bytes of a row in YAML, which is parsed in one step; and of a YAML file whose rows are not a block list. */
  yamlRow: 4 * MEBIBYTE,
  yamlWhole: 8 * MEBIBYTE,
  /** Names, values and comments of one YAML document, and keys of a mapping in it. */
  yamlWords: 250_000,
  yamlKeys: 1000,
  /** Bounds for the YAML parser: seconds for one document and for the whole file, and MiB of memory. */
  yamlDocumentSeconds: 30,
  yamlFileSeconds: 300,
  yamlMemory: 256,
} as const;

/** `16 MiB`. */
export const mebibytes = (bytes: number): string => `${Math.floor(bytes / MEBIBYTE)} MiB`;

/** The file would exceed the maximum size of its format. The message is shown to the user, who can select less. */
export class FileTooLarge extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileTooLarge';
  }
}
