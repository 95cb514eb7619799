import { sql } from 'kysely';
import { compiled } from './compiled-sql.js';
import { entryOf } from './entry-of.js';
import { escapeLike } from './values.js';
import type { ParsedQuery } from './parameters.js';
import { type Expression, hasPermission, type QueryContext, resolve, type Sql, type Scope } from './query-context.js';
import type { Branch, Field, Fields, Projection } from './projection.js';

/**
 * The query context of a caller and a query; without a query, the one of a request without parameters. `origin` is only
 * used with `absolute_urls`.
 */
export function queryContextOf(scope: Scope, query: ParsedQuery | undefined, origin: string): QueryContext {
  return {
    organization: scope.organizationId,
    user: scope.id,
    session: scope.session ?? 0,
    flags: scope.flags ?? new Set(),
    may: (permission) => hasPermission(scope, permission),
    scopes: scope.scopes,
    projects: scope.projects,
    within: scope.within?.at(-1) ?? '',
    path: scope.within ?? [],
    originals: query?.switches.has('show_original') ?? false,
    includes: query?.includes ?? new Set(),
    expands: query?.expands ?? new Set(),
    filterValues: query?.filterValues ?? new Map(),
    origin: query?.switches.has('absolute_urls') ? origin : '',
  };
}

/** The condition for one public id; null if the id has the wrong shape, so that the database need not be queried. */
export function keyCondition(declaration: Projection, id: string): Sql | null {
  const { shape, matches } = declaration.key;
  if (!shape.test(id)) return null;
  return matches ? matches(id) : hasKey(declaration, id);
}

/** The condition for an id of a projection whose items have a single id. */
export const hasKey = ({ key: { column, numeric } }: Projection, id: string | symbol): Sql =>
  numeric ? sql`${column} = ${id}::bigint` : sql`${column} = ${id}`;

const defaultFields = new WeakMap<Projection, ReadonlyMap<string, Field>>();

/** The requested fields by name, in the order of the declaration. */
export function fieldsOf(declaration: Projection, query: ParsedQuery): ReadonlyMap<string, Field> {
  const defaults = entryOf(defaultFields, declaration, () => new Map(Object.entries(declaration.fields)));
  const { includes, expands, excludes } = query;
  if (!includes.size && !expands.size && !excludes.size) return defaults;
  const fields = new Map(defaults);
  const add = (groups: Readonly<Record<string, Fields>> | undefined, selected: ReadonlySet<string>) => {
    for (const [name, group] of Object.entries(groups ?? {}))
      if (selected.has(name)) for (const [field, declared] of Object.entries(group)) fields.set(field, declared);
  };
  add(declaration.includes, includes);
  add(declaration.expands, expands);
  for (const name of excludes) fields.delete(name);
  return fields;
}

const columnsOfFields = new WeakMap<ReadonlyMap<string, Field>, readonly Expression[]>();

/** Fields as columns. Neighbours that do not depend on the query context are one text. */
function columnsOf(fields: ReadonlyMap<string, Field>): readonly Expression[] {
  const columns: Expression[] = [];
  let constant: Sql[] = [];
  const flush = (): void => {
    if (constant.length) columns.push(compiled(sql.join(constant)));
    constant = [];
  };
  for (const [name, { column, sql: expression }] of fields) {
    if (column) constant.push(column);
    else {
      flush();
      columns.push((context) => sql`${resolve(expression, context)} AS ${sql.ref(name)}`);
    }
  }
  flush();
  return columns;
}

/** The requested fields as columns, for use in `selectWithPage`: the row is `item` and all rows are `page`. */
export function selection(declaration: Projection, query: ParsedQuery, context: QueryContext): Sql {
  const fields = fieldsOf(declaration, query);
  // Only the default fields are the same map each time.
  const columns = entryOf(columnsOfFields, fields, () => columnsOf(fields));
  return sql.join(columns.map((column) => resolve(column, context)));
}

/**
 * Selects columns of rows; the columns refer to a row as `item` and to all rows as `page`. `details` are relations that
 * are joined to each row.
 */
export const selectWithPage = (rows: Sql, columns: Sql, details: Sql = sql``): Sql =>
  sql`WITH page AS (${rows}) SELECT ${columns} FROM page item ${details}`;

