import type { SheetColumn } from './rows.js';
import { compact, type FormatWriter, joined } from './format-writer.js';
import { isoTimeOf, textsOf } from './rows.js';

const LINE_END = '\r\n';

/**
 * What makes a spreadsheet run a cell, and the sign that keeps it from doing so. Some take the full-width forms for the
 * signs, and some skip blanks before them.
 */
const ACTIVE = /^(?:[\t\r\n']|\s*[=+\-@＝＋－＠])/;

/**
 * Characters that a cell can only hold in quotes; semicolons and tabs separate cells where the decimal sign is a comma.
 */
const QUOTED = /[",;\t\r\n]/;

/** In quotes where it needs them, as for blanks at its ends, since some readers trim. */
const quote = (text: string): string =>
  QUOTED.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;

/** A text that no spreadsheet runs. */
const guarded = (text: string): string => quote(ACTIVE.test(text) ? `'${text}` : text);

const asItIs = (text: string): string => text;
const nested = (json: string): string => quote(compact({ json }));

const CELLS: Readonly<Record<SheetColumn['type'], (text: string) => string>> = {
  text: guarded,
  timestamp: isoTimeOf,
  integer: asItIs,
  number: asItIs,
  boolean: asItIs,
  list: nested,
  json: nested,
};

/** RFC 4180 in UTF-8, with a row of column names. */
export const csvWriter: FormatWriter = {
  compression: 6,
  async *write({ columns }, batches) {
    const cells = columns.map(({ type }) => CELLS[type]);
    const line = (texts: readonly (string | null)[]): string =>
      texts.map((text, n) => (text === null ? '' : cells[n]?.(text))).join(',') + LINE_END;
    yield columns.map(({ name }) => quote(name)).join(',') + LINE_END;
    for await (const rows of batches) yield joined(textsOf(rows, columns.length).map(line));
  },
};
