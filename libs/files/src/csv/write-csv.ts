import { stringify } from 'csv-stringify/sync';
import type { RowValue, SheetColumn } from '../rows.js';
import { compact, type FormatWriter } from '../format-writer.js';

/**
 * What makes a spreadsheet run a cell, and the sign that keeps it from doing so. Some take the full-width forms for the
 * signs, and some skip blanks before them.
 */
const ACTIVE = /^(?:[\t\r\n']|\s*[=+\-@＝＋－＠])/;

/**
 * What is put in quotes besides what RFC 4180 asks for: semicolons and tabs separate cells where the decimal sign is a
 * comma, and some readers trim blanks.
 */
const QUOTED = /[;\t]|^\s|\s$/;

const OPTIONS = { record_delimiter: '\r\n', quote_record_delimiter: true, quoted_match: [QUOTED] };

const cellOf = (value: RowValue, { type }: SheetColumn): string => {
  if (value === null) return '';
  if (typeof value === 'object') return compact(value);
  const text = String(value);
  return type === 'text' && ACTIVE.test(text) ? `'${text}` : text;
};

/** RFC 4180 in UTF-8, with a row of column names. No spreadsheet runs its texts. */
export const csvWriter: FormatWriter = {
  compression: 3,
  async *write({ columns }, batches) {
    yield stringify([columns.map(({ name }) => name)], OPTIONS);
    for await (const rows of batches)
      yield stringify(
        rows.map((row) => columns.map((column, n) => cellOf(row[n] ?? null, column))),
        OPTIONS,
      );
  },
};
