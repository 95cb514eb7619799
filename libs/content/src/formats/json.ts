import type { FormatWriter, Row } from './format-writer.js';

/** Lists and objects stand as PostgreSQL wrote them. */
const jsonOf = (value: Row[number]): string =>
  typeof value === 'object' && value !== null ? value.json : JSON.stringify(value);

/** One object `{model, columns, rows}`, with a line for each row. */
export const jsonWriter: FormatWriter = {
  compression: 6,
  async *write({ model, columns }, batches) {
    const names = columns.map(({ name }) => JSON.stringify(name));
    const object = (row: Row): string => `{${row.map((value, n) => `${names[n]}:${jsonOf(value)}`).join(',')}}`;
    yield `{"model":${JSON.stringify(model)},"columns":[${names.join(',')}],"rows":[`;
    let separator = '\n';
    for await (const rows of batches) {
      if (!rows.length) continue;
      yield separator + rows.map(object).join(',\n');
      separator = ',\n';
    }
    yield separator === '\n' ? ']}\n' : '\n]}\n';
  },
};
