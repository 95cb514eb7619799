import { sql } from 'kysely';
import { type Expression, type QueryContext, resolve, type Sql } from './query-context.js';
import type { Projection } from './projection.js';
import { selectWithPage, unionOf } from './statements.js';

/** The source, order and columns of a full read. */
export interface RowSet {
  readonly source: Projection['source'];
  readonly order: readonly Sql[];
  readonly sql: Readonly<Record<string, Expression>>;
}

/**
 * Merges the branches of the source. Each one is ordered on its own, so that its index is used and merging needs no
 * sort.
 */
const unionOfBranches = (rows: RowSet, context: QueryContext, select: Sql, order = sql``): Sql =>
  unionOf(rows.source(context), ({ table, where }) => sql`SELECT ${select} FROM ${table} item WHERE ${where} ${order}`);

/** Selects every visible row, in order, with one column for each named expression. */
export const selectEveryRow = (rows: RowSet, context: QueryContext): Sql => {
  const columns = Object.entries(rows.sql).map(
    ([name, expression]) => sql`${resolve(expression, context)} AS ${sql.ref(name)}`,
  );
  const order = sql`ORDER BY ${sql.join(rows.order)}`;
  const ordered = sql`SELECT * FROM ${unionOfBranches(rows, context, sql`item.*`, order)} item ${order}`;
  return selectWithPage(ordered, sql.join(columns));
};

/** Counts the visible rows. */
export const countRows = (rows: RowSet, context: QueryContext): Sql =>
  sql`(SELECT count(*) FROM ${unionOfBranches(rows, context, sql`1`)} item)`;
