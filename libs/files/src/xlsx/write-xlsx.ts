import type { CellValue } from 'hucre/xlsx';
import { FileTooLarge } from '../limits.js';
import { compact, type FormatWriter, type Sheet } from '../format-writer.js';
import type { Row, RowValue } from '../rows.js';

/** The maximum number of UTF-16 code units in a spreadsheet cell. */
export const CELL_LENGTH = 32_767;

/** The number of cells reserved for a long text: enough for the longest text that the API accepts, in most scripts. */
export const CELLS_OF_LONG_TEXTS = 4;

/** The name of a column's n-th cell: `text`, `text__2`, … */
export const cellName = (column: string, n: number): string => (n === 1 ? column : `${column}__${n}`);

/** Characters that XML does not allow; they are written as `_x0001_`. */
const UNWRITABLE = String.raw`\u0000-\u0008\u000b-\u001f\ufffe\uffff`;

/**
 * Characters and sequences that the library does not escape, but that readers would reject or decode as such a
 * character.
 */
const UNESCAPED = new RegExp(`_(?=x[0-9A-Fa-f]{4}[_${UNWRITABLE}])|[\ufffe\uffff]`, 'g');

const escaped = (text: string): string =>
  text.replace(UNESCAPED, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);

/** Splits a text into cells, without splitting a surrogate pair. */
function pieces(text: string): readonly string[] {
  if (text.length <= CELL_LENGTH) return [text];
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + CELL_LENGTH, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** The number of cells that a text needs. */
export const cellsOf = (text: string): number => pieces(text).length;

/** The cells of a value, padded to exactly `count` cells. */
function cellsFor(value: RowValue, name: string, count: number): CellValue[] {
  if (typeof value !== 'string' && (value === null || typeof value !== 'object'))
    return [value, ...Array<null>(count - 1).fill(null)];
  const texts = pieces(typeof value === 'string' ? value : compact(value));
  if (texts.length > count) throw new Error(`${name} has a value that is longer than expected.`);
  return [...texts.map(escaped), ...Array<null>(count - texts.length).fill(null)];
}

async function* cellRows(
  { columns, cells }: Sheet,
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<CellValue[]> {
  const counts = columns.map(({ name }) => cells.get(name) ?? 1);
  yield columns.flatMap(({ name }, index) =>
    Array.from({ length: counts[index] ?? 1 }, (_, n) => cellName(name, n + 1)),
  );
  for await (const rows of batches)
    for (const row of rows)
      yield columns.flatMap(({ name }, index) => cellsFor(row[index] ?? null, name, counts[index] ?? 1));
}

/**
 * Writes a sheet with a frozen row of column names, and continues in further sheets (`<name>_2`) when it is full. Cells
 * are typed, so that texts are never run as formulas or turned into dates.
 */
export const xlsxWriter: FormatWriter = {
  // The file itself is a compressed archive.
  compression: 0,
  async *write(sheet, batches) {
    // The library takes some megabytes of memory, so it is only loaded when a spreadsheet is written.
    const [{ ZipError }, { writeXlsxStream }] = await Promise.all([import('hucre'), import('hucre/xlsx')]);
    const options = { name: sheet.model, freezePane: { rows: 1 }, inlineStrings: true };
    try {
      yield* writeXlsxStream(cellRows(sheet, batches), options);
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
      throw new FileTooLarge('The spreadsheet would exceed 4 GiB, the limit of its format. Choose another format.', {
        cause: error,
      });
    }
  },
};
