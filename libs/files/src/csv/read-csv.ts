import { pipeline, Readable } from 'node:stream';
import { CsvError, type CsvErrorCode, Parser } from 'csv-parse';
import { errorOfCell } from '../cell-value.js';
import type { FormatReader, RawRow, ReportError } from '../format-reader.js';
import { checkHeader, columnNames } from '../header.js';
import type { NoteInterpretation } from '../interpretation.js';
import { unreadable } from '../invalid-files.js';
import { LIMITS, mebibytes } from '../limits.js';
import { decodeCsv, detectDialect } from './csv-dialect.js';
import { isErrorValue, unguarded } from './formula-guard.js';

/**
 * Reads RFC 4180 with a row of column names, and what spreadsheet programs write in its place: other separators, line
 * ends and encodings. Empty rows are skipped.
 */
export const readCsv: FormatReader = async function* (file, report, note) {
  const { name, content } = file;
  const decodedText = decodeCsv(name, content, note);
  try {
    const { separator, text } = await detectDialect(file, decodedText, note);
    let names: readonly string[] | undefined;
    let row = 0;
    for await (const cells of rowsOf(name, text, separator)) {
      row += 1;
      if (names) yield* rowOf(names, cells, row, report, note);
      else if (cells.length > 1 || cells[0] !== '') {
        names = columnNames(file, row, cells, note);
        checkHeader(file, row, names, report);
      }
    }
    if (!names) throw unreadable(name, 'The file is empty: it must begin with a row of column names.');
  } finally {
    await decodedText.return();
  }
};

function* rowOf(
  names: readonly string[],
  cells: readonly string[],
  row: number,
  report: ReportError,
  note: NoteInterpretation | undefined,
): Generator<RawRow, void, undefined> {
  if (cells.every((cell) => cell.trim() === '') && (cells.length > 1 || cells[0] === '')) {
    if (cells.length > 1) note?.({ kind: 'empty row', field: null, row, details: 'Empty rows are skipped.' });
    return;
  }
  const count = cells.findLastIndex((cell) => cell !== '') + 1;
  if (cells.length < names.length || count > names.length) {
    const found = Math.max(count, Math.min(cells.length, names.length));
    report(row, null, `The row has ${found} cells, but the header has ${names.length}.`);
    return;
  }
  const errors: Record<string, string> = {};
  const values = Object.fromEntries(
    names.map((column, n) => {
      const cell = cells[n] ?? '';
      if (isErrorValue(cell)) errors[column] = errorOfCell(cell);
      return [column, unguarded(cell)];
    }),
  );
  yield { row, values, errors };
}

/** Explanations of the parser's error codes. */
const MESSAGES: Readonly<Partial<Record<CsvErrorCode, string>>> = {
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell is followed by text.',
  INVALID_OPENING_QUOTE: 'an unquoted cell contains a quote.',
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell is not closed.',
  CSV_MAX_RECORD_SIZE: `a row is larger than ${mebibytes(LIMITS.row)}.`,
};

/** The rows of a table in RFC 4180, each as a list of cells. Lines may end in CR LF, LF or CR. */
export async function* rowsOf(
  name: string,
  text: AsyncIterable<string>,
  separator = ',',
): AsyncGenerator<string[], void, undefined> {
  const parser = new Parser({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: LIMITS.row,
  });
  // Errors of the text stream reach the reader through the parser.
  pipeline(Readable.from(text), parser, () => undefined);
  try {
    yield* parser as AsyncIterable<string[]>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser is ahead of its reader, so it knows the row, and the reader does not.
    const row = parser.info.records + 1;
    throw unreadable(name, `The file is not valid CSV: ${MESSAGES[error.code] ?? error.message}`, row);
  }
}
