import { sql } from 'kysely';
import { compiled } from './compiled-sql.js';
import type { Filter } from './filter-parameters.js';
import type { Expression, QueryContext, Sql } from './query-context.js';
import type { Schema } from './schema.js';

/** One field of an answer: how it is computed, and what a client gets. */
export interface Field {
  readonly sql: Expression;
  readonly schema: Schema;
  /** The column holds a secret, sealed for this purpose; the answer shows it opened. */
  readonly sealed?: string;
  /** The same SQL under its name, compiled; absent where it depends on the reading. */
  readonly column?: Sql;
}

export type Fields = Readonly<Record<string, Field>>;

/**
 * One place that rows come from. Branches of a source are disjoint; each is ordered and cut on its own, by its index.
 */
export interface Branch {
  readonly table: Sql;
  readonly where: Sql;
}

/** The read side of a concept, declared once: SQL, the check of parameters and the documentation follow from it. */
export interface Projection {
  /** Name of the schema in the document, in PascalCase. */
  readonly name: string;
  /** The rows that a viewer sees. The reader takes the viewer as an argument, so that no read forgets the organization. */
  readonly source: (reading: QueryContext) => readonly Branch[];
  /** How one item is addressed: the exact shape of its id, the column, and the order of all keys. */
  readonly key: {
    readonly shape: RegExp;
    readonly column: Sql;
    readonly order: readonly Sql[];
    readonly numeric?: boolean;
    /** The condition for an id of this shape, where ids have several spellings; else the column equals it. */
    readonly matches?: (id: string) => Sql;
  };
  readonly fields: Fields;
  /** `include=name` adds these fields, or replaces those of the same name. */
  readonly includes?: Readonly<Record<string, Fields>>;
  /** `expand=name` replaces these fields. A name without fields changes an include (see `QueryContext.expands`). */
  readonly expands?: Readonly<Record<string, Fields>>;
  readonly filters?: Readonly<Record<string, Filter>>;
  /** Names of filters that a single item is asked for with, too: it is not found where the filtered list lacks it. */
  readonly itemFilters?: readonly string[];
  /** What `ordering=name` sorts by; every ordering ends in the key. */
  readonly orderings: Readonly<Record<string, readonly Expression[]>>;
  /** The order where none is asked for, as a client would write it. */
  readonly defaultOrdering: string;
  /**
   * `search` finds each word in this text; `fields` names what it holds. Where the text may hold a word in another
   * form, `written` gives that form, and the word is found in either.
   */
  readonly search?: {
    readonly text: Expression;
    readonly fields: readonly string[];
    readonly written?: (word: string) => string;
  };
  readonly switches?: readonly Switch[];
  /** Present where a list is always paged. */
  readonly paging?: Paging;
  /** Present where a list is a stream, which has a window and cursors in place of orderings and pages. */
  readonly stream?: Stream;
}

/** How many rows a page has. */
export interface Paging {
  readonly defaultSize: number;
  readonly maximumSize: number;
}

/** A list that grows while it is read: newest first, within a window of time, page by page along a cursor. */
export interface Stream extends Paging {
  /** Tells it from the other streams of the same rows: a cursor of one is none of another. */
  readonly name: string;
  readonly table: Sql;
  /** When a row was written; with the id, the order of the stream. */
  readonly at: Sql;
  readonly id: Sql;
  /** The transaction that wrote the row; null where none that wrote it can still be running. */
  readonly transaction: Sql;
  /** What the stream holds for a reading, as disjoint ranges of its indexes. */
  readonly ranges: (reading: QueryContext) => readonly Range[];
}

/** Rows that one index holds in the order of the stream: those of a condition, or of one value after another. */
export interface Range {
  readonly where: Sql;
  /** A subquery of distinct values, each of which is one range: the operand equals it. */
  readonly each?: { readonly operand: Sql; readonly values: Sql };
}

/** Boolean query parameters that change the form of the answer. */
export type Switch = 'show_original' | 'to_html' | 'absolute_urls';

const withColumns = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      typeof field.sql === 'function' ? field : { ...field, column: compiled(sql`${field.sql} AS ${sql.ref(name)}`) },
    ]),
  );

const withColumnsOfEach = (groups: Readonly<Record<string, Fields>>): Readonly<Record<string, Fields>> =>
  Object.fromEntries(Object.entries(groups).map(([name, fields]) => [name, withColumns(fields)]));

/** Gives a projection its type while its own keys stay known, and compiles what is the same in every statement. */
export const projection = <const P extends Projection>(declaration: P): P => ({
  ...declaration,
  fields: withColumns(declaration.fields),
  ...(declaration.includes && { includes: withColumnsOfEach(declaration.includes) }),
  ...(declaration.expands && { expands: withColumnsOfEach(declaration.expands) }),
});

/** Names of all fields that an item can have, those of includes too: what a client may send back without harm. */
export function fieldNames(declaration: Projection): Set<string> {
  const names = new Set(Object.keys(declaration.fields));
  for (const group of Object.values(declaration.includes ?? {})) for (const name of Object.keys(group)) names.add(name);
  return names;
}
