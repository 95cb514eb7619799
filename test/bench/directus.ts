import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from 'pg';
import { freePort } from '../support/free-port.ts';
import { type Target, untilReady } from './load.ts';

/** A Directus on a database of its own, on the same PostgreSQL server, with the same countermeasures. */
export interface Directus {
  readonly target: Target;
  readonly stop: () => Promise<void>;
}

const DATABASE = 'directus';
const TOKEN = 'bench-token-bench-token-bench-token-bench';
const BATCH = 5000;

/** One table with what a row of a list shows, and indexes for the orders and filters that are measured. */
const TABLE = `
  CREATE TABLE countermeasure (
    id varchar(32) PRIMARY KEY, number integer NOT NULL, title text NOT NULL, text text NOT NULL,
    problem varchar(32), priority integer NOT NULL, phase varchar(32), active boolean NOT NULL, tags json,
    match_conditions json, type varchar(32), created_by varchar(255), created_date timestamptz,
    last_updated_by varchar(255), last_updated_date timestamptz);
  CREATE INDEX ON countermeasure (number);
  CREATE INDEX ON countermeasure (priority DESC, number DESC) WHERE active`;

/** The same rows as those of the service, with the names that they refer to in place of keys. */
const ROWS = `
  SELECT v.item_id AS id, v.number, v.title, v.text, w.item_id AS problem, v.priority, p.item_id AS phase, v.active,
    to_json(v.tags) AS tags, 'Custom' AS type, u.email AS created_by, v.created_at AS created_date,
    u.email AS last_updated_by, v.updated_at AS last_updated_date,
    (SELECT json_agg(json_build_object('id', m.item_id, 'required', m.required, 'excluded', m.excluded))
      FROM match_condition m WHERE m.countermeasure_version_id = v.id) AS match_conditions
  FROM countermeasure_version v JOIN weakness w ON w.id = v.weakness_id JOIN phase p ON p.id = v.phase_id
  LEFT JOIN user_account u ON u.id = v.created_by
  WHERE v.is_custom AND v.number > $1 ORDER BY v.number LIMIT ${BATCH}`;

async function copyRows(from: string, to: string): Promise<void> {
  const [source, target] = [new Client({ connectionString: from }), new Client({ connectionString: to })];
  await Promise.all([source.connect(), target.connect()]);
  await target.query(TABLE);
  for (let last = 0; ;) {
    const { rows } = await source.query<{ number: number }>(ROWS, [last]);
    if (!rows.length) break;
    await target.query(
      'INSERT INTO countermeasure SELECT * FROM json_populate_recordset(NULL::countermeasure, $1::json)',
      [JSON.stringify(rows)],
    );
    last = rows.at(-1)?.number ?? 0;
  }
  await target.query('VACUUM ANALYZE');
  await Promise.all([source.end(), target.end()]);
}

/**
 * Starts Directus, without a cache, a limit of requests or telemetry.
 *
 * @param program folder that `npm install directus` was run in
 * @param folder for its files
 * @param database address of the service's database, whose countermeasures are copied
 * @returns where it answers, as its administrator
 */
export async function startDirectus(program: string, folder: string, database: string): Promise<Directus> {
  const url = new URL(database);
  url.pathname = `/${DATABASE}`;
  const client = new Client({ connectionString: database });
  await client.connect();
  await client.query(`CREATE DATABASE ${DATABASE}`);
  await client.end();
  await copyRows(database, url.href);

  const port = await freePort();
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: url.href,
    DB_POOL__MAX: '20',
    SECRET: TOKEN,
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: TOKEN,
    ADMIN_TOKEN: TOKEN,
    HOST: '127.0.0.1',
    PORT: String(port),
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    WEBSOCKETS_ENABLED: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
    STORAGE_LOCAL_ROOT: path.join(folder, 'uploads'),
    EXTENSIONS_PATH: path.join(folder, 'extensions'),
  };
  const run = (command: string): ChildProcess =>
    spawn(process.execPath, [path.join(program, 'node_modules/directus/cli.js'), command], {
      cwd: program,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  await once(run('bootstrap'), 'exit');
  const server = run('start');
  const origin = `http://127.0.0.1:${port}`;
  await untilReady(`${origin}/server/ping`);
  return {
    target: { origin, headers: { authorization: `Bearer ${TOKEN}` } },
    stop: async () => {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}
