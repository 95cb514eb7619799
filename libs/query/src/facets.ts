import { sql } from 'kysely';
import { jsonObject } from './expressions.js';
import type { ParsedQuery } from './parameters.js';
import type { Facet, Facets, Projection } from './projection.js';
import { type QueryContext, resolve, type Sql } from './query-context.js';
import * as schema from './schema.js';
import type { Schema } from './schema.js';
import { conditionOf, unionOf } from './statements.js';
import { escapeLike } from './values.js';

/** A facet shows the values that most rows have, up to this number. */
export const MAX_FACET_VALUES = 100;

/** The schema of `facets` in a list. */
export const facetsSchema = (facets: Facets): Schema => ({
  ...schema.object(
    Object.fromEntries(
      Object.entries(facets).map(([name, { schema: value }]) => [
        name,
        schema.list(schema.object({ value, label: schema.string(), count: schema.integer() })),
      ]),
    ),
  ),
  description:
    'Only with `include=facets`: the number of items for each value, the most frequent first, at most ' +
    `${MAX_FACET_VALUES} values. Each is counted with all filters except its own.`,
});

const key = sql.ref('key');

/**
 * Selects the facets of a list as one JSON object. The rows that match all other filters and the search are read once;
 * each facet then leaves out those that the filters of other facets exclude.
 */
export function selectFacets(
  declaration: Projection & { readonly facets: Facets },
  query: ParsedQuery,
  context: QueryContext,
): Sql {
  const facets = Object.entries(declaration.facets);
  const filtered = facets.filter(([name]) => query.conditions.some(({ filter }) => filter === name));
  const others = query.conditions.filter(({ filter }) => !Object.hasOwn(declaration.facets, filter));
  const conditionOfFacet = (name: string): Sql =>
    sql.join(
      query.conditions.flatMap(({ filter, holds }) => (filter === name ? [holds(context)] : [])),
      sql` AND `,
    );
  const columns = sql.join([
    ...facets.map(([name, { key: expression }]) => sql`${resolve(expression, context)} AS ${sql.ref(`key_${name}`)}`),
    ...filtered.map(([name]) => sql`(${conditionOfFacet(name)}) AS ${sql.ref(`matches_${name}`)}`),
  ]);
  const where = conditionOf(declaration, { ...query, conditions: others }, context);
  const candidates = unionOf(
    declaration.source(context),
    (branch) => sql`SELECT ${columns} FROM ${branch.table} item WHERE ${branch.where} AND ${where}`,
  );
  const members = facets.map(([name, facet]) => {
    const matches = filtered.flatMap(([other]) => (other === name ? [] : [sql.ref(`matches_${other}`)]));
    const words = query.facetSearch?.facet === name ? query.facetSearch.words : [];
    return [name, valuesOf(name, facet, matches, words, context)] as const;
  });
  return sql`WITH candidates AS MATERIALIZED ${candidates}
    SELECT ${jsonObject(Object.fromEntries(members))}::text AS json`;
}

/** The values of one facet as a JSON list; each word occurs in the value or in its label. */
function valuesOf(
  name: string,
  facet: Facet,
  matches: readonly Sql[],
  words: readonly string[],
  context: QueryContext,
): Sql {
  const { isList = false, value = () => key, label = (of: Sql) => sql`(${value(of, context)})::text` } = facet;
  const column = sql.ref(`key_${name}`);
  const keys = isList ? sql`candidates CROSS JOIN LATERAL unnest(${column}) AS one(key)` : sql`candidates`;
  const counts = sql`SELECT ${isList ? sql.ref('one.key') : column} AS key, count(*) AS count FROM ${keys}
    WHERE ${sql.join([...matches, sql`${isList ? sql.ref('one.key') : column} IS NOT NULL`], sql` AND `)}
    GROUP BY 1`;
  // A line break between both, which no word contains.
  const text = sql`concat_ws(E'\\n', ${value(key, context)}, ${label(key, context)})`;
  const isShown = words.map((word) => sql`${text} ILIKE ${`%${escapeLike(word)}%`}`);
  const shown = sql`SELECT key, count FROM (${counts}) counted
    ${words.length ? sql`WHERE ${sql.join(isShown, sql` AND `)}` : sql``}
    ORDER BY 2 DESC, 1 LIMIT ${sql.lit(MAX_FACET_VALUES)}`;
  const entry = jsonObject({ value: value(key, context), label: label(key, context), count: sql.ref('count') });
  return sql`(SELECT coalesce(json_agg(${entry} ORDER BY count DESC, key), '[]') FROM (${shown}) shown)`;
}
