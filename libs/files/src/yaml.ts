import type { Row, SheetColumn } from './rows.js';
import { compact, type FormatWriter, joined } from './format-writer.js';
import { valuesOf } from './rows.js';

/** Characters that YAML forbids, or that some readers take for line ends or marks; JSON leaves them as they are. */
const UNSAFE_CHARACTERS = String.raw`\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff`;
const UNSAFE = new RegExp(`[${UNSAFE_CHARACTERS}]`, 'g');

/** What the literal style can't hold, or holds in a way that is easily got wrong. */
const NOT_LITERAL = new RegExp(String.raw`[\u0000-\u0009\u000b-\u001f${UNSAFE_CHARACTERS}]|^[\s]|\n +(?:\n|$)|\n\n$`);

/** A text in quotes that stands as it is: nothing in it is escaped, or would have to be. */
export const PLAIN = new RegExp(String.raw`^"[^"\\\u0000-\u001f\ud800-\udfff${UNSAFE_CHARACTERS}]*"$`);

/** JSON is YAML but for a few characters. */
const flow = (json: string): string =>
  json.replace(UNSAFE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * A value as it stands behind its name. Texts of several lines stand as they are, indented; all others are quoted, so
 * that none is taken for something else.
 */
export function scalar(value: unknown): string {
  if (typeof value !== 'string' || !value.includes('\n') || NOT_LITERAL.test(value)) return flow(JSON.stringify(value));
  const ended = value.endsWith('\n');
  const lines = (ended ? value.slice(0, -1) : value).replace(/\n(?!\n)/g, '\n    ');
  return `${ended ? '|' : '|-'}\n    ${lines}`;
}

/** A row of a sequence: a member to a line. */
function item(columns: readonly SheetColumn[], row: Row): string {
  let text = '';
  let lead = '- ';
  for (const [n, { name }] of columns.entries()) {
    const value = row[n] ?? null;
    text += `${lead}${name}: ${typeof value === 'object' && value !== null ? flow(compact(value)) : scalar(value)}\n`;
    lead = '  ';
  }
  return text;
}

/** One mapping `{model, columns, rows}` without aliases or tags. */
export const yamlWriter: FormatWriter = {
  compression: 6,
  async *write({ model, columns }, batches) {
    yield `model: ${scalar(model)}\ncolumns: ${flow(JSON.stringify(columns.map(({ name }) => name)))}\nrows:`;
    let isEmpty = true;
    for await (const rows of batches) {
      if (!rows.places.length) continue;
      if (isEmpty) yield '\n';
      yield joined(valuesOf(rows, columns).map((row) => item(columns, row)));
      isEmpty = false;
    }
    if (isEmpty) yield ' []\n';
  },
};
