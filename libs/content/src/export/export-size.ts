import type { ContentModel, ExportType, FileFormat } from '#domain/exchange/job/content-models.js';
import { sql } from 'kysely';
import { countRows, selectEveryRow } from '#query/every-row.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { CELL_LENGTH, CELLS_OF_LONG_TEXTS } from '#files/xlsx/write-xlsx.js';
import type { Column, ModelDescription } from '../models/content-model.js';
import type { Snapshot } from '../snapshot.js';

/** The parameters of an export. */
export interface ExportRequest {
  readonly organizationId: number;
  readonly type: ExportType;
  readonly fileFormat: FileFormat;
  readonly contentModels: readonly ContentModel[];
}

/** The size of an export, which must be known before the first row is written. */
export interface ExportSize {
  readonly rows: number;
  /** Number of spreadsheet cells that the longest value of a column needs, by column. */
  readonly cells: ReadonlyMap<string, number>;
}

const leastCells = ({ long }: Column): number => (long ? CELLS_OF_LONG_TEXTS : 1);

/** Whether values may exceed one cell. The API limits all other texts to far less; references are short. */
const mayBeLong = ({ type, long, references }: Column): boolean =>
  long || type === 'list' || (type === 'json' && references !== undefined);

/** Length in UTF-16 units; 1 for values that are certain to fit in a cell. */
const length = (value: Sql): Sql => sql`CASE WHEN octet_length(${value}) <= ${sql.lit(CELL_LENGTH)} THEN 1
  ELSE char_length(${value}) + regexp_count(${value}, '[\\U00010000-\\U0010FFFF]') END`;

/** Counts the rows of a model and, for spreadsheets, measures its longest values. */
export async function exportSizeOf(
  snapshot: Snapshot,
  { columns, rows }: ModelDescription,
  { type, fileFormat }: Pick<ExportRequest, 'type' | 'fileFormat'>,
  context: QueryContext,
): Promise<ExportSize> {
  const cells = new Map(columns.map((column) => [column.name, leastCells(column)]));
  if (type === 'template') return { rows: 0, cells };
  if (fileFormat !== 'xlsx') {
    const [counted] = await snapshot.rows(sql<{ count: string }>`SELECT ${countRows(rows, context)} AS count`);
    return { rows: Number(counted?.count), cells };
  }
  const measuredColumns = columns.filter(mayBeLong);
  const lengths = measuredColumns.map(
    ({ name }) => sql`coalesce(max(${length(sql`${sql.ref(`r.${name}`)}::text`)}), 0)`,
  );
  const [measured] = await snapshot.rows(sql<{ count: string; lengths: number[] }>`
    SELECT count(*) AS count, ARRAY[${sql.join(lengths)}]::int[] AS lengths FROM (${selectEveryRow(rows, context)}) r`);
  for (const [index, column] of measuredColumns.entries()) {
    // A cell may have one unit less, so that no surrogate pair is split.
    const needed = Math.ceil((measured?.lengths[index] ?? 0) / (CELL_LENGTH - 1));
    cells.set(column.name, Math.max(leastCells(column), needed));
  }
  return { rows: Number(measured?.count), cells };
}
