import { CELL_LENGTH, cellName } from './write-xlsx.js';
import type { FileToRead, FormatReader, RawRow, ReportError } from '../format-reader.js';
import { errorOfCell } from '../cell-value.js';
import { checkHeader, columnNames } from '../header.js';
import type { NoteInterpretation } from '../interpretation.js';
import { unreadable } from '../invalid-files.js';
import { LIMITS, mebibytes } from '../limits.js';
import { ReaderThread, type ThreadBounds } from '../reader-thread.js';
import { chooseSheet, continuationOf, noteSheets } from './choose-sheet.js';
import { fillMerged } from './merged-cells.js';
import type { SheetRow, SpreadsheetAnswer, SpreadsheetQuestion } from './spreadsheet-rows.js';

const BOUNDS: ThreadBounds = {
  seconds: LIMITS.spreadsheetSeconds,
  fileSeconds: LIMITS.spreadsheetFileSeconds,
  memoryMebibytes: LIMITS.spreadsheetMemory,
};

/**
 * Reads one sheet and its continuations `<model>_2`, …; the first row of each that is not empty has the column names.
 */
export const readXlsx: FormatReader = async function* (file, report, note) {
  const { name, model, content, signal } = file;
  const thread = new ReaderThread(name, 'xlsx/xlsx-thread', 'The spreadsheet', signal, BOUNDS);
  const ask = (question: SpreadsheetQuestion, memory: ArrayBuffer[] = []): Promise<SpreadsheetAnswer> =>
    thread.ask(question, null, memory);
  try {
    const bytes = await readAll(name, content);
    const { sheets = [], is1904 = false } = await ask({ file: name, bytes }, [bytes.buffer]);
    const chosen = chooseSheet(model, sheets);
    noteSheets(model, sheets, chosen, note);
    if (is1904) note?.({ kind: 'date', field: null, row: null, details: 'Dates are counted from 1904.' });
    let isEmpty = true;
    let sheet = chosen?.name ?? null;
    for (let n = 2; ; n += 1) {
      let columnCells: readonly ColumnCells[] | undefined;
      let previous: SheetRow | undefined;
      for (let { rows } = await ask({ sheet }); rows.length; { rows } = await ask({ sheet }))
        for (const row of rows) {
          if (isBlank(row)) continue;
          if (columnCells) {
            const filled = fillMerged(columnCells, row, previous, note);
            yield* readRow(columnCells, filled, report);
            previous = filled;
          } else columnCells = cellsOfColumns(file, row, report, note);
        }
      if (!columnCells) break;
      isEmpty = false;
      sheet = continuationOf(model, n);
    }
    if (isEmpty) throw unreadable(name, 'The sheet is empty: it must begin with a row of column names.');
  } finally {
    await thread.close();
  }
};

const isBlank = ({ values, marks }: SheetRow): boolean =>
  Object.values(marks ?? {}).every(({ kind }) => kind === 'merged') &&
  values.every((value) => value === null || (typeof value === 'string' && value.trim() === ''));

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
export interface ColumnCells {
  readonly column: string;
  readonly first: number;
  readonly further: readonly number[];
}

function cellsOfColumns(
  file: FileToRead,
  { number: header, values }: SheetRow,
  report: ReportError,
  note: NoteInterpretation | undefined,
): ColumnCells[] {
  const names = columnNames(
    file,
    header,
    Array.from(values, (cell) => String(cell ?? '')),
    note,
  );
  const pieces = names.map((text) => {
    const [, column = text, n] = /^(.+)__(\d+)$/.exec(text) ?? [];
    return { column, n: n === undefined ? 1 : Number(n) };
  });
  checkHeader(
    file,
    header,
    pieces.filter(({ n }) => n === 1).map(({ column }) => column),
    report,
  );
  const indexByName = new Map(pieces.map(({ column, n }, index) => [cellName(column, n), index]));
  for (const { column, n } of pieces)
    if (n > 1 && !indexByName.has(cellName(column, n - 1)))
      throw unreadable(
        file.name,
        `The column "${cellName(column, n)}" has no "${cellName(column, n - 1)}" before it.`,
        header,
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
  { number: row, values: cells, marks }: SheetRow,
  report: ReportError,
): Generator<RawRow> {
  const values = valuesOf(columnCells, cells);
  if (typeof values === 'string') report(row, null, values);
  else yield { row, values, ...(marks && marked(columnCells, marks, values)) };
}

/** Replaces the values of dates by what the spreadsheet shows, and returns their columns, and the errors of others. */
function marked(
  columnCells: readonly ColumnCells[],
  marks: NonNullable<SheetRow['marks']>,
  values: Record<string, unknown>,
): Pick<RawRow, 'errors' | 'dates'> {
  const errors: Record<string, string> = {};
  const dates = new Set<string>();
  for (const { column, first, further } of columnCells)
    for (const index of [first, ...further]) {
      const mark = marks[index];
      if (mark?.kind === 'error') errors[column] = errorOfCell(mark.text);
      else if (mark?.kind === 'no result') errors[column] = NO_RESULT;
      else if (mark?.kind === 'date' && index === first) {
        values[column] = mark.text;
        dates.add(column);
      }
    }
  return { errors, dates };
}

const NO_RESULT =
  'The cell has a formula without a result. Open the file in a spreadsheet program, save it, and import it again.';

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
