import type { Row, RowValue } from '../rows.js';
import type { FormatWriter } from '../format-writer.js';

/** Lists and objects are already JSON. */
const valueOf = (value: RowValue): string =>
  typeof value === 'object' && value !== null ? value.json : JSON.stringify(value);

/** Writes one object `{model, columns, rows}`, with a line for each row. */
export const jsonWriter: FormatWriter = {
  compression: 3,
  async *write({ model, columns }, batches) {
    const names = columns.map(({ name }) => JSON.stringify(name));
    yield `{"model":${JSON.stringify(model)},"columns":[${names.join(',')}],"rows":[`;
    const object = (row: Row): string =>
      `\n{${names.map((name, n) => `${name}:${valueOf(row[n] ?? null)}`).join(',')}}`;
    let lead = '';
    for await (const rows of batches) {
      if (!rows.length) continue;
      yield lead + rows.map(object).join(',');
      lead = ',';
    }
    yield lead === '' ? ']}\n' : '\n]}\n';
  },
};
