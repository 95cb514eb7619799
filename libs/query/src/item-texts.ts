import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_ITEM_QUERY, type ParsedQuery } from './parameters.js';
import type { Field, Projection } from './projection.js';
import { type QueryContext, resolve, type Sql, type Scope } from './query-context.js';
import { conditionOf, fieldsOf, queryContextOf, selection, selectWithPage, unionOf } from './statements.js';

/** The row of one item, with these columns. */
function itemRow(
  declaration: Projection,
  query: ParsedQuery,
  context: QueryContext,
  { byKey, columns }: { readonly byKey: Sql; readonly columns: Sql },
): Sql {
  const condition = conditionOf(declaration, query, context);
  const rows = unionOf(
    declaration.source(context),
    ({ table, where }) => sql`SELECT item.* FROM ${table} item WHERE ${where} AND ${byKey} AND ${condition}`,
  );
  return selectWithPage(sql`SELECT * FROM ${rows} item`, columns);
}

/**
 * Whether the item's row and its default fields, as this query reads them, are those of a request without parameters.
 * An include without fields changes a default field.
 */
const keepsDefaults = ({ includes: declared = {} }: Projection, { includes, switches }: ParsedQuery): boolean =>
  !switches.has('show_original') &&
  !switches.has('absolute_urls') &&
  [...includes].every((name) => Object.keys(declared[name] ?? {}).length > 0);

/** The texts of an item, or null if the caller cannot see it or the query's filters exclude it. */
export interface ItemRow {
  readonly json: string | null;
  /** The text of the same item without query parameters; absent if it is the same. */
  readonly plain?: string;
}

/** A statement that returns the texts of the item with a key. It shows one state in both texts. */
export function itemTexts(
  declaration: Projection,
  query: ParsedQuery,
  scope: Scope,
  origin: string,
  byKey: Sql,
): RawBuilder<ItemRow> {
  const context = queryContextOf(scope, query, origin);
  const textOf = (asked: ParsedQuery, itsContext: QueryContext): Sql => {
    const columns = selection(declaration, asked, itsContext);
    return sql`(SELECT row_to_json(r)::text FROM (${itemRow(declaration, asked, itsContext, { byKey, columns })}) r)`;
  };
  if (!keepsDefaults(declaration, query))
    return sql<ItemRow>`SELECT ${textOf(query, context)} AS json,
      ${textOf(DEFAULT_ITEM_QUERY, queryContextOf(scope, DEFAULT_ITEM_QUERY, origin))} AS plain`;
  const fields = fieldsOf(declaration, query);
  const defaults = fieldsOf(declaration, DEFAULT_ITEM_QUERY);
  if (fields === defaults) return sql<ItemRow>`SELECT ${textOf(query, context)} AS json`;
  return twoTexts(fields, defaults, (columns) => itemRow(declaration, query, context, { byKey, columns }), context);
}

/** The texts of the requested fields and of the default ones, from one reading of the row. */
function twoTexts(
  fields: ReadonlyMap<string, Field>,
  defaults: ReadonlyMap<string, Field>,
  rowWith: (columns: Sql) => Sql,
  context: QueryContext,
): RawBuilder<ItemRow> {
  const columns = new Map([...new Set([...fields.values(), ...defaults.values()])].map((field, n) => [field, `f${n}`]));
  const objectOf = (members: ReadonlyMap<string, Field>): Sql =>
    sql`(SELECT row_to_json(r)::text FROM (SELECT ${sql.join(
      Array.from(members, ([name, field]) => sql`${sql.ref(`shown.${columns.get(field)}`)} AS ${sql.ref(name)}`),
    )}) r)`;
  const all = sql.join(
    Array.from(columns, ([field, column]) => sql`${resolve(field.sql, context)} AS ${sql.ref(column)}`),
  );
  // OFFSET 0 keeps the planner from computing a field once for each use of it.
  return sql<ItemRow>`SELECT ${objectOf(fields)} AS json, ${objectOf(defaults)} AS plain
    FROM (${rowWith(all)} OFFSET 0) shown`;
}
