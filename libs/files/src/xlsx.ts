import { FileTooLarge } from './file-too-large.js';
import { zip } from './zip.js';
import type { Row } from './rows.js';
import { compact, type FormatWriter, type Sheet } from './format-writer.js';
import { type Rows, valuesOf } from './rows.js';
import { type SheetCell, type SheetRow, workbookEntries } from './workbook.js';

/** Greatest number of UTF-16 units that a cell of a spreadsheet holds. */
export const CELL_LENGTH = 32_767;

/** Cells that a long text always has room for: as many as the longest text that the API takes needs in most scripts. */
export const CELLS_OF_LONG_TEXTS = 4;

/** What all files of a workbook say that they were last changed: a workbook is the same as long as its rows are. */
const UNCHANGING = new Date('1980-01-01T00:00:00Z');

/** The name of a column's n-th cell: `text`, `text__2`, … */
export const cellName = (column: string, n: number): string => (n === 1 ? column : `${column}__${n}`);

/** A text as the cells that it takes; none splits a pair of surrogates. */
function pieces(text: string): readonly string[] {
  if (text.length <= CELL_LENGTH) return [text];
  const found: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + CELL_LENGTH, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}

/** How many cells a text takes. */
export const cellsOf = (text: string): number => pieces(text).length;

/** Adds a value to the cells of a row, as exactly `count` of them. */
function addCells(cells: SheetCell[], name: string, value: Row[number], count: number): void {
  const end = cells.length + count;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') cells.push(value);
  else cells.push(...pieces(typeof value === 'string' ? value : compact(value)));
  if (cells.length > end) throw new Error(`${name} has a value that was not expected to be so long.`);
  while (cells.length < end) cells.push(null);
}

async function* cellRows(
  { columns, cells: counts }: Sheet,
  batches: AsyncIterable<Rows>,
): AsyncGenerator<readonly SheetRow[], void, undefined> {
  const places = columns.map(({ name }) => ({ name, count: counts.get(name) ?? 1 }));
  for await (const rows of batches)
    yield valuesOf(rows, columns).map((row) => {
      const cells: SheetCell[] = [];
      for (const [n, { name, count }] of places.entries()) addCells(cells, name, row[n] ?? null, count);
      return cells;
    });
}

/**
 * A sheet with a frozen row of column names, which goes on in further ones (`<name>_2`) where it is full. Numbers,
 * booleans and texts are typed: no text is run or turned into a date.
 */
export const xlsxWriter: FormatWriter = {
  // The file is an archive itself, which is as small as it gets.
  compression: 1,
  async *write(sheet, batches) {
    const header = sheet.columns.flatMap(({ name }) =>
      Array.from({ length: sheet.cells.get(name) ?? 1 }, (_, n) => cellName(name, n + 1)),
    );
    try {
      yield* zip(workbookEntries(sheet.model, header, cellRows(sheet, batches)), UNCHANGING);
    } catch (error) {
      if (!(error instanceof FileTooLarge)) throw error;
      throw new FileTooLarge('A spreadsheet would pass 4 GiB, which it can not hold. Choose another format.', {
        cause: error,
      });
    }
  },
};
