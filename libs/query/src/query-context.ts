import type { RawBuilder } from 'kysely';

/** An SQL fragment with its parameters. */
export type Sql = RawBuilder<unknown>;

/**
 * The caller of a read. The organization limits the visible rows; some concepts belong to a single user. It never
 * changes: statements are kept for it.
 */
export interface Scope {
  readonly id: number;
  readonly organizationId: number;
  /** Feature flags that are on for the caller; empty by default. */
  readonly flags?: ReadonlySet<string>;
  /** Permissions by short name; empty by default. */
  readonly permissions?: ReadonlySet<string>;
  /** A super-user passes every permission check, unless their token has scopes. */
  readonly isSuperUser?: boolean;
  /** The scopes of the caller's token, if it is limited; undefined: everything. */
  readonly scopes?: ReadonlySet<string>;
  /** The only projects that the caller's token gives access to; undefined: all that the caller can see. */
  readonly projects?: readonly number[];
  /** The number of the caller's session, if they have signed in with a browser. */
  readonly session?: number;
  /** Public ids of the parent items in the path, outermost first, for items that only exist within others. */
  readonly within?: readonly string[];
}

/**
 * Whether the caller has a permission. A token with scopes has only those that are listed, even if it may act as a
 * super-user.
 */
export const hasPermission = (
  { permissions, isSuperUser, scopes }: Pick<Scope, 'permissions' | 'isSuperUser' | 'scopes'>,
  permission: string,
): boolean => permissions?.has(permission) === true || (isSuperUser === true && scopes === undefined);

/** What the SQL of a projection may depend on: the caller and the query parameters. */
export interface QueryContext {
  /** The caller's organization. */
  readonly organization: number;
  /** The caller, for rows that belong to one user. */
  readonly user: number;
  /** The number of the caller's session; 0 for other credentials. */
  readonly session: number;
  /** Feature flags that are on. */
  readonly flags: ReadonlySet<string>;
  /** Whether the caller has a permission, by short name. */
  readonly may: (permission: string) => boolean;
  /** The scopes of the caller's token, if it is limited; undefined: everything. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** The only projects that the caller's token gives access to; undefined: all that the caller can see. */
  readonly projects: readonly number[] | undefined;
  /** Public id of the innermost parent item in the path; empty for items that have no parent. */
  readonly within: string;
  /** Public ids of all parent items in the path, outermost first; `within` is the last one. */
  readonly path: readonly string[];
  /** `show_original`: whether to show built-in content instead of the organization's customized version. */
  readonly originals: boolean;
  /** The names in `include`, and those that the route always adds. */
  readonly includes: ReadonlySet<string>;
  /** The names in `expand`. */
  readonly expands: ReadonlySet<string>;
  /** The given filter values by parameter, for fields that show only what was filtered for. */
  readonly filterValues: ReadonlyMap<string, readonly string[]>;
  /** The prefix of URLs: empty, or scheme and host with `absolute_urls`. */
  readonly origin: string;
}

/**
 * SQL that is constant or depends on the query context. It refers to the row as `item`; fields can refer to all rows of
 * the page as the relation `page`.
 */
export type Expression = Sql | ((context: QueryContext) => Sql);

/** The SQL of an expression in a query context. */
export const resolve = (expression: Expression, context: QueryContext): Sql =>
  typeof expression === 'function' ? expression(context) : expression;
