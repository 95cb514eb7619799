import { PostgresQueryCompiler } from 'kysely';
import { compileOnlyBuilder } from '#query/compiled-sql.js';
import type { Sql } from '#query/query-context.js';

class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append('('); // a number may start with a sign
    this.appendImmediateValue(value);
    this.append(')');
  }
}

const compiler = compileOnlyBuilder(() => new LiteralCompiler());

/**
 * A statement as one text, its values written into it, for commands such as COPY that take no parameters. It is meant
 * for a session with `standard_conforming_strings`. Throws where a value is none of texts, numbers, booleans, dates and
 * null.
 */
export const literalText = (statement: Sql): string => statement.compile(compiler).sql;
