import { CsvRows } from './csv-rows.js';
import type { FormatReader } from './format-reader.js';
import { checkHeader } from './header.js';
import { unreadable } from './import-failure.js';
import { LIMITS } from './limits.js';
import { utf8 } from './utf8.js';

/** The header is row 1. */
const HEADER = 1;
/** A name in quotes may have a comma: only many times too many are refused by their number. */
const NAMES_WITH_COMMAS = 4;

/** Takes off the sign that keeps a spreadsheet from running a text. */
const unescaped = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell);

/** Refuses a header of far too many columns before it is taken apart. */
async function* narrow(name: string, text: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let commas = 0;
  let isHeader = true;
  for await (const piece of text) {
    if (isHeader) {
      const end = piece.search(/[\r\n]/);
      isHeader = end < 0;
      commas += piece.slice(0, isHeader ? piece.length : end).split(',').length - 1;
      if (commas > LIMITS.columns * NAMES_WITH_COMMAS)
        throw unreadable(name, `The file has more than ${commas} columns. It may have ${LIMITS.columns}.`, HEADER);
    }
    yield piece;
  }
}

/** RFC 4180 in UTF-8, with a row of column names. Rows without anything in them are left out. */
export const readCsv: FormatReader = async function* (file, refuse) {
  const { name, content } = file;
  let names: readonly string[] | undefined;
  let row = 0;
  for await (const cells of rowsOf(name, narrow(name, utf8(name, content)))) {
    row += 1;
    if (!names) {
      names = cells.map((cell) => cell.trim());
      checkHeader(file, HEADER, names, refuse);
    } else if (cells.length > 1 || cells[0] !== '') {
      if (cells.length === names.length)
        yield { row, values: Object.fromEntries(names.map((column, n) => [column, unescaped(cells[n] ?? '')])) };
      else refuse(row, null, `The row has ${cells.length} cells, and the header ${names.length}.`);
    }
  }
  if (!names) throw unreadable(name, 'The file is empty: it must begin with a row of column names.');
};

async function* rowsOf(name: string, text: AsyncIterable<string>): AsyncGenerator<string[], void, undefined> {
  const rows = new CsvRows(name);
  for await (const piece of text) yield* rows.take(piece);
  yield* rows.end();
}
