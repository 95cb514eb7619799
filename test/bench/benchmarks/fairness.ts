// `npm run bench -- fairness [--rounds N] [--seconds N] [--size N]`: delays of one organization's requests, of the start
// of its jobs, and of changes of its library, alternately on an idle service and while another organization causes as
// much work as it can. `--rounds 0` only measures changes of the library. See docs/operate/performance.md.
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { quantile } from '../../support/quantile.ts';
import { FOLLOW_PARENT, startDatabase, startService, startWorker } from '../deployment.ts';
import { measureRefreshes } from '../fairness-refresh.ts';
import { ask, type Target, textOf } from '../load.ts';
import { seedPortfolio } from '../report-scenarios.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '20' },
    size: { type: 'string', default: '10000' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const size = Number(values.size);
const root = path.resolve(import.meta.dirname, '../../..');
/** The pause between a response and the next request, as of a person. */
const PAUSE_MILLISECONDS = 10;
const JOBS = 5;
const JOB_PATIENCE_MILLISECONDS = 120_000;
/** Not measured, while caches fill and the load starts. */
const WARM_UP_SECONDS = 5;
/** The pause after a load, until its requests and jobs have ended. */
const REST_SECONDS = 5;
const TARGETS = { delays: 2, jobSeconds: 5 };

/** The requests of the measured organization, in turn. */
const REQUESTS: readonly (readonly [name: string, send: (target: Target, n: number) => Promise<unknown>])[] = [
  ['item', (target) => textOf(target, '/api/v2/library/tasks/T1/')],
  ['page', (target) => textOf(target, '/api/v2/library/tasks/?page_size=100')],
  ['filtered', (target) => textOf(target, '/api/v2/library/tasks/?page_size=100&priority__gte=5&ordering=-priority')],
  ['write', (target, n) => textOf(target, '/api/v2/library/attributes/', { body: { name: `Attribute ${n}` } })],
];

interface Counts {
  readonly answered: number;
  readonly throttled: number;
}

let sent = 0;

/** Milliseconds of each kind of request. */
type Delays = ReadonlyMap<string, number[]>;

const noDelays = (): Delays => new Map(REQUESTS.map(([name]) => [name, []]));

/** Sends requests for a time and adds their durations. */
async function measure(target: Target, forSeconds: number, delays: Delays): Promise<void> {
  for (const end = Date.now() + forSeconds * 1000; Date.now() < end;) {
    for (const [name, send] of REQUESTS) {
      const begun = performance.now();
      sent += 1;
      await send(target, sent);
      delays.get(name)?.push(performance.now() - begun);
      await sleep(PAUSE_MILLISECONDS);
    }
  }
}

/** The longest time from the request of an export until a worker starts it, in seconds. */
async function jobStart(target: Target): Promise<number> {
  const body = { type: 'content', file_format: 'csv', content_models: ['weakness'] };
  let longest = 0;
  for (let count = 0; count < JOBS; count += 1) {
    const begun = performance.now();
    const { id } = await ask<{ id: string }>(target, '/api/v2/library/export/', { body });
    const isPending = async (): Promise<boolean> =>
      (await ask<{ status: string }>(target, `/api/v2/library/export/${id}/`)).status === 'pending';
    while ((await isPending()) && performance.now() - begun < JOB_PATIENCE_MILLISECONDS) await sleep(50);
    longest = Math.max(longest, (performance.now() - begun) / 1000);
  }
  return longest;
}

/** Runs work while another organization sends as much as it can; returns the counts of its responses. */
async function underLoad(target: Target, work: () => Promise<void>): Promise<Counts> {
  const load = await startLoad(target);
  try {
    await sleep(WARM_UP_SECONDS * 1000);
    await work();
    const counts = once(load, 'message');
    load.send('counts');
    const [counted] = (await counts) as [Counts];
    return counted;
  } finally {
    if (load.kill('SIGTERM')) await once(load, 'exit');
  }
}

async function startLoad({ origin, headers }: Target): Promise<ChildProcess> {
  const token = headers.authorization?.replace('Token ', '') ?? '';
  const child = fork(path.join(root, 'test/bench/fairness-load.ts'), {
    env: { ...process.env, ORIGIN: origin, TOKEN: token },
    detached: true,
    execArgv: FOLLOW_PARENT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, size);
const stops: (() => Promise<unknown>)[] = [() => database.stop()];
try {
  await seedPortfolio(database, { projects: 200, tasks: 100, activities: 50_000 });
  const words = ['organization', 'create', '--name', 'Measured', '--email', 'measured@example.com'];
  const output = execFileSync(process.execPath, ['dist/apps/admin/src/main.js', ...words], {
    cwd: root,
    env: database.env,
    encoding: 'utf8',
  });
  const { token } = JSON.parse(output) as { token: string };
  const service = await startService(database);
  stops.unshift(service.stop);
  const worker = await startWorker({ ...database.env, WORKER_PORT: '0' });
  stops.unshift(worker.stop);
  const measured: Target = { origin: service.target.origin, headers: { authorization: `Token ${token}` } };

  if (rounds > 0) await measureRequests(service.target, measured);
  await measureRefreshes(database, measured);
} finally {
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measureRequests(loading: Target, measured: Target): Promise<void> {
  await measure(measured, WARM_UP_SECONDS, noDelays());
  const idle = noDelays();
  const loaded = noDelays();
  const total = { answered: 0, throttled: 0 };
  const idleJobs: number[] = [];
  const loadedJobs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await measure(measured, seconds, idle);
    idleJobs.push(await jobStart(measured));
    const { answered, throttled } = await underLoad(loading, async () => {
      await measure(measured, seconds, loaded);
      loadedJobs.push(await jobStart(measured));
    });
    total.answered += answered;
    total.throttled += throttled;
    await sleep(REST_SECONDS * 1000);
  }

  console.log(`${size} countermeasures, ${cpus().length} CPUs, ${rounds} rounds of ${seconds} s each`);
  console.log(`The other organization: ${total.answered} requests answered, ${total.throttled} throttled\n`);
  console.log('request     idle p50   p99 ms   loaded p50   p99 ms   ratio of p99');
  const all = (delays: Delays): number[] => [...delays.values()].flat();
  for (const name of [...idle.keys(), 'all']) {
    const [before, under] = [idle, loaded].map((delays) => delays.get(name) ?? all(delays));
    const cells = [before, under].flatMap((list = []) => [quantile(list, 0.5), quantile(list, 0.99)]);
    const ratio = quantile(under ?? [], 0.99) / quantile(before ?? [], 0.99);
    console.log(
      `${name.padEnd(9)} ${cells.map((cell) => cell.toFixed(1).padStart(10)).join('')}   ${ratio.toFixed(2)}`,
    );
  }
  console.log(`\nTarget: p99 under load within ${TARGETS.delays} × idle.`);
  console.log(
    `Jobs start within ${Math.max(...idleJobs).toFixed(1)} s idle, ${Math.max(...loadedJobs).toFixed(1)} s under load ` +
      `(target: ${TARGETS.jobSeconds} s).`,
  );
}
