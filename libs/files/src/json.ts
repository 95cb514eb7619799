import type { SheetColumn } from './rows.js';
import { type FormatWriter, joined } from './format-writer.js';
import { isoTimeOf, textsOf } from './rows.js';

/** Numbers and booleans are JSON, and so are lists and objects, which stand as PostgreSQL wrote them. */
const asItIs = (text: string | null): string => text ?? 'null';

const VALUES: Readonly<Record<SheetColumn['type'], (text: string | null) => string>> = {
  text: JSON.stringify,
  timestamp: (time) => (time === null ? 'null' : `"${isoTimeOf(time)}"`),
  integer: asItIs,
  number: asItIs,
  boolean: asItIs,
  list: asItIs,
  json: asItIs,
};

/** One object `{model, columns, rows}`, with a line for each row. */
export const jsonWriter: FormatWriter = {
  compression: 6,
  async *write({ model, columns }, batches) {
    const members = columns.map(({ name, type }) => ({ name: JSON.stringify(name), valueOf: VALUES[type] }));
    const object = (texts: readonly (string | null)[]): string =>
      `,\n{${members.map(({ name, valueOf }, n) => `${name}:${valueOf(texts[n] ?? null)}`).join(',')}}`;
    const names = members.map(({ name }) => name).join(',');
    yield `{"model":${JSON.stringify(model)},"columns":[${names}],"rows":[`;
    let isEmpty = true;
    for await (const rows of batches) {
      if (!rows.places.length) continue;
      const objects = joined(textsOf(rows, columns.length).map(object));
      yield isEmpty ? objects.subarray(1) : objects;
      isEmpty = false;
    }
    yield isEmpty ? ']}\n' : '\n]}\n';
  },
};
