import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { FormatReader } from './format-reader.js';
import { checkHeader } from './header.js';
import { unreadable } from './import-failure.js';
import { LIMITS } from './limits.js';
import { utf8 } from './utf8.js';

/** The header is row 1. */
const HEADER = 1;

/** Takes off the sign that keeps a spreadsheet from running a text. */
const unescaped = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell);

/** RFC 4180 in UTF-8, with a row of column names. Rows without anything in them are left out. */
export const readCsv: FormatReader = async function* ({ name, columns, content }, refuse) {
  const parser = parse({ relax_column_count: true, max_record_size: LIMITS.row });
  const text = Readable.from(utf8(name, content), { objectMode: false });
  // Errors of the text reach the reader below by way of the parser.
  text.once('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let names: readonly string[] | undefined;
  let row = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1;
      if (!names) {
        names = cells.map((cell) => cell.trim());
        checkHeader(name, HEADER, names, columns);
      } else if (cells.length > 1 || cells[0] !== '') {
        if (cells.length === names.length)
          yield { row, values: Object.fromEntries(names.map((column, n) => [column, unescaped(cells[n] ?? '')])) };
        else refuse(row, null, `The row has ${cells.length} cells, and the header ${names.length}.`);
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unreadable(name, `This is no CSV: ${reasonOf(error)}`, row + 1);
  } finally {
    text.destroy();
  }
  if (!names) throw unreadable(name, 'The file is empty: it must begin with a row of column names.');
};

const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell does not end.',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell goes on behind its closing quote.',
  INVALID_OPENING_QUOTE: 'a cell has a quote in its middle and is not quoted itself.',
  CSV_MAX_RECORD_SIZE: 'a row is larger than 16 MiB.',
};

const reasonOf = ({ code, message }: CsvError): string => REASONS[code] ?? message.slice(0, 200);
