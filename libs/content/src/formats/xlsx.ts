import { ZipError } from 'hucre';
import { type ColumnDef, writeXlsxStream } from 'hucre/xlsx';
import { ExportFailure } from '../export/export-failure.js';
import { type CellValue, type FormatWriter, type Sheet, valuesOf } from './format-writer.js';

/** Greatest number of UTF-16 units that a cell of a spreadsheet holds. */
export const CELL_LENGTH = 32_767;

/** Cells that a long text always has room for: as many as the longest text that the API takes needs in most scripts. */
export const CELLS_OF_LONG_TEXTS = 4;

type Cell = string | number | boolean | null;

/** The name of a column's n-th cell: `text`, `text__2`, … */
export const cellName = (column: string, n: number): string => (n === 1 ? column : `${column}__${n}`);

/** What readers would take for an escaped character, with its underscore escaped. */
const ESCAPE_LIKE = /_(?=x[0-9A-Fa-f]{4}_)/g;
/** Not allowed in XML, and not escaped by the library. */
const NON_CHARACTERS = /[\ufffe\uffff]/g;

/** A text as the cells that it takes; none splits a pair of surrogates. */
function pieces(text: string): readonly string[] {
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
export const cellsOf = (text: string): number => (text.length <= CELL_LENGTH ? 1 : pieces(text).length);

const escaped = (text: string): string =>
  text
    .replace(ESCAPE_LIKE, '_x005F_')
    .replace(NON_CHARACTERS, (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase()}_`);

/** Adds a value to a row, as exactly `count` cells. */
function addCells(row: Cell[], name: string, value: CellValue | undefined, count: number): void {
  const end = row.length + count;
  if (typeof value === 'number' || typeof value === 'boolean' || value === '') row.push(value);
  else if (value !== null && value !== undefined)
    for (const piece of pieces(typeof value === 'string' ? value : JSON.stringify(value))) row.push(escaped(piece));
  if (row.length > end) throw new Error(`${name} has a value that was not expected to be so long.`);
  while (row.length < end) row.push(null);
}

async function* rowsOf({ columns, cells: counts }: Sheet, batches: AsyncIterable<readonly string[]>) {
  for await (const rows of batches)
    for (const json of rows) {
      const values = valuesOf(json);
      const row: Cell[] = [];
      for (const { name } of columns) addCells(row, name, values[name], counts.get(name) ?? 1);
      yield row;
    }
}

/** One sheet with a frozen row of column names. Numbers, booleans and texts are typed: no text is run or turned into a date. */
export const xlsxWriter: FormatWriter = {
  // The file is an archive itself, which is as small as it gets.
  compression: 1,
  async *write(sheet, batches) {
    const columns = sheet.columns.flatMap(({ name }) =>
      Array.from({ length: sheet.cells.get(name) ?? 1 }, (_, n): ColumnDef => ({ header: cellName(name, n + 1) })),
    );
    try {
      yield* writeXlsxStream(rowsOf(sheet, batches), { name: sheet.model, columns, freezePane: { rows: 1 } });
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
      throw new ExportFailure('A spreadsheet would pass 4 GiB, which it can not hold. Choose another format.', {
        cause: error,
      });
    }
  },
};
