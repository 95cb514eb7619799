import { randomBytes } from 'node:crypto';

import { Client, Pool, type QueryResultRow } from 'pg';

/** What the connections of `query` are called: whoever looks at the API's own can leave them out. */
export const OBSERVER = 'test';

/** A copy of the template that one suite has for itself. */
export interface TestDatabase {
  /** As its owner, who may do everything: for what tests look at and prepare. */
  readonly url: string;
  /** As the API and the worker connect. */
  readonly applicationUrl: string;
  /** Rows of a statement, for what the API does not show. `bigint` comes as text. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Rows of a long statement that is asked again and again: its plan is kept under this name. */
  queryAgain<Row extends QueryResultRow>(name: string, text: string): Promise<Row[]>;
  drop(): Promise<void>;
}

function templateUrl(variable = 'MERLON_TEST_DATABASE_URL'): URL {
  const url = process.env[variable];
  if (url === undefined)
    throw new Error('There is no test database server: run this by jest, whose global set-up starts it.');
  return new URL(url);
}

function urlOf(database: string, template = templateUrl()): string {
  const url = new URL(template);
  url.pathname = `/${database}`;
  return url.href;
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/** Clones the template. */
export const cloneDatabase = (): Promise<TestDatabase> => makeDatabase(nameOf(templateUrl().href));

/** A database with nothing in it. */
export const emptyDatabase = (): Promise<TestDatabase> => makeDatabase('template0');

/** Connections as the owner, for what tests look at and prepare. */
export function observe(url: string): { readonly pool: Pool } & Pick<TestDatabase, 'query' | 'queryAgain'> {
  const pool = new Pool({ connectionString: url, max: 4, application_name: OBSERVER });
  // A connection that is still closing when the database goes is told so, and nothing else listens.
  pool.on('error', () => undefined);
  return {
    pool,
    query: async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(text, [...values])).rows,
    queryAgain: async <Row extends QueryResultRow>(name: string, text: string) =>
      (await pool.query<Row>({ name, text })).rows,
  };
}

async function makeDatabase(template: string): Promise<TestDatabase> {
  const name = `suite_${randomBytes(6).toString('hex')}`;
  const strategy = process.env['MERLON_TEST_DATABASE_STRATEGY'] ?? 'WAL_LOG';
  await administer(`CREATE DATABASE ${name} TEMPLATE "${template}" STRATEGY ${strategy}`);
  const { pool, ...queries } = observe(urlOf(name));
  return {
    url: urlOf(name),
    applicationUrl: urlOf(name, templateUrl('MERLON_TEST_APPLICATION_URL')),
    ...queries,
    drop: async () => {
      await pool.end();
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
