// `npm run bench -- trackers [--issues N] [--rounds N]`: how many requests a run sends to a tracker if nothing has changed,
// and how long runs of projects take with and without another tracker that accepts requests and never responds. The
// trackers are in this process: a fake GitHub, and a server that hangs. See docs/operate/performance.md.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { settles } from '../../support/eventually.ts';
import { quantile } from '../../support/quantile.ts';
import type { ContractTracker } from '../../support/tracker-contract.ts';
import { startFakeGitHub } from '../../support/trackers/fake-github.ts';
import { startDatabase, startService, startWorker } from '../deployment.ts';
import { ask, type Target } from '../load.ts';

const { values } = parseArgs({
  options: { issues: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '20' } },
});
const issues = Number(values.issues);
const rounds = Number(values.rounds);
const PROJECTS = 10;
const ISSUES_OF_A_PROJECT = 10;
/** More connections than a worker synchronises at a time. */
const HANGING = 12;
const TIMEOUT_SECONDS = 2;
const PATIENCE_SECONDS = 3600;
const TARGETS = { issuesForARequest: 50, ratio: 2 };

interface EndedRun {
  readonly status: string;
  readonly error: string | null;
  /** How many issues it created. */
  readonly created: number;
  /** From the request to the end. */
  readonly milliseconds: number;
  /** From the request until a worker begins. */
  readonly waiting: number;
}

interface Run extends EndedRun {
  /** How long the worker was ready to run meanwhile, but other processes had the processors. */
  readonly starving: number;
}

/** How long the main thread of a process has waited for a processor, in milliseconds; 0 where Linux does not say it. */
function starvationOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

const stops: (() => Promise<unknown>)[] = [];

async function newTracker(): Promise<ContractTracker> {
  const tracker = await startFakeGitHub();
  stops.unshift(() => tracker.stop());
  return tracker;
}

const post = (target: Target, route: string, body: object): Promise<{ id: number }> =>
  ask<{ id: number }>(target, `/api/v2/${route}/`, { body });

async function newConnector(target: Target, params: object): Promise<number> {
  return (await post(target, 'connectors/issue-tracker', { name: 'Bench', system: { id: 'github' }, params })).id;
}

const paramsOf = ({ access: { url, token } }: ContractTracker): object => ({ url, token });

/** Connects a new project with countermeasures of its own; returns the path of the connection. */
async function connect(pool: Pool, target: Target, connector: number, tasks: number): Promise<string> {
  const name = `Bench ${Math.random()}`;
  const unit = await post(target, 'business-units', { name });
  const application = await post(target, 'applications', { name, business_unit: unit.id });
  const { id } = await post(target, 'projects', { name, application: application.id, profile: null });
  await pool.query('UPDATE project SET content_refresh_locked = true WHERE id = $1', [id]);
  await pool.query('DELETE FROM project_countermeasure WHERE project_id = $1', [id]);
  await pool.query(
    `INSERT INTO project_countermeasure (organization_id, project_id, number, title, text, phase_id, priority)
     SELECT p.organization_id, p.id, n, 'Task ' || n, repeat('What to do, and how to verify it. ', 20),
       (SELECT min(id) FROM phase), 5
     FROM project p, generate_series(1, $2::int) n WHERE p.id = $1`,
    [id, tasks],
  );
  const route = `projects/${id}/issue-tracker-connections`;
  const statuses = { TS1: 'closed', TS2: 'open' };
  const body = { connector, project_key: 'acme/shop', status_to_tracker: statuses };
  return `${route}/${(await post(target, route, body)).id}`;
}

/** Starts a run, and waits for its end. */
async function sync(pool: Pool, target: Target, connection: string): Promise<EndedRun> {
  const { id } = await post(target, `${connection}/sync`, {});
  let run: EndedRun | undefined;
  const ended = async (): Promise<boolean> => {
    const { rows } = await pool.query<EndedRun>(
      `SELECT status, error, created, (extract(epoch FROM finished_at - created_at) * 1000)::float8 AS milliseconds,
         (extract(epoch FROM started_at - created_at) * 1000)::float8 AS waiting
       FROM tracker_sync_run WHERE id = $1 AND finished_at IS NOT NULL`,
      [id],
    );
    [run] = rows;
    return run !== undefined;
  };
  if (!(await settles(ended, PATIENCE_SECONDS)) || !run) throw new Error('A run does not end.');
  return run;
}

async function syncWell(pool: Pool, target: Target, connection: string): Promise<EndedRun> {
  const run = await sync(pool, target, connection);
  if (run.status !== 'succeeded') throw new Error(`A run failed: ${run.error}`);
  return run;
}

