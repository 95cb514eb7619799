import { sql } from 'kysely';
import { type Column, filterOf, operandOf, orderOf } from './column.js';
import { compiled } from './compiled-sql.js';
import type { Filter } from './filter-parameters.js';
import type { Expression, QueryContext, Sql } from './query-context.js';
import type { Schema } from './schema.js';

/** A field of a response: its SQL and its schema. */
export interface Field {
  readonly sql: Expression;
  readonly schema: Schema;
  /** Purpose for which the column's secret was encrypted; responses contain the decrypted secret. */
  readonly sealed?: string;
  /** The compiled SQL with its alias; absent if it depends on the query context. */
  readonly column?: Sql;
}

export type Fields = Readonly<Record<string, Field>>;

/** One of the disjoint sources of rows. Each is ordered and limited on its own, so that its index is used. */
export interface Branch {
  readonly table: Sql;
  readonly where: Sql;
}

/** Counts the items of a list by the values of a filter. */
export interface Facet {
  /** What the rows are grouped by, such as an internal id. Rows with null are not counted. */
  readonly key: Expression;
  /** Whether `key` is an array without duplicates. A row then counts for each of its entries. */
  readonly isList?: boolean;
  /** The value of a key, as the filter accepts it; by default the key itself. */
  readonly value?: (key: Sql, context: QueryContext) => Sql;
  /** What people call the value; by default the value itself, as a text. */
  readonly label?: (key: Sql, context: QueryContext) => Sql;
  readonly schema: Schema;
}

/** Facets by the name of the filter whose values they count. */
export type Facets = Readonly<Record<string, Facet>>;

/** The read model of a concept. SQL, parameter checks and documentation are derived from this one declaration. */
export interface Projection {
  /** Name of the schema in the OpenAPI document, in PascalCase. */
  readonly name: string;
  /**
   * The rows that the caller can see. It requires the query context, so that no one can forget to filter by
   * organization.
   */
  readonly source: (context: QueryContext) => readonly Branch[];
  /**
   * For rows that take long to find: `source` returns only what keys, filters and orderings use. These rows are read
   * once, for a page and for the count. `details` are joined to the rows of the page, and may be used in fields.
   */
  readonly details?: (context: QueryContext) => Sql;
  /** How an item is addressed: the exact shape of its id, the column of the id, and the order of ids. */
  readonly key: {
    readonly shape: RegExp;
    readonly column: Sql;
    readonly order: readonly Sql[];
    readonly numeric?: boolean;
    /** The condition for an id, if one item can have several ids. By default, the column equals the id. */
    readonly matches?: (id: string) => Sql;
  };
  readonly fields: Fields;
  /** `include=name` adds these fields, or replaces those of the same name. */
  readonly includes?: Readonly<Record<string, Fields>>;
  /** `expand=name` replaces these fields. A name without fields changes an include (see `QueryContext.expands`). */
  readonly expands?: Readonly<Record<string, Fields>>;
  readonly filters?: Readonly<Record<string, Filter>>;
  /** `include=facets` counts the items of a list by the values of these filters. */
  readonly facets?: Facets;
  /**
   * Filters that requests for a single item accept too: the item is not found if the filtered list would not contain
   * it.
   */
  readonly itemFilters?: readonly string[];
  /** The expressions that `ordering=name` sorts by; the order of keys is appended to each. */
  readonly orderings: Readonly<Record<string, readonly Expression[]>>;
  /** The default ordering, as a client would write it. */
  readonly defaultOrdering: string;
  /**
   * `search` matches items whose `text` contains every word; `fields` documents what `text` contains. If a word may be
   * stored in another form, `alternativeForm` returns that form, and either form matches.
   */
  readonly search?: {
    readonly text: Expression;
    readonly fields: readonly string[];
    readonly alternativeForm?: (word: string) => string;
  };
  readonly switches?: readonly Switch[];
  /** Present if the list is always paged. */
  readonly paging?: Paging;
  /** Present if the list is a stream, which has a window and cursors instead of orderings and pages. */
  readonly stream?: Stream;
}

