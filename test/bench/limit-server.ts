import { createServer } from 'node:http';
import { Pool } from 'pg';

/**
 * What each path runs; `$1` is the parameter `id`. Several statements are one transaction, of which the last answers.
 */
export type Statements = Readonly<Record<string, string | readonly string[]>>;

/**
 * The limit that the service is compared with: bare `node:http` that sends PostgreSQL's JSON text, with no
 * authentication, checks, counts, logs or metrics. Run as a process of its own: DATABASE_URL, PORT, STATEMENTS.
 */
const statements = JSON.parse(process.env.STATEMENTS ?? '{}') as Statements;
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 });

interface Row {
  readonly json: string;
}

async function inOneTransaction(several: readonly string[], values: readonly string[]): Promise<Row | undefined> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    let row: Row | undefined;
    for (const [n, text] of several.entries())
      [row] = (await client.query<Row>({ name: `${n}: ${text.length}`, text, values: [...values] })).rows;
    await client.query('COMMIT');
    return row;
  } finally {
    client.release();
  }
}

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const statement = statements[url.pathname] ?? 'SELECT NULL AS json';
  const values = [...url.searchParams.values()];
  const answer =
    typeof statement === 'string'
      ? pool.query<Row>(statement, values).then(({ rows }) => rows[0])
      : inOneTransaction(statement, values);
  answer
    .then((row) => response.setHeader('Content-Type', 'application/json').end(row?.json))
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
