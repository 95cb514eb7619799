import { CompiledQuery, sql } from 'kysely';
import { compiler } from './compiled-sql.js';
import { entryOf } from './entry-of.js';
import { type ItemRow, itemTexts } from './item-texts.js';
import type { ParsedQuery } from './parameters.js';
import { prepared } from './prepared-statements.js';
import type { Projection } from './projection.js';
import type { Scope, Sql } from './query-context.js';
import { hasKey, keyCondition } from './statements.js';

/** Stands for the id in a statement that reads any item. */
const ANY_ID = Symbol('any id');

type Statement = CompiledQuery<ItemRow>;

/**
 * Compiles the statements that read one item. If the client has sent no parameters, they depend on the caller and the
 * route, and differ between items only in the id, so each is compiled once for the object that describes the caller.
 * Requests share such an object for less than a second, and nothing changes it.
 */
export class ItemStatements {
  /** By caller, projection, and the names that the route includes. */
  private readonly kept = new WeakMap<Scope, Map<Projection, Map<string, Statement>>>();

  /** The statement for the item with this id; undefined if the id has the wrong shape. */
  statementFor(
    declaration: Projection,
    scope: Scope,
    id: string,
    query: ParsedQuery,
    origin = '',
  ): Statement | undefined {
    const byKey = keyCondition(declaration, id);
    if (!byKey) return undefined;
    // Requests with parameters have many different statements: they would fill the cache of prepared statements.
    if (!query.isDefault) return itemTexts(declaration, query, scope, origin, byKey).compile(compiler);
    // Within other items, each request has a scope of its own.
    if (scope.within || declaration.key.matches || query.conditions.length)
      return compilePrepared(declaration, scope, query, byKey);
    const { parameters, ...statement } = this.forAnyId(declaration, scope, query);
    return { ...statement, parameters: parameters.map((value) => (value === ANY_ID ? id : value)) };
  }

  private forAnyId(declaration: Projection, scope: Scope, query: ParsedQuery): Statement {
    const ofCaller = entryOf(this.kept, scope, () => new Map<Projection, Map<string, Statement>>());
    const ofProjection = entryOf(ofCaller, declaration, () => new Map<string, Statement>());
    return entryOf(ofProjection, [...query.includes].join(), () => {
      const { sql: text, parameters } = compilePrepared(declaration, scope, query, hasKey(declaration, ANY_ID));
      // Does not keep what it was compiled from, which is several times as large.
      return CompiledQuery.raw(text, [...parameters]);
    });
  }
}

const compilePrepared = (declaration: Projection, scope: Scope, query: ParsedQuery, byKey: Sql): Statement =>
  sql<ItemRow>`${prepared} ${itemTexts(declaration, query, scope, '', byKey)}`.compile(compiler);
