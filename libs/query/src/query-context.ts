import type { RawBuilder } from 'kysely';

/** A piece of SQL with its parameters. */
export type Sql = RawBuilder<unknown>;

/** The viewer. The organization bounds everything that is seen; some concepts are the user's own. */
export interface Scope {
  readonly id: number;
  readonly organizationId: number;
  /** Feature flags that are on for the viewer; none where absent. */
  readonly flags?: ReadonlySet<string>;
  /** Permissions by short name; none where absent. */
  readonly permissions?: ReadonlySet<string>;
  /** Passes every check of permissions. */
  readonly isSuperUser?: boolean;
  /**
   * Public ids of the items that the path names before, outermost first, for concepts that only exist within others.
   */
  readonly within?: readonly string[];
}

/** What an expression of a projection may depend on: the viewer, and the form of the answer. */
export interface QueryContext {
  /** The organization whose view of the data is read. */
  readonly organization: number;
  /** The user who reads, for what belongs to one user alone. */
  readonly user: number;
  /** Feature flags that are on. */
  readonly flags: ReadonlySet<string>;
  /** Whether the viewer has a permission, by short name: for what is seen by some alone. */
  readonly may: (permission: string) => boolean;
  /** Public id of the item that is read within; empty for concepts of their own. */
  readonly within: string;
  /** Public ids of all items that the path names before, outermost first; `within` is the last one. */
  readonly path: readonly string[];
  /** `show_original`: the built-in content in place of the organization's changed version. */
  readonly originals: boolean;
  /** The names given in `include`, and those that the caller always adds. */
  readonly includes: ReadonlySet<string>;
  /** The names given in `expand`. */
  readonly expands: ReadonlySet<string>;
  /** What filters were given, by parameter, for fields that show only what was asked for. */
  readonly filtered: ReadonlyMap<string, readonly string[]>;
  /** The part before the path of a URL: empty, or scheme and host with `absolute_urls`. */
  readonly origin: string;
}

/**
 * SQL that is always the same, or that depends on the reading. In it, the row is called `item`; fields find all rows
 * that are shown with it, as a relation, in `page`.
 */
export type Expression = Sql | ((reading: QueryContext) => Sql);

/** The SQL of an expression for one reading. */
export const resolve = (expression: Expression, reading: QueryContext): Sql =>
  typeof expression === 'function' ? expression(reading) : expression;
