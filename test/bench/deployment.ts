import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.js';
import { NODE_ENVIRONMENT, NODE_OPTIONS } from '#platform/node-options.js';
import { freePort } from '../support/free-port.ts';
import { superuserUrl } from '../support/superuser.ts';
import type { Target } from './load.ts';
import type { Statements } from './minimal-server.ts';

/** A service with a large library, and a minimal server on the same database. */
export interface Deployment {
  readonly service: Target;
  readonly minimal: Target;
  /** The service's database. */
  readonly databaseUrl: string;
  /** Resident memory of the API process, in bytes. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

/** The token of everything that a benchmark starts. */
export const TOKEN = 'bench-token-bench-token-bench-token-bench';
const root = path.resolve(import.meta.dirname, '../..');
/** Options for processes in separate sessions, as the launcher starts them: they end with this process. */
export const FOLLOW_PARENT = [
  '--import',
  pathToFileURL(path.join(root, 'dist/apps/launcher/src/follow-parent.js')).href,
];

/** Texts as long as real ones, tags and match conditions, spread over weaknesses, phases and priorities. */
const SEED = `
  WITH made AS (
    INSERT INTO countermeasure (organization_id, number)
    SELECT $1, 999 + n FROM generate_series(1, $2::int) n RETURNING id, number),
  weaknesses AS (SELECT array_agg(id) AS ids FROM weakness),
  phases AS (SELECT array_agg(id) AS ids FROM phase),
  versions AS (
    INSERT INTO countermeasure_version (countermeasure_id, organization_id, is_custom, number, title, text,
      weakness_id, phase_id, priority, tags, created_by, updated_by)
    SELECT made.id, $1, true, number, 'Countermeasure ' || md5(number::text),
      repeat('Check every input where it enters. ', 25),
      weaknesses.ids[1 + number % cardinality(weaknesses.ids)], phases.ids[1 + number % cardinality(phases.ids)],
        1 + number % 10,
      ARRAY['tag' || number % 50, 'team' || number % 7], $3, $3
    FROM made, weaknesses, phases RETURNING id, number)
  INSERT INTO match_condition (countermeasure_version_id, item_id, db_id, position, required, excluded)
  SELECT versions.id, 'CMC' || number, -number, 1,
    ARRAY(SELECT id FROM survey_answer
      WHERE survey_answer.number IN (1 + versions.number % 40, 41 + versions.number % 20)),
    ARRAY(SELECT id FROM survey_answer WHERE survey_answer.number = 61 + versions.number % 10)
  FROM versions`;

/** Statements that create a business unit with an application, for benchmarks with projects. */
export const APPLICATION_SEED: readonly string[] = [
  `INSERT INTO business_unit (organization_id, name, slug) SELECT organization_id, 'Bench', 'bench' FROM user_account
    LIMIT 1`,
  `INSERT INTO application (organization_id, business_unit_id, name, slug)
    SELECT organization_id, id, 'Bench', 'bench' FROM business_unit`,
];

/** Resolves once an address responds with success. Throws after a minute. */
export async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await wait(50);
  }
  throw new Error(`${url} did not become ready.`);
}

async function seed(database: string, size: number): Promise<number> {
  const client = new Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<{ organization_id: string; id: string }>(
    'SELECT organization_id, id FROM user_account LIMIT 1',
  );
  const [owner] = rows;
  if (!owner) throw new Error('The deployment has no user.');
  await client.query(SEED, [owner.organization_id, size, owner.id]);
  await client.query(`INSERT INTO id_counter VALUES ($1, 'countermeasure', $2)`, [owner.organization_id, size + 1000]);
  await client.query('VACUUM ANALYZE');
  await client.end();
  return Number(owner.organization_id);
}

/** A database with the starter library and a large library of one organization. */
export interface LargeDatabase {
  readonly url: string;
  readonly organization: number;
  /** The environment of processes on this database. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** Starts a new database and fills it with `size` countermeasures. */
export async function startDatabase(folder: string, size: number): Promise<LargeDatabase> {
  const directory = path.join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({ directory });
  const url = await superuserUrl(directory, postgres);
  try {
    const env = {
      ...process.env,
      ...NODE_ENVIRONMENT,
      DATABASE_URL: url,
      DATABASE_ON_THIS_MACHINE: 'true',
      SECRET_KEY: TOKEN,
      ADMIN_TOKEN: TOKEN,
      DATA_DIR: folder,
      LOG_LEVEL: 'info',
      // One user sends as many requests as the machine can handle.
      USER_RATE_LIMIT: '0',
      ORGANIZATION_RATE_LIMIT: '0',
      ADDRESS_RATE_LIMIT: '0',
    };
    execFileSync(process.execPath, ['dist/apps/admin/src/main.js', 'setup'], {
      cwd: root,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const organization = await seed(url, size);
    return { url, organization, env, stop: () => postgres.stop() };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Child processes that end together. */
class Children {
  private readonly running: ChildProcess[] = [];

  start(file: string, env: NodeJS.ProcessEnv, execArgv: readonly string[] = []): void {
    this.running.push(
      fork(path.resolve(root, file), {
        cwd: root,
        env,
        detached: true,
        execArgv: [...FOLLOW_PARENT, ...execArgv],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
    );
  }

  async stop(): Promise<void> {
    for (const child of this.running) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
}

/** The API on a database, in a separate process. */
export interface Service {
  readonly target: Target;
  /** Resident memory of the process, in bytes. */
  readonly memory: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Starts the API. */
export async function startService(database: LargeDatabase): Promise<Service> {
  const children = new Children();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  children.start('dist/apps/api/src/main.js', { ...database.env, PORT: String(port) }, NODE_OPTIONS);
  try {
    await untilReady(`${origin}/readyz`);
  } catch (error) {
    await children.stop();
    throw error;
  }
  return {
    target: { origin, headers: { authorization: `Token ${TOKEN}` } },
    memory: async () => {
      const text = await (await fetch(`${origin}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
    },
    stop: () => children.stop(),
  };
}

/** The worker, in a separate process. */
export interface WorkerProcess {
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** Starts the built worker; resolves once it works. */
export async function startWorker(env: NodeJS.ProcessEnv): Promise<WorkerProcess> {
  const words = [...FOLLOW_PARENT, ...NODE_OPTIONS, 'dist/apps/worker/src/main.js'];
  const child = spawn(process.execPath, words, {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The worker did not start.')));
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('"Working"')) resolve();
    });
  });
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Starts the API and the minimal server on a new database with `size` countermeasures. */
export async function startDeployment(
  folder: string,
  size: number,
  statements: (organization: number) => Statements,
): Promise<Deployment> {
  const database = await startDatabase(folder, size);
  const children = new Children();
  let service: Service | undefined;
  const stop = async (): Promise<void> => {
    await children.stop();
    await service?.stop();
    await database.stop();
  };
  try {
    service = await startService(database);
    const minimalPort = await freePort();
    children.start('test/bench/minimal-server.ts', {
      ...process.env,
      DATABASE_URL: database.url,
      PORT: String(minimalPort),
      STATEMENTS: JSON.stringify(statements(database.organization)),
    });
    const minimal: Target = { origin: `http://127.0.0.1:${minimalPort}`, headers: {} };
    await untilReady(`${minimal.origin}/list`);
    return { service: service.target, minimal, databaseUrl: database.url, memory: service.memory, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
