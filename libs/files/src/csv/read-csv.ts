import { pipeline, Readable } from 'node:stream';
import { CsvError, type CsvErrorCode, Parser } from 'csv-parse';
import type { FormatReader } from '../format-reader.js';
import { checkHeader } from '../header.js';
import { unreadable } from '../invalid-files.js';
import { LIMITS, mebibytes } from '../limits.js';
import { utf8 } from '../utf8.js';

/** The header is row 1. */
const HEADER = 1;
/** Quoted names may contain commas, so the number of commas may exceed the number of columns by this factor. */
const NAMES_WITH_COMMAS = 4;

/** Removes the apostrophe that prevents a spreadsheet from running a text as a formula. */
const unescaped = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell);

/** Rejects a header with far too many columns before it is parsed. */
async function* withBoundedHeader(name: string, text: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let commas = 0;
  let isHeader = true;
  for await (const piece of text) {
    if (isHeader) {
      const end = piece.search(/[\r\n]/);
      isHeader = end < 0;
      commas += piece.slice(0, isHeader ? piece.length : end).split(',').length - 1;
      if (commas > LIMITS.columns * NAMES_WITH_COMMAS)
        throw unreadable(name, `The file has more than ${commas} columns; the limit is ${LIMITS.columns}.`, HEADER);
    }
    yield piece;
  }
}

/** Reads RFC 4180 in UTF-8, with a row of column names. Empty rows are skipped. */
export const readCsv: FormatReader = async function* (file, report) {
  const { name, content } = file;
  let names: readonly string[] | undefined;
  let row = 0;
  for await (const cells of rowsOf(name, withBoundedHeader(name, utf8(name, content)))) {
    row += 1;
    if (!names) {
      names = cells.map((cell) => cell.trim());
      checkHeader(file, HEADER, names, report);
    } else if (cells.length > 1 || cells[0] !== '') {
      if (cells.length === names.length)
        yield { row, values: Object.fromEntries(names.map((column, n) => [column, unescaped(cells[n] ?? '')])) };
      else report(row, null, `The row has ${cells.length} cells, but the header has ${names.length}.`);
    }
  }
  if (!names) throw unreadable(name, 'The file is empty: it must begin with a row of column names.');
};

/** Explanations of the parser's error codes. The parser expects every line to end like the first one. */
const MESSAGES: Readonly<Partial<Record<CsvErrorCode, string>>> = {
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell is followed by text.',
  INVALID_OPENING_QUOTE: 'an unquoted cell contains a quote.',
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell is not closed.',
  CSV_MAX_RECORD_SIZE: `a row is larger than ${mebibytes(LIMITS.row)}.`,
};

/** The rows of a table in RFC 4180, each as a list of cells. */
export async function* rowsOf(name: string, text: AsyncIterable<string>): AsyncGenerator<string[], void, undefined> {
  const parser = new Parser({ relax_column_count: true, max_record_size: LIMITS.row });
  // Errors of the text stream reach the reader through the parser.
  pipeline(Readable.from(text), parser, () => undefined);
  let count = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      count += 1;
      yield cells;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unreadable(name, `The file is not valid CSV: ${MESSAGES[error.code] ?? error.message}`, count + 1);
  }
}
