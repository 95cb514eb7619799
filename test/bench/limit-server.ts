import { createServer } from 'node:http';
import { Pool } from 'pg';

/** A statement for each path; `$1` is the parameter `id`. */
export type Statements = Readonly<Record<string, string>>;

/**
 * The limit that the service is held against: bare `node:http` that sends PostgreSQL's JSON text, with no
 * authentication, checks, counts, logs or metrics. Run as a process of its own: DATABASE_URL, PORT, STATEMENTS.
 */
const statements = JSON.parse(process.env.STATEMENTS ?? '{}') as Statements;
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 });

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const statement = statements[url.pathname] ?? 'SELECT NULL AS json';
  const id = url.searchParams.get('id');
  pool
    .query<{ json: string }>(statement, id === null ? [] : [id])
    .then(({ rows }) => response.setHeader('Content-Type', 'application/json').end(rows[0]?.json))
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
