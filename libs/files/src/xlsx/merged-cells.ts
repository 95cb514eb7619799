import type { NoteInterpretation } from '../interpretation.js';
import type { CellMark } from './sheet-facts.js';
import type { SheetRow } from './spreadsheet-rows.js';

/** Where a column begins in a row. */
interface ColumnStart {
  readonly column: string;
  readonly first: number;
}

/**
 * Repeats the value of a cell that is merged over several rows in each of them, as people mean it: a spreadsheet stores
 * it in the first row only.
 *
 * @param previous the row above with its own merged cells filled; undefined below the header
 */
export function fillMerged(
  columns: readonly ColumnStart[],
  row: SheetRow,
  previous: SheetRow | undefined,
  note: NoteInterpretation | undefined,
): SheetRow {
  const { number, marks } = row;
  if (!marks) return row;
  const values = [...row.values];
  const others: Record<number, CellMark> = { ...marks };
  for (const { column, first } of columns) {
    const mark = marks[first];
    if (mark?.kind !== 'merged') continue;
    delete others[first];
    // Blank rows are skipped: the row above may belong to another cell.
    if (!previous || previous.number < Number(mark.text)) continue;
    const value = previous.values[first] ?? null;
    if (value === null || value === '') continue;
    while (values.length < first) values.push(null);
    values[first] = value;
    const above = previous.marks?.[first];
    if (above) others[first] = above;
    const details = 'An empty cell has the value of the cell above, with which it is merged.';
    note?.({ kind: 'merged cell', field: column, row: number, details });
  }
  return { number, values, ...(Object.keys(others).length && { marks: others }) };
}
