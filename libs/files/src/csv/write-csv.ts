import { stringify } from 'csv-stringify/sync';
import type { RowValue, SheetColumn } from '../rows.js';
import { guarded } from './formula-guard.js';
import { compact, type FormatWriter } from '../format-writer.js';

/**
 * Values that are quoted in addition to those of RFC 4180: semicolons and tabs separate cells in locales with a decimal
 * comma, and some readers trim blanks.
 */
const QUOTED = /[;\t]|^\s|\s$/;

const OPTIONS = { record_delimiter: '\r\n', quote_record_delimiter: true, quoted_match: [QUOTED] };

const cellOf = (value: RowValue, { type }: SheetColumn): string => {
  if (value === null) return '';
  if (typeof value === 'object') return compact(value);
  const text = String(value);
  return type === 'text' ? guarded(text) : text;
};

/**
 * Writes RFC 4180 in UTF-8, with a row of column names. Texts are escaped so that no spreadsheet runs them as formulas.
 */
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
