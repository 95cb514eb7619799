import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { Client, Pool, type QueryResultRow } from 'pg';

import type { SqlMutant } from '../mutation/sql/sql-mutant.ts';

/** Application name of the connections of `query`, so that tests can tell them from those of the API. */
export const OBSERVER = 'test';

/** A suite's own copy of the template. */
export interface TestDatabase {
  /** Connects as a super-user, who may do everything: for preparing and inspecting data. */
  readonly url: string;
  /** Connects as the owner of the tables, as `admin` does. */
  readonly ownerUrl: string;
  /** Connects as the API and the worker do. */
  readonly applicationUrl: string;
  /** Rows of a statement, for data that the API does not show. `bigint` values are strings. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Rows of a long, often repeated statement, which is prepared under this name. */
  queryAgain<Row extends QueryResultRow>(name: string, text: string): Promise<Row[]>;
  drop(): Promise<void>;
}

function templateUrl(variable = 'MERLON_TEST_DATABASE_URL'): URL {
  const url = process.env[variable];
  if (url === undefined)
    throw new Error('There is no test database server. Run this with jest, whose global setup starts one.');
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

/** The functions of the schema with the mutant that this run has to notice; undefined if it is not one of theirs. */
function mutatedFunctions(): string | undefined {
  const mutant = JSON.parse(process.env['MERLON_TEST_MUTANT'] ?? 'null') as SqlMutant | null;
  if (!mutant?.file.endsWith('.sql')) return undefined;
  const text = readFileSync(path.resolve(import.meta.dirname, '../..', mutant.file), 'utf8');
  const changed = text.replace(mutant.search, () => mutant.replacement);
  return changed.replaceAll('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');
}

/** Clones the template. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const database = await makeDatabase(nameOf(templateUrl().href));
  const functions = mutatedFunctions();
  if (functions !== undefined) await database.query(functions);
  return database;
}

/** Creates an empty database. */
export const emptyDatabase = (): Promise<TestDatabase> => makeDatabase('template0');

/** Opens connections for preparing and inspecting data. */
export function observe(url: string): { readonly pool: Pool } & Pick<TestDatabase, 'query' | 'queryAgain'> {
  const pool = new Pool({ connectionString: url, max: 4, application_name: OBSERVER });
  // Connections that are still closing emit an error when the database is dropped.
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
  const ownerUrl = urlOf(name, templateUrl('MERLON_TEST_OWNER_URL'));
  const owner = new URL(ownerUrl).username;
  await administer(`CREATE DATABASE ${name} TEMPLATE "${template}" STRATEGY ${strategy} OWNER ${owner}`);
  const { pool, ...queries } = observe(urlOf(name));
  return {
    url: urlOf(name),
    ownerUrl,
    applicationUrl: urlOf(name, templateUrl('MERLON_TEST_APPLICATION_URL')),
    ...queries,
    drop: async () => {
      await pool.end();
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
