import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { selectEveryRow } from '#query/every-row.js';
import { type QueryContext, resolve } from '#query/query-context.js';
import { type RowValues, textOf } from '#files/cell-value.js';
import type { ModelDescription } from '../../models/content-model.js';

/**
 * The current rows of these items as an export would write them, by id, limited to the columns that an import writes.
 */
export async function currentRows(
  em: EntityManager,
  { columns, rows }: ModelDescription,
  ids: readonly string[],
  context: QueryContext,
): Promise<Map<string, RowValues>> {
  if (!ids.length) return new Map();
  const id = rows.sql.id;
  if (!id) throw new Error('A model has no id.');
  const importedColumns = new Set(columns.filter(({ readOnly }) => !readOnly).map(({ name }) => name));
  const type = sql.raw(columns[0]?.type === 'integer' ? 'int[]' : 'text[]');
  const selection = {
    source: (read: QueryContext) =>
      rows.source(read).map(({ table, where }) => ({
        table,
        where: sql`${where} AND ${resolve(id, read)} = ANY(${[...ids]}::${type})`,
      })),
    order: rows.order,
    sql: Object.fromEntries(Object.entries(rows.sql).filter(([name]) => importedColumns.has(name))),
  };
  const { rows: jsonRows } = await sql<{ json: string }>`
    SELECT row_to_json(r)::text AS json FROM (${selectEveryRow(selection, context)}) r`.execute(em.getKysely());
  return new Map(
    jsonRows.map(({ json }) => {
      const values: RowValues = JSON.parse(json);
      return [textOf(values.id), values];
    }),
  );
}
