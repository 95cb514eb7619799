// `npm run bench -- reports [--projects N] [--tasks N] [--activities N] [--all]`: delays and throughput of ten typical
// reports (or of all starter reports), and with them the engine by itself and the same SQL sent by hand. See
// docs/operate/performance.md.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { REPORTING_ROLE } from '#domain/reports/reporting-schema/reporting-schema.js';
import { ORGANIZATION_SETTING } from '#domain/kernel/transaction.js';
import { loadResponse } from '#reporting/responses.js';
import { checkQuery } from '#reporting/check-query.js';
import { EmbeddedEngine, SESSION_OPTIONS } from '#reporting/embedded-engine.js';
import { type LargeDatabase, startDatabase, startService } from '../deployment.ts';
import { ask, measure, middle, type Target } from '../load.ts';
import { type Report, reports, seedPortfolio } from '../report-scenarios.ts';

const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '1000' },
    tasks: { type: 'string', default: '300' },
    activities: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '4' },
    all: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
/** The shortest time from startup until a user opens a report. */
const OPENING_SECONDS = 2;
/** Countermeasures that the organization created, in addition to the built-in ones. */
const OWN_COUNTERMEASURES = 500;

/** The SQL that the engine generates for a query. */
async function sqlOf(target: Target, query: object): Promise<readonly [string, unknown[]]> {
  const { token } = await ask<{ token: string }>(target, '/api/v2/users/me/auth-token/');
  const bearer = { origin: target.origin, headers: { authorization: `Bearer ${token}` } };
  return (await ask<{ sql: { sql: readonly [string, unknown[]] } }>(bearer, '/cubejs-api/v1/sql', { body: { query } }))
    .sql.sql;
}

/** Milliseconds that statements with parameters took on the engine's connection, including reading the rows. */
const statements: number[] = [];

/** A connection that measures its statements, in `statements`. */
class TimingClient extends Client {
  override query(...words: unknown[]): never {
    const begun = performance.now();
    const answer = (super.query.bind(this) as (...parameters: unknown[]) => Promise<unknown>)(...words);
    const timed = () => answer.finally(() => statements.push(performance.now() - begun));
    return (typeof words[0] === 'string' ? answer : timed()) as never;
  }
}

/** The engine alone, as the API uses it: from the saved query to the text of the response. */
function openEngine({ url, organization }: LargeDatabase): {
  run(query: object): Promise<string>;
  close(): Promise<void>;
} {
  const engine = new EmbeddedEngine({
    url,
    poolSize: 1,
    timeoutSeconds: 30,
    Client: TimingClient,
    role: REPORTING_ROLE,
    organizationSetting: ORGANIZATION_SETTING,
  });
  return {
    async run(input) {
      const checked = checkQuery(input);
      const [query] = checked.queries;
      if (!query) throw new Error('The checked query is empty.');
      return JSON.stringify(loadResponse(checked, [{ query, result: await engine.load(query, organization) }]));
    },
    close: () => engine.close(),
  };
}

/** A connection like those of the engine, for the organization. */
async function connectByHand({ url, organization }: LargeDatabase): Promise<Client> {
  const client = new Client({ connectionString: url, options: SESSION_OPTIONS });
  await client.connect();
  await client.query(`SET ${ORGANIZATION_SETTING} = '${organization}'; SET ROLE ${REPORTING_ROLE}`);
  return client;
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await action();
  return performance.now() - begun;
}

const cells = (figures: readonly number[]): string => figures.map((figure) => figure.toFixed(1).padStart(10)).join('');

/**
 * Measures one report: alternately by the API, by the engine alone and as SQL, and then by several readers at once.
 */
/** Saves a report; returns the path that runs it. */
async function runOf(target: Target, report: Report | undefined): Promise<string> {
  const { id } = await ask<{ id: number }>(target, '/api/v2/queries/', { body: report });
  return `/api/v2/queries/${id}/run/`;
}

async function measureReport(
  target: Target,
  engine: ReturnType<typeof openEngine>,
  byHand: Client,
  report: Report,
): Promise<string> {
  const route = await runOf(target, report);
  const [text, parameters] = await sqlOf(target, report.query);
  const { data } = await ask<{ data: unknown[] }>(target, route);
  const ways = {
    alone: () => ask(target, route),
    engine: () => engine.run(report.query),
    byHand: () => byHand.query({ text, values: parameters, rowMode: 'array' }),
  };
  const took: Record<keyof typeof ways, number[]> = { alone: [], engine: [], byHand: [] };
  const beyond: number[] = [];
  // The order is varied, because the first run fills caches for the second one.
  const order = Object.keys(ways) as (keyof typeof ways)[];
  for (let round = 0; round < rounds; round += 1) {
    order.push(...order.splice(0, 1));
    for (const way of order) {
      statements.length = 0;
      const time = await timed(ways[way]);
      took[way].push(time);
      if (way === 'engine') beyond.push(time - statements.reduce((sum, statement) => sum + statement, 0));
    }
  }
  const scenario = { name: report.title, about: report.title, method: 'GET', path: () => route, target: {} } as const;
  const loaded = await measure(target, scenario, scenario.path, Number(values.connections), Number(values.seconds));
  return `${report.title.slice(0, 44).padEnd(44)}${String(data.length).padStart(6)}${cells([middle(took.alone), middle(took.engine), middle(took.byHand), middle(beyond), loaded.p50, loaded.p99, loaded.perSecond])}`;
}

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, OWN_COUNTERMEASURES);
try {
  const portfolio = {
    projects: Number(values.projects),
    tasks: Number(values.tasks),
    activities: Number(values.activities),
  };
  const seeding = await timed(() => seedPortfolio(database, portfolio));
  console.log(`${JSON.stringify(portfolio)} in ${(seeding / 1000).toFixed(0)} s`);
  const service = await startService(database);
  const engine = openEngine(database);
  const byHand = await connectByHand(database);
  try {
    await sleep(OPENING_SECONDS * 1000);
    const [some] = reports(false);
    const route = await runOf(service.target, some);
    const first = await timed(() => ask(service.target, route));
    console.log(`First report, ${OPENING_SECONDS} s after the start: ${first.toFixed(0)} ms (target: 1000)\n`);
    console.log(`Load of the machine: ${readFileSync('/proc/loadavg', 'utf8').trim()}\n`);
    const head = ['alone ms', 'engine ms', 'hand ms', 'more ms', 'p50 ms', 'p99 ms', 'per s']
      .map((name) => name.padStart(10))
      .join('');
    console.log(`${`report; from "p50" on: ${values.connections} readers`.padEnd(44)}  rows${head}`);
    for (const report of reports(values.all)) console.log(await measureReport(service.target, engine, byHand, report));
    console.log(`\nLoad: ${readFileSync('/proc/loadavg', 'utf8').trim()}`);
    console.log(`Memory of the API: ${Math.round((await service.memory()) / 2 ** 20)} MiB (target: 300)`);
  } finally {
    await byHand.end();
    await engine.close();
    await service.stop();
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
