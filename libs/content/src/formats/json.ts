import type { FormatWriter } from './format-writer.js';

/** One object `{model, columns, rows}`, with a line for each row. The rows are what PostgreSQL wrote. */
export const jsonWriter: FormatWriter = {
  compression: 6,
  async *write({ model, columns }, batches) {
    const names = columns.map(({ name }) => name);
    yield `{"model":${JSON.stringify(model)},"columns":${JSON.stringify(names)},"rows":[`;
    let separator = '\n';
    for await (const rows of batches) {
      if (!rows.length) continue;
      yield separator + rows.join(',\n');
      separator = ',\n';
    }
    yield separator === '\n' ? ']}\n' : '\n]}\n';
  },
};
