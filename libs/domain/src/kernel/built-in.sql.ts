import { type RawBuilder, sql } from 'kysely';
import type { Named } from '#query/expressions.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import type { Branch } from '#query/projection.js';

/** What an organization sees of such a kind, as a condition on one alias of its table: for subqueries. */
export const builtInOrCustom = (
  alias: string,
  { organization }: { readonly organization: number | Sql },
): RawBuilder<boolean> => {
  const owner = sql.ref(`${alias}.organization_id`);
  return sql`(${owner} IS NULL OR ${owner} = ${organization})`;
};

/** The public ids of all that an organization can name of a kind. */
export const itemIdsOf = (kind: string, reading: QueryContext): Named => ({
  id: sql`named.id`,
  entry: sql`named.item_id`,
  from: sql`${sql.table(kind)} named`,
  where: builtInOrCustom('named', reading),
});

/** Built-in rows of a table, and those of the organization: for kinds without versions. */
export const builtInAndCustom =
  (table: string) =>
  (reading: QueryContext): Branch[] => [{ table: sql.table(table), where: builtInOrCustom('item', reading) }];

/** Rows of a table that are the same for all organizations. */
export const sharedByAll = (table: string) => (): Branch[] => [{ table: sql.table(table), where: sql`true` }];

/** The integer id of a row of such a table: positive for built-in rows, negative for an organization's own. */
export const identityDbId = (alias: string): Sql =>
  sql`CASE WHEN ${sql.ref(`${alias}.organization_id`)} IS NULL THEN ${sql.ref(`${alias}.number`)}
    ELSE -${sql.ref(`${alias}.number`)} END`;

/** The order of ids: built-in before custom, numeric within each. */
export const identityOrder = [sql`(item.organization_id IS NOT NULL)`, sql`item.number`];

/** Internal ids of a kind for public ones, as far as the organization may see them. */
export const identitiesByItemId =
  (kind: string) =>
  (ids: readonly string[], reading: Pick<QueryContext, 'organization'>): Sql =>
    sql`SELECT id FROM ${sql.table(kind)} WHERE item_id = ANY(${ids}::text[]) AND ${builtInOrCustom(kind, reading)}`;
