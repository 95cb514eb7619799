import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  sql,
} from 'kysely';
import type { Sql } from './query-context.js';

/** Compiles statements, and runs none. */
export const compilingWith = (createQueryCompiler: () => QueryCompiler): Kysely<unknown> =>
  new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler,
    },
  });

const compiler = compilingWith(() => new PostgresQueryCompiler());

/**
 * The same SQL as one text, for what is a part of many statements: Kysely takes a piece apart in each statement that
 * has it. That was a sixth of what a request for one item allocated.
 *
 * @param piece SQL; where it has parameters, it comes back as it is
 */
export function compiled(piece: Sql): Sql {
  const { sql: text, parameters } = piece.compile(compiler);
  return parameters.length ? piece : sql.raw(text);
}
