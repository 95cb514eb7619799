import type { CellValue } from 'hucre/xlsx';
import { FileTooLarge } from '../file-too-large.js';
import { compact, type FormatWriter, type Sheet } from '../format-writer.js';
import type { Row, RowValue } from '../rows.js';

/** Greatest number of UTF-16 units that a cell of a spreadsheet holds. */
export const CELL_LENGTH = 32_767;

/** Cells that a long text always has room for: as many as the longest text that the API takes needs in most scripts. */
export const CELLS_OF_LONG_TEXTS = 4;

/** The name of a column's n-th cell: `text`, `text__2`, … */
export const cellName = (column: string, n: number): string => (n === 1 ? column : `${column}__${n}`);

/** What XML does not allow, which is written as `_x0001_`. */
const UNWRITABLE = String.raw`\u0000-\u0008\u000b-\u001f\ufffe\uffff`;

/** What the library leaves as it is, and readers would take for such a character, or refuse. */
const UNESCAPED = new RegExp(`_(?=x[0-9A-Fa-f]{4}[_${UNWRITABLE}])|[\ufffe\uffff]`, 'g');

const escaped = (text: string): string =>
  text.replace(UNESCAPED, (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);

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

/** The cells of a value: exactly `count` of them. */
function cellsFor(value: RowValue, name: string, count: number): CellValue[] {
  if (typeof value !== 'string' && (value === null || typeof value !== 'object'))
    return [value, ...Array<null>(count - 1).fill(null)];
  const texts = pieces(typeof value === 'string' ? value : compact(value));
  if (texts.length > count) throw new Error(`${name} has a value that was not expected to be so long.`);
  return [...texts.map(escaped), ...Array<null>(count - texts.length).fill(null)];
}

async function* cellRows(
  { columns, cells }: Sheet,
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<CellValue[]> {
  const counts = columns.map(({ name }) => cells.get(name) ?? 1);
  yield columns.flatMap(({ name }, place) =>
    Array.from({ length: counts[place] ?? 1 }, (_, n) => cellName(name, n + 1)),
  );
  for await (const rows of batches)
    for (const row of rows)
      yield columns.flatMap(({ name }, place) => cellsFor(row[place] ?? null, name, counts[place] ?? 1));
}

/**
 * A sheet with a frozen row of column names, which goes on in further ones (`<name>_2`) where it is full. Numbers,
 * booleans and texts are typed: no text is run or turned into a date.
 */
export const xlsxWriter: FormatWriter = {
  // The file is an archive itself, which is as small as it gets.
  compression: 0,
  async *write(sheet, batches) {
    // Some megabytes that only who writes spreadsheets shall pay for.
    const [{ ZipError }, { writeXlsxStream }] = await Promise.all([import('hucre'), import('hucre/xlsx')]);
    const options = { name: sheet.model, freezePane: { rows: 1 }, inlineStrings: true };
    try {
      yield* writeXlsxStream(cellRows(sheet, batches), options);
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
      throw new FileTooLarge('A spreadsheet would pass 4 GiB, which it can not hold. Choose another format.', {
        cause: error,
      });
    }
  },
};
