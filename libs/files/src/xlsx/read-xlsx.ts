import { CELL_LENGTH, cellName } from './write-xlsx.js';
import type { FileToRead, FormatReader, RawRow, ReportError } from '../format-reader.js';
import { checkHeader } from '../header.js';
import { unreadable } from '../invalid-files.js';
import { LIMITS, mebibytes } from '../limits.js';
import { ReaderThread, type ThreadBounds } from '../reader-thread.js';
import type { SheetRow, SpreadsheetAnswer, SpreadsheetQuestion } from './spreadsheet-rows.js';

const HEADER = 1;

const BOUNDS: ThreadBounds = {
  seconds: LIMITS.spreadsheetSeconds,
  fileSeconds: LIMITS.spreadsheetFileSeconds,
  memoryMebibytes: LIMITS.spreadsheetMemory,
};

/** Reads the first sheet and its continuations `<model>_2`, …; the first row of each has the column names. */
export const readXlsx: FormatReader = async function* (file, report) {
  const { name, model, content, signal } = file;
  const thread = new ReaderThread(name, 'xlsx/xlsx-thread', 'The spreadsheet', signal, BOUNDS);
  const ask = (question: SpreadsheetQuestion, memory: ArrayBuffer[] = []): Promise<SpreadsheetAnswer> =>
    thread.ask(question, null, memory);
  try {
    const bytes = await readAll(name, content);
    await ask({ file: name, bytes }, [bytes.buffer]);
    let isEmpty = true;
    let sheet: string | null = null;
    for (let n = 2; ; n += 1) {
      let columnCells: readonly ColumnCells[] | undefined;
      for (let { rows } = await ask({ sheet }); rows.length; { rows } = await ask({ sheet }))
        for (const row of rows) {
          if (columnCells) yield* readRow(columnCells, row, report);
          else columnCells = cellsOfColumns(file, row, report);
        }
      if (!columnCells) break;
      isEmpty = false;
      sheet = `${model}_${n}`;
    }
    if (isEmpty) throw unreadable(name, 'The sheet is empty: it must begin with a row of column names.');
  } finally {
    await thread.close();
  }
};

async function readAll(name: string, content: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > LIMITS.spreadsheet)
      throw unreadable(name, `The spreadsheet is larger than ${mebibytes(LIMITS.spreadsheet)}. Choose another format.`);
    chunks.push(chunk);
  }
  // A separate buffer, whose ownership can be transferred to the thread.
  const buffer = new Uint8Array(size);
  let end = 0;
  for (const chunk of chunks) {
    buffer.set(chunk, end);
    end += chunk.length;
  }
  return buffer;
}

/** The cells of a column's values: a first one, and further ones for long texts. */
interface ColumnCells {
  readonly column: string;
  readonly first: number;
  readonly further: readonly number[];
}

function cellsOfColumns(file: FileToRead, { values }: SheetRow, report: ReportError): ColumnCells[] {
  const names = Array.from(values, (cell) => String(cell ?? '').trim());
  while (names.at(-1) === '') names.pop();
  const pieces = names.map((text) => {
    const [, column = text, n] = /^(.+)__(\d+)$/.exec(text) ?? [];
    return { column, n: n === undefined ? 1 : Number(n) };
  });
  checkHeader(
    file,
    HEADER,
    pieces.filter(({ n }) => n === 1).map(({ column }) => column),
    report,
  );
  const indexByName = new Map(pieces.map(({ column, n }, index) => [cellName(column, n), index]));
  for (const { column, n } of pieces)
    if (n > 1 && !indexByName.has(cellName(column, n - 1)))
      throw unreadable(
        file.name,
        `The column "${cellName(column, n)}" has no "${cellName(column, n - 1)}" before it.`,
        HEADER,
      );
  return pieces.flatMap(({ column, n }, first) => {
    const further = pieces
      .flatMap((piece, index) => (piece.column === column && piece.n > 1 ? [{ ...piece, index }] : []))
      .sort((a, b) => a.n - b.n)
      .map(({ index }) => index);
    return n === 1 ? [{ column, first, further }] : [];
  });
}

function* readRow(
  columnCells: readonly ColumnCells[],
  { number: row, values: cells }: SheetRow,
  report: ReportError,
): Generator<RawRow> {
  if (!cells.length) return;
  const values = valuesOf(columnCells, cells);
  if (typeof values === 'string') report(row, null, values);
  else yield { row, values };
}

/** The values of a row by column, or an error message. */
function valuesOf(columnCells: readonly ColumnCells[], cells: SheetRow['values']): Record<string, unknown> | string {
  const values: Record<string, unknown> = {};
  const isTooLong = (cell: unknown): boolean => typeof cell === 'string' && cell.length > CELL_LENGTH;
  for (const { column, first, further } of columnCells) {
    let value = cells[first] ?? null;
    if (isTooLong(value)) return `A cell of "${column}" has more than ${CELL_LENGTH} characters.`;
    for (const cellIndex of further) {
      const piece = cells[cellIndex];
      if (piece === undefined || piece === null) continue;
      if (typeof value !== 'string' || typeof piece !== 'string') return `The cells of "${column}" are not one text.`;
      if (isTooLong(piece)) return `A cell of "${column}" has more than ${CELL_LENGTH} characters.`;
      value += piece;
    }
    values[column] = value;
  }
  return values;
}
