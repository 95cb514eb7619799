import { type RawBuilder, sql } from 'kysely';
import type { ReferencedRows } from '#query/expressions.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import type { Branch } from '#query/projection.js';

/** The condition that a row is built-in or belongs to the organization, for the alias of a table in a subquery. */
export const builtInOrCustom = (
  alias: string,
  { organization }: { readonly organization: number | Sql },
): RawBuilder<boolean> => {
  const owner = sql.ref(`${alias}.organization_id`);
  return sql`(${owner} IS NULL OR ${owner} = ${organization})`;
};

/** The public ids of the items of a kind that the organization sees. */
export const itemIdsOf = (kind: string, context: QueryContext): ReferencedRows => ({
  id: sql`named.id`,
  entry: sql`named.item_id`,
  from: sql`${sql.table(kind)} named`,
  where: builtInOrCustom('named', context),
});

/** A source of built-in rows and the organization's own, for kinds that can't be customized. */
export const builtInAndCustom =
  (table: string) =>
  (context: QueryContext): Branch[] => [{ table: sql.table(table), where: builtInOrCustom('item', context) }];

/** A source of rows that are the same for all organizations. */
export const sharedByAll = (table: string) => (): Branch[] => [{ table: sql.table(table), where: sql`true` }];

/** The integer id of a row: positive for built-in rows, negative for custom ones. */
export const identityDbId = (alias: string): Sql =>
  sql`CASE WHEN ${sql.ref(`${alias}.organization_id`)} IS NULL THEN ${sql.ref(`${alias}.number`)}
    ELSE -${sql.ref(`${alias}.number`)} END`;

/** The order of ids: built-in before custom, numeric within each. */
export const identityOrder = [sql`(item.organization_id IS NOT NULL)`, sql`item.number`];

/** Internal ids for public ones, limited to rows that the organization sees. */
export const identitiesByItemId =
  (kind: string) =>
  (ids: readonly string[], context: Pick<QueryContext, 'organization'>): Sql =>
    sql`SELECT id FROM ${sql.table(kind)} WHERE item_id = ANY(${ids}::text[]) AND ${builtInOrCustom(kind, context)}`;