/** The number of rows of a page. */
export interface Paging {
  readonly defaultSize: number;
  readonly maximumSize: number;
}

/** A list that grows while it is read: newest first, within a time window, paged by cursor. */
export interface Stream extends Paging {
  /** Distinguishes streams of the same rows: a cursor is only valid for its own stream. */
  readonly name: string;
  readonly table: Sql;
  /** The time at which a row was written. The order of the stream is by time, then by id. */
  readonly at: Sql;
  readonly id: Sql;
  /** The transaction that wrote the row; null if that transaction cannot still be running. */
  readonly transaction: Sql;
  /** The visible rows of the stream, as disjoint index ranges. */
  readonly ranges: (context: QueryContext) => readonly Range[];
}

/**
 * Rows that one index returns in the order of the stream: those that meet a condition, optionally once for each of
 * several values.
 */
export interface Range {
  readonly where: Sql;
  /** A subquery of distinct values. Each value is a range of its own, in which `operand` equals it. */
  readonly each?: { readonly operand: Sql; readonly values: Sql };
}

/** Boolean query parameters that change the form of the response. */
export type Switch = 'show_original' | 'to_html' | 'absolute_urls';

/** A projection as it is declared: some of its fields are columns, which need no SQL. */
export interface Declaration extends Omit<Projection, 'fields'> {
  readonly fields: Readonly<Record<string, Field | Column>>;
}

const fieldOf = (name: string, declared: Field | Column): Field =>
  'uses' in declared ? { sql: operandOf(name), schema: declared.schema } : declared;

type FieldsOf<Declared> = { readonly [Name in keyof Declared]: Field };

const withColumns = <Declared extends Declaration['fields']>(fields: Declared): FieldsOf<Declared> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, declared]) => {
      const field = fieldOf(name, declared);
      if (typeof field.sql === 'function') return [name, field];
      return [name, { ...field, column: compiled(sql`${field.sql} AS ${sql.ref(name)}`) }];
    }),
  ) as FieldsOf<Declared>;

const withColumnsOfEach = (groups: Readonly<Record<string, Fields>>): Readonly<Record<string, Fields>> =>
  Object.fromEntries(Object.entries(groups).map(([name, fields]) => [name, withColumns(fields)]));

/** What is derived from columns and what is declared, in the order of the fields. */
const inOrderOf = <Value>(
  fields: Declaration['fields'],
  derive: (name: string, column: Column) => Value | undefined,
  declared: Readonly<Record<string, Value>> = {},
): Readonly<Record<string, Value>> => {
  const entries = Object.entries(fields).flatMap(([name, field]) => {
    const value = declared[name] ?? ('uses' in field ? derive(name, field) : undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(entries), ...declared };
};

const filterOfColumn = (name: string, { schema, uses }: Column): Filter | undefined =>
  uses.filter === undefined ? undefined : filterOf(name, schema, uses.filter);

const orderingOfColumn = (name: string, { schema, uses }: Column): readonly Expression[] | undefined =>
  uses.sortable ? [orderOf(name, schema)] : undefined;

/**
 * Types a projection without widening its keys, adds the fields that its columns imply, and compiles the SQL that does
 * not depend on the query context.
 */
export function projection<const D extends Declaration>(
  declaration: D,
): Omit<D, 'fields'> & Projection & { readonly fields: FieldsOf<D['fields']> } {
  const { fields, filters, orderings } = declaration;
  return {
    ...declaration,
    fields: withColumns(fields),
    ...(declaration.includes && { includes: withColumnsOfEach(declaration.includes) }),
    ...(declaration.expands && { expands: withColumnsOfEach(declaration.expands) }),
    filters: inOrderOf(fields, filterOfColumn, filters),
    orderings: inOrderOf(fields, orderingOfColumn, orderings),
  };
}

/** Names of all fields that an item can have, with every include and expand. Clients may send them back in a body. */
export function fieldNames({ fields, includes = {}, expands = {} }: Projection): Set<string> {
  const groups = [fields, ...Object.values(includes), ...Object.values(expands)];
  return new Set(groups.flatMap((group) => Object.keys(group)));
}
