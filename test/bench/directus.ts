import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from 'pg';
import { freePort } from '../support/free-port.ts';
import { TOKEN, untilReady } from './deployment.ts';
import { ask, type Target } from './load.ts';

/** Directus with the same countermeasures, on the same database server. */
export interface Directus {
  readonly target: Target;
  readonly version: string;
  readonly stop: () => Promise<void>;
}

/** The fields of the service, with the same types, and the indexes that the requests of this benchmark use. */
const TABLES = `
  CREATE TABLE person (id integer PRIMARY KEY, email text, first_name text, last_name text);
  CREATE TABLE weakness (id text PRIMARY KEY);
  CREATE TABLE phase (id text PRIMARY KEY);
  CREATE TABLE countermeasure (
    id text PRIMARY KEY, db_id integer, title text, text text, problem text REFERENCES weakness, priority integer,
    phase text REFERENCES phase, active boolean, type text, tags jsonb,
    created_by integer REFERENCES person, created_date timestamptz,
    last_updated_by integer REFERENCES person, last_updated_date timestamptz);
  CREATE INDEX ON countermeasure (priority DESC, id);
  CREATE TABLE match_condition (
    id serial PRIMARY KEY, countermeasure text REFERENCES countermeasure, required jsonb, excluded jsonb);
  CREATE INDEX ON match_condition (countermeasure)`;

/** What each table holds, by the service's own database. */
const SOURCES: Readonly<Record<string, string>> = {
  person: 'SELECT id, email, first_name, last_name FROM user_account',
  weakness: 'SELECT item_id AS id FROM weakness',
  phase: 'SELECT item_id AS id FROM phase',
  countermeasure: `
    SELECT v.item_id AS id, -v.number AS db_id, v.title, v.text, w.item_id AS problem, v.priority, p.item_id AS phase,
      v.active, 'Custom' AS type, to_jsonb(v.tags) AS tags, v.created_by, v.created_at AS created_date,
      v.updated_by AS last_updated_by, v.updated_at AS last_updated_date
    FROM countermeasure_version v JOIN weakness w ON w.id = v.weakness_id JOIN phase p ON p.id = v.phase_id
    WHERE v.is_custom`,
  match_condition: `
    SELECT row_number() OVER () AS id, v.item_id AS countermeasure,
      (SELECT coalesce(jsonb_agg(a.item_id), '[]') FROM survey_answer a WHERE a.id = ANY(m.required)) AS required,
      (SELECT coalesce(jsonb_agg(a.item_id), '[]') FROM survey_answer a WHERE a.id = ANY(m.excluded)) AS excluded
    FROM match_condition m JOIN countermeasure_version v ON v.id = m.countermeasure_version_id WHERE v.is_custom`,
};

async function connected<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Creates a second database on the same server, with copies of the service's rows; returns its URL. */
async function copyRows(url: string): Promise<string> {
  const copy = new URL(url);
  copy.pathname = '/directus';
  await connected(url, async (source) => {
    await source.query('CREATE DATABASE directus');
    await connected(copy.href, async (target) => {
      await target.query(TABLES);
      for (const [table, statement] of Object.entries(SOURCES)) {
        const { rows } = await source.query<{ rows: string }>(`SELECT json_agg(r)::text AS rows FROM (${statement}) r`);
        await target.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
          rows[0]?.rows,
        ]);
      }
      await target.query('VACUUM ANALYZE');
    });
  });
  return copy.href;
}

/** Lets countermeasures show their match conditions, as the service's filtered list does. */
async function relate(target: Target): Promise<void> {
  for (const collection of ['countermeasure', 'match_condition'])
    await ask(target, `/collections/${collection}`, { method: 'PATCH', body: { meta: { hidden: false } } });
  const meta = { special: ['o2m'] };
  await ask(target, '/fields/countermeasure', {
    body: { field: 'match_conditions', type: 'alias', schema: null, meta },
  });
  await ask(target, '/relations/match_condition/countermeasure', {
    method: 'PATCH',
    body: {
      collection: 'match_condition',
      field: 'countermeasure',
      related_collection: 'countermeasure',
      meta: { one_field: 'match_conditions' },
    },
  });
}

/**
 * Starts Directus out of a folder that it was installed in, without what the service does not do either: caches,
 * limits of rates and telemetry.
 *
 * @param folder where `npm install directus` was run
 * @param url the service's database, on whose server Directus gets one of its own
 */
export async function startDirectus(folder: string, url: string): Promise<Directus> {
  const programs = path.join(folder, 'node_modules/.bin');
  const program = path.join(programs, 'directus');
  const port = await freePort();
  const env = {
    ...process.env,
    // The version of Node that is installed there, where one is: Directus does not run on every one.
    PATH: `${programs}${path.delimiter}${process.env['PATH']}`,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: await copyRows(url),
    HOST: '127.0.0.1',
    PORT: String(port),
    SECRET: TOKEN,
    ADMIN_EMAIL: 'ada@example.com',
    ADMIN_PASSWORD: TOKEN,
    ADMIN_TOKEN: TOKEN,
    NODE_ENV: 'production',
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'info',
  };
  const ignored = ['ignore', 'ignore', 'inherit'] as const;
  execFileSync(program, ['bootstrap'], { cwd: folder, env, stdio: [...ignored] });
  const child: ChildProcess = spawn(program, ['start'], { cwd: folder, env, stdio: [...ignored] });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const target = { origin: `http://127.0.0.1:${port}`, headers: { authorization: `Bearer ${TOKEN}` } };
  try {
    await untilReady(`${target.origin}/server/ping`);
    await relate(target);
    const { data } = await ask<{ data: { version?: string } }>(target, '/server/info');
    return { target, version: data.version ?? '', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
