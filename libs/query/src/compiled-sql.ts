import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { Sql } from './query-context.js';

/** Only compiles. */
const compiler = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * The same SQL as one text, for what is a part of many statements: Kysely takes a piece apart in each statement that
 * has it, which takes longer than everything else that a request for one item does.
 *
 * @param piece SQL; where it has parameters, it comes back as it is
 */
export function compiled(piece: Sql): Sql {
  const { sql: text, parameters } = piece.compile(compiler);
  return parameters.length ? piece : sql.raw(text);
}
