const MEBIBYTE = 2 ** 20;

/** What files may be at most. Beyond these, memory or time would not be bounded: docs/imports.md. */
export const LIMITS = {
  /** Files of an archive. */
  entries: 64,
  /** Bytes of all files of an archive once they are unpacked. */
  unpacked: 1024 * MEBIBYTE,
  /** How many times as large a file may get by being unpacked, where it is large at all. */
  ratio: 200,
  ratioFrom: 8 * MEBIBYTE,
  columns: 500,
  /** Bytes of one row, in any format. */
  row: 16 * MEBIBYTE,
  /** Levels of lists and objects in a value. */
  depth: 16,
  /** A spreadsheet is read from memory. */
  spreadsheet: 64 * MEBIBYTE,
  spreadsheetEntries: 500,
  spreadsheetUnpacked: 512 * MEBIBYTE,
  /**
   * Of a spreadsheet's parts that are kept in memory: the texts that cells share, by size and number, and any other.
   */
  spreadsheetTextPart: 128 * MEBIBYTE,
  spreadsheetTexts: 4_000_000,
  spreadsheetPart: 8 * MEBIBYTE,
  spreadsheetSheets: 500,
  spreadsheetFormats: 65_536,
  /** As Excel has them. */
  sheetRows: 1_048_576,
  /** What reading a spreadsheet may take: seconds for a step and for all of it, and MiB of memory. */
  spreadsheetSeconds: 120,
  spreadsheetFileSeconds: 600,
  spreadsheetMemory: 384,
  /** Of a row in YAML, which is parsed as a whole; and of a YAML file that does not have its rows as a block list. */
  yamlRow: 4 * MEBIBYTE,
  yamlWhole: 8 * MEBIBYTE,
  /** Names, values and comments of a document that the parser of YAML reads, and keys of a mapping in it. */
  yamlWords: 250_000,
  yamlKeys: 1000,
  /** What that parser may take: seconds for a document and for all of a file, and MiB of memory. */
  yamlDocumentSeconds: 30,
  yamlFileSeconds: 300,
  yamlMemory: 256,
} as const;

/** `16 MiB`. */
export const mebibytes = (bytes: number): string => `${Math.floor(bytes / MEBIBYTE)} MiB`;
