import { compact, type FormatWriter, type Row } from './format-writer.js';

const LINE_END = '\r\n';

/** What makes a spreadsheet run a cell, and the sign that keeps it from doing so. */
const ACTIVE = /^[=+\-@\t\r']/;

/** Characters that a cell can only hold in quotes. */
const QUOTED = /[",\r\n]/;

/** A text that no spreadsheet runs. */
export const escapeFormula = (text: string): string => (ACTIVE.test(text) ? `'${text}` : text);

/** In quotes where it needs them, as for blanks at its ends, since some readers trim. */
const quote = (text: string): string =>
  QUOTED.test(text) || text.trim() !== text ? `"${text.replace(/"/g, '""')}"` : text;

function cell(value: Row[number]): string {
  if (typeof value === 'string') return quote(escapeFormula(value));
  if (value === null) return '';
  // Numbers and booleans are their JSON too, and need no quotes.
  return typeof value === 'object' ? quote(compact(value)) : String(value);
}

const line = (row: Row): string => row.map(cell).join(',') + LINE_END;

/** RFC 4180 in UTF-8, with a row of column names. */
export const csvWriter: FormatWriter = {
  compression: 6,
  async *write({ columns }, batches) {
    yield columns.map(({ name }) => quote(name)).join(',') + LINE_END;
    for await (const rows of batches) yield rows.map(line).join('');
  },
};
