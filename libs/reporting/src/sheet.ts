import type { Column } from '#content/models/content-model.js';
import { text } from '#content/models/columns.js';
import type { Row, Sheet } from '#content/formats/format-writer.js';
import { cellsOf } from '#content/formats/xlsx.js';
import type { Found, Value } from './engine.js';
import { type Model, reportingModel } from './model.js';
import { columnsOf, type CheckedQuery, type ReportQuery } from './query.js';

/** The column that tells which of the compared ranges a row belongs to. */
const RANGE_COLUMN = 'compareDateRange';

/** Rows that are handed to a writer at once. */
const BATCH = 500;

interface Ran {
  readonly query: ReportQuery;
  readonly found: Found;
}

/** Columns with texts that are longer than one cell of a spreadsheet, with the cells that the longest of them takes. */
function longColumns(ran: readonly Ran[]): Map<string, number> {
  const cells = new Map<string, number>();
  for (const { found } of ran)
    for (const row of found.rows)
      for (const [name, value] of Object.entries(row)) {
        const count = typeof value === 'string' ? cellsOf(value) : 1;
        if (count > (cells.get(name) ?? 1)) cells.set(name, count);
      }
  return cells;
}

/** The columns of a file of this answer, named as the members are, in the order that is wished for. */
export function sheetOf(
  { queries, compared }: CheckedQuery,
  ran: readonly Ran[],
  columnOrder: readonly string[] = [],
): Sheet {
  const [query] = queries;
  const names = query ? columnsOf(query) : [];
  const place = (name: string): number => {
    const found = columnOrder.findIndex((wanted) => wanted === name || name.startsWith(`${wanted}.`));
    return found === -1 ? columnOrder.length : found;
  };
  const ordered = [...(compared ? [RANGE_COLUMN] : []), ...names.toSorted((a, b) => place(a) - place(b))];
  const columns = ordered.map((name): Column => ({ name, ...text('') }));
  return { model: 'Report', columns, cells: longColumns(ran) };
}

/** The rows of a sheet as the writers of files take them: numbers as numbers. */
export async function* sheetRows(
  { columns }: Sheet,
  { compared }: CheckedQuery,
  ran: readonly Ran[],
  model: Model = reportingModel(),
): AsyncGenerator<readonly Row[], void, undefined> {
  for (const [index, { query, found }] of ran.entries()) {
    const isNumber = new Map(columnsOf(query).map((name) => [name, model.members.get(name)?.type === 'number']));
    const value = (name: string, given: Value): Value | number =>
      isNumber.get(name) && typeof given === 'string' && Number.isFinite(Number(given)) ? Number(given) : given;
    const range = compared?.[index]?.map((time) => time.slice(0, 10)).join(' – ') ?? null;
    for (let start = 0; start < found.rows.length; start += BATCH)
      yield found.rows
        .slice(start, start + BATCH)
        .map((row) => columns.map(({ name }) => (name === RANGE_COLUMN ? range : value(name, row[name] ?? null))));
  }
}
