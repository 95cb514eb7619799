import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readXlsx } from 'hucre/xlsx';
import type { Row } from '../rows.js';
import { xlsxWriter } from './write-xlsx.js';

test('cells contain the given values, and null and empty texts are preserved', async () => {
  const row: Row = ['<a> & "b"', '', null, true, -1.5, ' \t\n ', 'x_x0041_y', '_x0041\r', 'a\rb', '_x0041\ufffe\uffff'];
  async function* batches() {
    yield [row];
  }
  const columns = row.map((_, n) => ({ name: `c${n}`, type: 'text' as const }));
  const workbook = await buffer(Readable.from(xlsxWriter.write({ model: 'm', columns, cells: new Map() }, batches())));
  const { sheets } = await readXlsx(workbook);
  expect(sheets.map(({ name, rows }) => [name, rows])).toEqual([['m', [columns.map(({ name }) => name), row]]]);
});
