import type { Row, SheetColumn } from '#files/rows.js';
import type { Sheet } from '#files/format-writer.js';
import { cellsOf } from '#files/xlsx/write-xlsx.js';
import type { QueryResult, CompletedQuery, Value } from './engine.js';
import { type MemberType, reportingModel } from './model.js';
import { type CheckedQuery, columnsOf, inColumnOrder } from './query.js';

/** The column that names the compared range of a row. */
const RANGE_COLUMN = 'compareDateRange';

/** Number of rows that are passed to a writer at once. */
const BATCH = 500;

const TYPES: Readonly<Record<MemberType, SheetColumn['type']>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  time: 'text',
};

/** Columns whose longest text exceeds a spreadsheet cell, and the number of cells that it needs. */
function longColumns(completed: readonly CompletedQuery[]): Map<string, number> {
  const cells = new Map<string, number>();
  for (const { result } of completed)
    for (const row of result.rows)
      for (const [name, value] of Object.entries(row)) {
        const count = typeof value === 'string' ? cellsOf(value) : 1;
        if (count > (cells.get(name) ?? 1)) cells.set(name, count);
      }
  return cells;
}

/** The columns of an exported result, named like the members, with the preferred ones first. */
export function sheetOf(
  { queries, compared }: CheckedQuery,
  completed: readonly CompletedQuery[],
  columnOrder: readonly string[] = [],
): Sheet {
  const { members } = reportingModel();
  const [query] = queries;
  const names = query ? columnsOf(query) : [];
  const ordered = [...(compared ? [RANGE_COLUMN] : []), ...inColumnOrder(names, columnOrder)];
  const columns = ordered.map((name): SheetColumn => ({ name, type: TYPES[members.get(name)?.type ?? 'string'] }));
  return { model: 'Report', columns, cells: longColumns(completed) };
}

/** The number in an exported file: `3.50` becomes 3.5. A value that is not a finite number leaves the cell empty. */
const numberOf = (value: Value): number | null => (Number.isFinite(Number(value)) ? Number(value) : null);

/** The rows of a result in the format of the file writers. */
export async function* sheetRows(
  { columns }: Sheet,
  { compared }: CheckedQuery,
  completed: readonly CompletedQuery[],
): AsyncGenerator<readonly Row[], void, undefined> {
  for (const [index, { result }] of completed.entries()) {
    const range = compared?.[index]?.map((time) => time.slice(0, 10)).join(' – ') ?? null;
    const cell = (row: QueryResult['rows'][number], { name, type }: SheetColumn): Value | number => {
      const value = name === RANGE_COLUMN ? range : (row[name] ?? null);
      return type === 'number' && value !== null ? numberOf(value) : value;
    };
    for (let start = 0; start < result.rows.length; start += BATCH)
      yield result.rows.slice(start, start + BATCH).map((row) => columns.map((column) => cell(row, column)));
  }
}
