import { sql } from 'kysely';
import { countRows, selectEveryRow } from '#query/every-row.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { CELL_LENGTH, CELLS_OF_LONG_TEXTS } from '#files/xlsx/write-xlsx.js';
import type { Column, ModelDescription } from '../models/content-model.js';
import type { ExportRequest } from './export-request.js';
import type { Snapshot } from '../snapshot.js';

/** How much there is to write, which has to be known before the first row is. */
export interface ExportSize {
  readonly rows: number;
  /** How many cells of a spreadsheet the longest value of a column takes, by column. */
  readonly cells: ReadonlyMap<string, number>;
}

const leastCells = ({ long }: Column): number => (long ? CELLS_OF_LONG_TEXTS : 1);

/**
 * Whether values may need more than one cell. The API bounds all other texts far below; users and the like are short.
 */
const mayBeLong = ({ type, long, references }: Column): boolean =>
  long || type === 'list' || (type === 'json' && references !== undefined);

/** Length in UTF-16 units, exact only where it could matter. */
const length = (value: Sql): Sql => sql`CASE WHEN octet_length(${value}) <= ${sql.lit(CELL_LENGTH)} THEN 1
  ELSE char_length(${value}) + regexp_count(${value}, '[\\U00010000-\\U0010FFFF]') END`;

/** Counts the rows of a model and, for spreadsheets, measures its values. */
export async function exportSizeOf(
  snapshot: Snapshot,
  { columns, rows }: ModelDescription,
  { type, fileFormat }: Pick<ExportRequest, 'type' | 'fileFormat'>,
  reading: QueryContext,
): Promise<ExportSize> {
  const cells = new Map(columns.map((column) => [column.name, leastCells(column)]));
  if (type === 'template') return { rows: 0, cells };
  if (fileFormat !== 'xlsx') {
    const [counted] = await snapshot.rows(sql<{ count: string }>`SELECT ${countRows(rows, reading)} AS count`);
    return { rows: Number(counted?.count), cells };
  }
  const measuredColumns = columns.filter(mayBeLong);
  const lengths = measuredColumns.map(
    ({ name }) => sql`coalesce(max(${length(sql`${sql.ref(`r.${name}`)}::text`)}), 0)`,
  );
  const [measured] = await snapshot.rows(sql<{ count: string; lengths: number[] }>`
    SELECT count(*) AS count, ARRAY[${sql.join(lengths)}]::int[] AS lengths FROM (${selectEveryRow(rows, reading)}) r`);
  for (const [place, column] of measuredColumns.entries()) {
    // One unit of a cell may stay empty so that no pair of surrogates is split.
    const needed = Math.ceil((measured?.lengths[place] ?? 0) / (CELL_LENGTH - 1));
    cells.set(column.name, Math.max(leastCells(column), needed));
  }
  return { rows: Number(measured?.count), cells };
}
