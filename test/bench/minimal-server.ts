import { createServer } from 'node:http';
import { Pool } from 'pg';

/**
 * The statements of each path; `$1` is the parameter `id`. Several statements run in one transaction, and the last
 * one returns the response.
 */
export type Statements = Readonly<Record<string, string | readonly string[]>>;

/**
 * The minimal server that the service is compared with: bare `node:http` that sends PostgreSQL's JSON text, with no
 * authentication, checks, counts, logs or metrics. Its statements are named, so that each connection parses them once
 * and PostgreSQL can keep their plans, as it does for the service. Run as a process of its own: DATABASE_URL, PORT,
 * STATEMENTS.
 */
const statements = new Map(
  Object.entries(JSON.parse(process.env.STATEMENTS ?? '{}') as Statements).map(([path, statement], pathIndex) => [
    path,
    [statement].flat().map((text, n) => ({ name: `minimal_${pathIndex}_${n}`, text })),
  ]),
);
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 });

interface Row {
  readonly json: string;
}

type NamedStatement = Readonly<Record<'name' | 'text', string>>;

async function inOneTransaction(
  several: readonly NamedStatement[],
  values: readonly string[],
): Promise<Row | undefined> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    let row: Row | undefined;
    for (const statement of several) [row] = (await client.query<Row>({ ...statement, values: [...values] })).rows;
    await client.query('COMMIT');
    return row;
  } finally {
    client.release();
  }
}

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const several = statements.get(url.pathname) ?? [{ name: 'none', text: 'SELECT NULL AS json' }];
  const values = [...url.searchParams.values()];
  const [first, ...others] = several;
  const result =
    first && !others.length
      ? pool.query<Row>({ ...first, values }).then(({ rows }) => rows[0])
      : inOneTransaction(several, values);
  result
    .then((row) => response.setHeader('Content-Type', 'application/json').end(row?.json))
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