/** Prints the requests of runs: one that creates all issues, and two that list them all and find nothing to do. */
async function measureRequests(pool: Pool, target: Target): Promise<void> {
  const tracker = await newTracker();
  const requests = tracker.requests ?? [];
  const connection = await connect(pool, target, await newConnector(target, paramsOf(tracker)), issues);
  console.log(`${issues} countermeasures; a fake GitHub counts the requests\n`);
  console.log('run                          seconds   requests   writes   issues for a request');
  const measure = async (name: string): Promise<void> => {
    const before = requests.length;
    const { created, milliseconds } = await syncWell(pool, target, connection);
    const sent = requests.slice(before);
    const writes = sent.filter((request) => !request.startsWith('GET')).length;
    const cells = [(milliseconds / 1000).toFixed(1), sent.length, writes, (issues / sent.length).toFixed(1)];
    const widths = [10, 11, 9, 23];
    console.log(name.padEnd(26) + cells.map((cell, index) => String(cell).padStart(widths[index] ?? 0)).join(''));
    if (created !== writes) throw new Error(`The run created ${created} issues with ${writes} writes.`);
  };
  await measure('first: creates all issues');
  await measure('second: nothing changed');
  await measure('third: nothing changed');
  if (tracker.faults?.length) throw new Error(tracker.faults.join('\n'));
  console.log(`\nTarget: nothing changed: 0 writes, at least ${TARGETS.issuesForARequest} issues for a request.\n`);
}

/** Prints the durations of runs of projects, alternately without and with runs of projects whose tracker hangs. */
async function measureDelays(pool: Pool, target: Target, worker: number, hangingUrl: string): Promise<void> {
  const tracker = await newTracker();
  const connector = await newConnector(target, paramsOf(tracker));
  const connections: string[] = [];
  for (let count = 0; count < PROJECTS; count += 1)
    connections.push(await connect(pool, target, connector, ISSUES_OF_A_PROJECT));
  for (const connection of connections) await syncWell(pool, target, connection);

  // It gets its address later, so that it is not asked when the connections are saved.
  const dead = await newConnector(target, {});
  const stuck: string[] = [];
  for (let count = 0; count < HANGING; count += 1) stuck.push(await connect(pool, target, dead, 1));
  const params = { url: hangingUrl, token: 'hush' };
  await ask(target, `/api/v2/connectors/issue-tracker/${dead}/`, { method: 'PATCH', body: { params } });

  const times = { without: [] as Run[], with: [] as Run[] };
  const measure = async (runs: Run[]): Promise<void> => {
    for (const connection of connections) {
      const before = starvationOf(worker);
      const run = await syncWell(pool, target, connection);
      runs.push({ ...run, starving: starvationOf(worker) - before });
    }
  };
  await measure([]);
  for (let round = 0; round < rounds; round += 1) {
    await measure(times.without);
    // Each time like the first: connections whose last run failed have slots of their own.
    await pool.query('UPDATE tracker_connection SET failures = 0 WHERE connector_id = $1', [dead]);
    const failing = Promise.all(stuck.map((connection) => sync(pool, target, connection)));
    const started = async (): Promise<boolean> => (await connectionsTo(pool, dead)) > 0;
    if (!(await settles(started, PATIENCE_SECONDS, 10))) throw new Error('No run hangs.');
    await measure(times.with);
    const ended = await failing;
    if (ended.some(({ status }) => status !== 'failed')) throw new Error('A run of the hanging tracker did not fail.');
  }
  const count = times.with.length;
  console.log(`${count} runs of ${PROJECTS} projects without, ${count} with ${HANGING} projects whose tracker hangs\n`);
  console.log(
    'runs                 p50 ms   p99 ms   of the run at p99: until a worker began   worker without a processor',
  );
  const at = (runs: readonly Run[], part: number): Run => {
    const limit = quantile(
      runs.map(({ milliseconds }) => milliseconds),
      part,
    );
    return runs.find(({ milliseconds }) => milliseconds === limit) as Run;
  };
  for (const [name, runs] of Object.entries(times)) {
    const slow = at(runs, 0.99);
    const cells = [at(runs, 0.5).milliseconds, slow.milliseconds, slow.waiting, slow.starving];
    const widths = [9, 9, 44, 29];
    const text = cells.map((cell, index) => cell.toFixed(0).padStart(widths[index] ?? 0)).join('');
    console.log(`${name} it`.padEnd(18) + text);
  }
  const ratio = at(times.with, 0.99).milliseconds / at(times.without, 0.99).milliseconds;
  console.log(`\nRatio of p99: ${ratio.toFixed(2)} (target: below ${TARGETS.ratio}).`);
  console.log('Crashes: `TRACKER_FAULT_ISSUES=1000 npm run test:faults -- faults/trackers`.');
}

/** How many connections of a connector are being synchronised. */
async function connectionsTo(pool: Pool, connector: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM tracker_connection WHERE connector_id = $1 AND lease_until > now()',
    [connector],
  );
  return rows[0]?.count ?? 0;
}

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, 0);
stops.push(() => database.stop());
try {
  const pool = new Pool({ connectionString: database.url });
  stops.unshift(() => pool.end());
  const hanging = createServer(() => undefined);
  hanging.listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  stops.unshift(async () => {
    hanging.closeAllConnections();
    hanging.close();
    await once(hanging, 'close');
  });
  const env = {
    ...database.env,
    CONNECTION_ALLOW_PRIVATE: 'true',
    CONNECTION_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
    WORKER_PORT: '0',
  };
  const service = await startService({ ...database, env });
  stops.unshift(service.stop);
  const worker = await startWorker(env);
  stops.unshift(worker.stop);

  await measureRequests(pool, service.target);
  const { port } = hanging.address() as AddressInfo;
  await measureDelays(pool, service.target, worker.pid, `http://127.0.0.1:${port}`);
} finally {
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true, force: true });
}
