import { type CellValue, type FormatWriter, valuesOf } from './format-writer.js';

const LINE_END = '\r\n';

/** What makes a spreadsheet run a cell, and the sign that keeps it from doing so. */
const ACTIVE = /^[=+\-@\t\r']/;

/** Characters that a cell can only hold in quotes; blanks at its ends, since some readers trim. */
const QUOTED = /[",\r\n]|^\s|\s$/;

/** A text that no spreadsheet runs. */
export const escapeFormula = (text: string): string => (ACTIVE.test(text) ? `'${text}` : text);

const quote = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function cell(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quote(escapeFormula(value));
  // Numbers and booleans are their JSON too, and need no quotes.
  return typeof value === 'object' ? quote(JSON.stringify(value)) : String(value);
}

/** RFC 4180 in UTF-8, with a row of column names. */
export const csvWriter: FormatWriter = {
  compression: 6,
  async *write({ columns }, batches) {
    yield columns.map(({ name }) => quote(name)).join(',') + LINE_END;
    for await (const rows of batches) {
      let text = '';
      for (const json of rows) {
        const values = valuesOf(json);
        let separator = '';
        for (const { name } of columns) {
          text += separator + cell(values[name]);
          separator = ',';
        }
        text += LINE_END;
      }
      yield text;
    }
  },
};
