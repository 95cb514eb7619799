import { sql } from 'kysely';
import { escapeLike } from './values.js';
import type { ParsedQuery } from './parameters.js';
import { type Expression, type QueryContext, resolve, type Sql, type Scope } from './query-context.js';
import type { Branch, Field, Fields, Projection } from './projection.js';

/**
 * The query context of a caller and a query; without a query, the one of a request without parameters. `origin` is only
 * used with `absolute_urls`.
 */
export function readingOf(viewer: Scope, view: ParsedQuery | undefined, origin: string): QueryContext {
  return {
    organization: viewer.organizationId,
    user: viewer.id,
    flags: viewer.flags ?? new Set(),
    may: (permission) => viewer.isSuperUser === true || viewer.permissions?.has(permission) === true,
    within: viewer.within?.at(-1) ?? '',
    path: viewer.within ?? [],
    originals: view?.switches.has('show_original') ?? false,
    includes: view?.includes ?? new Set(),
    expands: view?.expands ?? new Set(),
    filtered: view?.filtered ?? new Map(),
    origin: view?.switches.has('absolute_urls') ? origin : '',
  };
}

/** The condition for one public id; null if the id has the wrong shape, so that the database need not be queried. */
export function keyCondition(declaration: Projection, id: string): Sql | null {
  const { shape, column, numeric, matches } = declaration.key;
  if (!shape.test(id)) return null;
  if (matches) return matches(id);
  return numeric ? sql`${column} = ${id}::bigint` : sql`${column} = ${id}`;
}

const usualFields = new WeakMap<Projection, ReadonlyMap<string, Field>>();

/** The requested fields by name, in the order of the declaration. */
export function fieldsOf(declaration: Projection, view: ParsedQuery): ReadonlyMap<string, Field> {
  let usual = usualFields.get(declaration);
  if (!usual) usualFields.set(declaration, (usual = new Map(Object.entries(declaration.fields))));
  const { includes, expands, excludes } = view;
  if (!includes.size && !expands.size && !excludes.size) return usual;
  const fields = new Map(usual);
  const add = (groups: Readonly<Record<string, Fields>> | undefined, chosen: ReadonlySet<string>) => {
    for (const [name, group] of Object.entries(groups ?? {}))
      if (chosen.has(name)) for (const [field, declared] of Object.entries(group)) fields.set(field, declared);
  };
  add(declaration.includes, includes);
  add(declaration.expands, expands);
  for (const name of excludes) fields.delete(name);
  return fields;
}

/** The requested fields as columns, for use in `shown`: the row is `item` and all rows are `page`. */
export function selection(declaration: Projection, view: ParsedQuery, reading: QueryContext): Sql {
  return sql.join(
    Array.from(
      fieldsOf(declaration, view),
      ([name, field]) => field.column ?? sql`${resolve(field.sql, reading)} AS ${sql.ref(name)}`,
    ),
  );
}

/** Selects columns of rows; the columns refer to a row as `item` and to all rows as `page`. */
export const shown = (rows: Sql, columns: Sql): Sql => sql`WITH page AS (${rows}) SELECT ${columns} FROM page item`;

/** The rows of all branches as one relation. At least one branch is required; duplicates are not removed. */
export function unionOf<B>(branches: readonly B[], select: (branch: B) => Sql): Sql {
  return sql`(${sql.join(
    branches.map((branch) => sql`(${select(branch)})`),
    sql` UNION ALL `,
  )})`;
}

/** The filters and the search as one condition on `item`; `true` without any. */
export function conditionOf(declaration: Projection, view: ParsedQuery, reading: QueryContext): Sql {
  const conditions = view.conditions.map((condition) => condition(reading));
  if (declaration.search && view.words.length) {
    const { text: expression, written = (word) => word } = declaration.search;
    const text = resolve(expression, reading);
    for (const word of view.words) {
      const forms = [...new Set([word, written(word)])];
      const found = forms.map((form) => sql`${text} ILIKE ${`%${escapeLike(form)}%`}`);
      conditions.push(sql`(${sql.join(found, sql` OR `)})`);
    }
  }
  return conditions.length ? sql.join(conditions, sql` AND `) : sql`true`;
}

function orderOf(declaration: Projection, view: ParsedQuery, reading: QueryContext): Sql {
  const terms = view.order.flatMap(({ name, descending }) =>
    (declaration.orderings[name] ?? []).map((expression: Expression) => ({ expression, descending })),
  );
  const last = view.order.at(-1)?.descending ?? false;
  for (const expression of declaration.key.order) terms.push({ expression, descending: last });
  return sql.join(
    terms.map(
      ({ expression, descending }) => sql`${resolve(expression, reading)} ${sql.raw(descending ? 'DESC' : 'ASC')}`,
    ),
  );
}

/** Builds the statements of one list: count and rows. */
export class ListQuery {
  private readonly branches: readonly Branch[];
  private readonly condition: Sql;
  private readonly order: Sql;

  constructor(
    private readonly declaration: Projection,
    private readonly view: ParsedQuery,
    private readonly reading: QueryContext,
  ) {
    this.branches = declaration.source(reading);
    this.condition = conditionOf(declaration, view, reading);
    this.order = orderOf(declaration, view, reading);
  }

  /** Whether neither a filter nor a search applies. */
  get takesAll(): boolean {
    return !this.view.conditions.length && !this.view.words.length;
  }

  /** Counts the rows of all pages. */
  count(): Sql {
    const { condition } = this;
    const counts = unionOf(
      this.branches,
      ({ table, where }) => sql`SELECT count(*) AS n FROM ${table} item WHERE ${where} AND ${condition}`,
    );
    return sql`(SELECT sum(n) FROM ${counts} counts)`;
  }

  /**
   * Selects one JSON text per row, in order. With a limit, each branch is ordered and limited on its own, so that it
   * can use its own index, and fields are computed only for the remaining rows. Limits are literals: if PostgreSQL does
   * not know a limit when it plans, it assumes a tenth of the rows.
   */
  rows(part?: { readonly limit: number; readonly offset: number }): Sql {
    const { condition, order } = this;
    const cut = part ? sql` ORDER BY ${order} LIMIT ${sql.lit(part.limit + part.offset)}` : sql``;
    const rows = unionOf(
      this.branches,
      ({ table, where }) => sql`SELECT item.* FROM ${table} item WHERE ${where} AND ${condition}${cut}`,
    );
    const page = part ? sql` LIMIT ${sql.lit(part.limit)} OFFSET ${sql.lit(part.offset)}` : sql``;
    const form = selection(this.declaration, this.view, this.reading);
    return sql`SELECT row_to_json(r)::text AS json
      FROM (${shown(sql`SELECT * FROM ${rows} item ORDER BY ${order}${page}`, form)}) r`;
  }
}
