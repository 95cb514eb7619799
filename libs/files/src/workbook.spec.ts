import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readXlsx } from 'hucre/xlsx';
import { openArchive } from '#test/support/archives.js';
import { zip } from './zip.js';
import { type SheetRow, workbookEntries } from './workbook.js';

async function* inBatches(...batches: SheetRow[][]): AsyncGenerator<SheetRow[], void, undefined> {
  yield* batches;
}

const written = (mostRows: number, ...batches: SheetRow[][]): Promise<Buffer> =>
  buffer(Readable.from(zip(workbookEntries('things', ['id', 'n'], inBatches(...batches), mostRows), new Date(0))));

const rowsOf = async (workbook: Buffer): Promise<unknown[]> =>
  (await readXlsx(workbook)).sheets.map(({ name, rows }) => [name, rows]);

test('what does not go on a sheet goes on in further ones, each with its header', async () => {
  const header = ['id', 'n'];
  const batches: SheetRow[][] = [
    [['a', 1]],
    [],
    [
      ['b', 2],
      ['c', 3],
      ['d', 4],
    ],
    [['e', 5]],
  ];
  expect(await rowsOf(await written(3, ...batches))).toEqual([
    ['things', [header, ['a', 1], ['b', 2]]],
    ['things_2', [header, ['c', 3], ['d', 4]]],
    ['things_3', [header, ['e', 5]]],
  ]);
});

test('a sheet that is just full has no empty one after it', async () => {
  const full = await written(3, [
    ['a', 1],
    ['b', 2],
  ]);
  expect((await openArchive(full)).file('xl/worksheets/sheet2.xml')).toBeNull();
  expect(await rowsOf(await written(3))).toEqual([['things', [['id', 'n']]]]);
});

test('cells hold what they are given, and nothing where they are given nothing', async () => {
  const row: SheetRow = ['<a> & "b"', '', null, true, -1.5, ' \t\n ', 'x_x0041_y', '_x0041\r', 'a\rb'];
  const workbook = await buffer(
    Readable.from(zip(workbookEntries('things', Array.from(row, String), inBatches([row])), new Date(0))),
  );
  expect((await readXlsx(workbook)).sheets[0]?.rows[1]).toEqual(row);
});
