import { antlr4tsSQL, SQLDialect } from 'antlr4ts-sql';

/** The newest server that the grammar asks for: 8.0.18. */
const MYSQL_VERSION = 80018;

interface Dialect {
  readonly dialect: SQLDialect;
  /** Valid statements and clauses that the grammar does not know, mostly because they are newer. Reviewers read those. */
  readonly unknown: RegExp;
}

const DIALECTS = {
  mysql: { dialect: SQLDialect.MYSQL, unknown: /\b(?:FAILED_LOGIN_ATTEMPTS|PASSWORD_LOCK_TIME) \d+/g },
  plsql: {
    dialect: SQLDialect.PLSQL,
    unknown: /^CREATE (?:PROFILE|ROLE) [^;]*;|^ALTER USER \w+ GRANT CONNECT THROUGH \w+;|\bNO AUTHENTICATION\b/gm,
  },
  tsql: { dialect: SQLDialect.TSQL, unknown: /^GRANT [^;]* ON SCHEMA::[^;]*;|^DENY [^;]*;/gm },
} as const satisfies Record<string, Dialect>;

/** The first syntax error in SQL of MySQL, Oracle or SQL Server, or undefined. */
export function findSqlFault(language: keyof typeof DIALECTS, code: string): string | undefined {
  const { dialect, unknown } = DIALECTS[language];
  const errors: string[] = [];
  const listener = {
    syntaxError: (_recognizer: unknown, _symbol: unknown, line: number, column: number, message: string) =>
      errors.push(`line ${line}, column ${column}: ${message}`),
  };
  const sql = new antlr4tsSQL(dialect);
  const tokens = sql.getTokens(code.replace(unknown, ''), [listener]);
  const parser = sql.getParser(tokens, [listener]);
  if (dialect === SQLDialect.MYSQL)
    for (const reader of [tokens.tokenSource, parser]) Object.assign(reader, { serverVersion: MYSQL_VERSION });
  sql.getParseTree(parser);
  return errors[0];
}
