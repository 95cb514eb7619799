import { type ColumnDef, writeXlsxStream } from 'hucre/xlsx';
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
function* pieces(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + CELL_LENGTH, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}

const escaped = (text: string): string =>
  text
    .replace(ESCAPE_LIKE, '_x005F_')
    .replace(NON_CHARACTERS, (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase()}_`);

/** A value as exactly `count` cells. */
function cells(name: string, value: CellValue | undefined, count: number): Cell[] {
  const row: Cell[] = Array.from({ length: count }, () => null);
  if (value === null || value === undefined) return row;
  if (typeof value === 'number' || typeof value === 'boolean' || value === '') row[0] = value;
  else {
    const parts = [...pieces(typeof value === 'string' ? value : JSON.stringify(value))];
    if (parts.length > count) throw new Error(`${name} has a value that was not expected to be so long.`);
    for (const [n, part] of parts.entries()) row[n] = escaped(part);
  }
  return row;
}

async function* rowsOf({ columns, cells: counts }: Sheet, batches: AsyncIterable<readonly string[]>) {
  for await (const rows of batches)
    for (const json of rows) {
      const values = valuesOf(json);
      yield columns.flatMap(({ name }) => cells(name, values[name], counts.get(name) ?? 1));
    }
}

/** One sheet with a frozen row of column names. Numbers, booleans and texts are typed: no text is run or turned into a date. */
export const xlsxWriter: FormatWriter = {
  // The file is an archive itself, which is as small as it gets.
  compression: 1,
  write(sheet, batches) {
    const columns = sheet.columns.flatMap(({ name }) =>
      Array.from({ length: sheet.cells.get(name) ?? 1 }, (_, n): ColumnDef => ({ header: cellName(name, n + 1) })),
    );
    return writeXlsxStream(rowsOf(sheet, batches), { name: sheet.model, columns, freezePane: { rows: 1 } });
  },
};