/** The rows of all branches as one relation. At least one branch is required; duplicates are not removed. */
export function unionOf<B>(branches: readonly B[], select: (branch: B) => Sql): Sql {
  return sql`(${sql.join(
    branches.map((branch) => sql`(${select(branch)})`),
    sql` UNION ALL `,
  )})`;
}

/** The filters and the search as one condition on `item`; `true` without any. */
export function conditionOf(declaration: Projection, query: ParsedQuery, context: QueryContext): Sql {
  const conditions = query.conditions.map(({ holds }) => holds(context));
  if (declaration.search && query.searchWords.length) {
    const { text: expression, alternativeForm = (word) => word } = declaration.search;
    const text = resolve(expression, context);
    for (const word of query.searchWords) {
      const forms = [...new Set([word, alternativeForm(word)])];
      const matches = forms.map((form) => sql`${text} ILIKE ${`%${escapeLike(form)}%`}`);
      conditions.push(sql`(${sql.join(matches, sql` OR `)})`);
    }
  }
  return conditions.length ? sql.join(conditions, sql` AND `) : sql`true`;
}

function orderOf(declaration: Projection, query: ParsedQuery, context: QueryContext): Sql {
  const terms = query.order.flatMap(({ name, descending }) =>
    (declaration.orderings[name] ?? []).map((expression: Expression) => ({ expression, descending })),
  );
  const keyDescending = query.order.at(-1)?.descending ?? false;
  for (const expression of declaration.key.order) terms.push({ expression, descending: keyDescending });
  return sql.join(
    terms.map(
      ({ expression, descending }) => sql`${resolve(expression, context)} ${sql.raw(descending ? 'DESC' : 'ASC')}`,
    ),
  );
}

/** The rows of a list that are read only once. */
const FOUND: Branch = { table: sql`found`, where: sql`true` };

/** Builds the statements of one list: count and rows. */
export class ListQuery {
  /** What precedes every statement that contains the count or the rows. */
  readonly prefix: Sql = sql``;
  private readonly branches: readonly Branch[];
  private readonly condition: Sql;
  private readonly order: Sql;

  constructor(
    private readonly declaration: Projection,
    private readonly query: ParsedQuery,
    private readonly context: QueryContext,
  ) {
    this.branches = declaration.source(context);
    this.condition = conditionOf(declaration, query, context);
    this.order = orderOf(declaration, query, context);
    if (!declaration.details) return;
    this.prefix = sql`WITH found AS MATERIALIZED ${this.matches(sql`item.*`)}`;
    this.branches = [FOUND];
    this.condition = sql`true`;
  }

  /** Whether neither a filter nor a search applies. */
  get isUnfiltered(): boolean {
    return !this.query.conditions.length && !this.query.searchWords.length;
  }

  /** Counts the rows of all pages. */
  count(): Sql {
    return sql`(SELECT sum(n) FROM ${this.matches(sql`count(*) AS n`)} counts)`;
  }

  /**
   * Selects one JSON text per row, in order. With a limit, each branch is ordered and limited on its own, so that it
   * can use its own index, and fields are computed only for the remaining rows. Limits are literals: if PostgreSQL does
   * not know a limit when it plans, it assumes a tenth of the rows.
   */
  rows(page?: { readonly limit: number; readonly offset: number }): Sql {
    const { order } = this;
    const sortLimit = page ? sql` ORDER BY ${order} LIMIT ${sql.lit(page.limit + page.offset)}` : sql``;
    const rows = this.matches(sql`item.*`, sortLimit);
    const pageLimit = page ? sql` LIMIT ${sql.lit(page.limit)} OFFSET ${sql.lit(page.offset)}` : sql``;
    const columns = selection(this.declaration, this.query, this.context);
    const details = this.declaration.details?.(this.context);
    return sql`SELECT row_to_json(r)::text AS json
      FROM (${selectWithPage(sql`SELECT * FROM ${rows} item ORDER BY ${order}${pageLimit}`, columns, details)}) r`;
  }

  /** Selects columns of the rows of each branch that meet the condition. */
  private matches(columns: Sql, sortLimit = sql``): Sql {
    return unionOf(
      this.branches,
      ({ table, where }) => sql`SELECT ${columns} FROM ${table} item WHERE ${where} AND ${this.condition}${sortLimit}`,
    );
  }
}
