// `npm run bench -- library-change [--projects N]`: how long the worker takes to update all projects after a change of
// the library, and how long reads take meanwhile, compared with the same reads while nothing else happens. See
// docs/operate/performance.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { settles } from '../../support/eventually.ts';
import { quantile } from '../../support/quantile.ts';
import { APPLICATION_SEED, startDatabase, startService, startWorker } from '../deployment.ts';
import { ask } from '../load.ts';

const { values } = parseArgs({
  options: { projects: { type: 'string', default: '1000' }, countermeasures: { type: 'string', default: '2000' } },
});
const projects = Number(values.projects);
const READS_PER_SECOND = 40;
const ALONE_SECONDS = 15;
const PATIENCE_SECONDS = 900;

/** Projects of one application, each with its own third of all answers. */
const SEED = [
  ...APPLICATION_SEED,
  `INSERT INTO project (organization_id, application_id, name, slug, refresh_due_at)
   SELECT organization_id, a.id, 'Project ' || n, 'project-' || n, now()
     FROM application a, generate_series(1, ${projects}) n`,
  `INSERT INTO project_answer SELECT p.id, a.id FROM project p
    JOIN survey_answer a ON (a.number * 7919 + p.id * 31) % 3 = 0`,
  'VACUUM ANALYZE',
];

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, Number(values.countermeasures));
const client = new Client({ connectionString: database.url });
try {
  await client.connect();
  for (const statement of SEED) await client.query(statement);
  const service = await startService(database);
  const worker = await startWorker({ ...database.env, WORKER_PORT: '0' });

  /** Waits until the worker has nothing to do for projects; seconds. */
  const untilReached = async (): Promise<number> => {
    const begun = performance.now();
    const isReached = async (): Promise<boolean> => {
      const { rows } = await client.query(
        'SELECT FROM project WHERE refresh_due_at IS NOT NULL UNION ALL SELECT FROM library_change LIMIT 1',
      );
      return rows.length === 0;
    };
    if (!(await settles(isReached, PATIENCE_SECONDS))) throw new Error('The projects were not updated in time.');
    return (performance.now() - begun) / 1000;
  };
  /** Pages of projects' countermeasures at a steady rate: milliseconds of each. */
  const readWhile = async (goesOn: () => boolean): Promise<number[]> => {
    const delays: number[] = [];
    const reads: Promise<void>[] = [];
    for (let index = 0; goesOn(); index += 1) {
      const begun = performance.now();
      const route = `/api/v2/projects/${1 + ((index * 7919) % projects)}/tasks/?page_size=100`;
      reads.push(ask(service.target, route).then(() => void delays.push(performance.now() - begun)));
      await sleep(1000 / READS_PER_SECOND);
    }
    await Promise.all(reads);
    return delays;
  };
  const report = (what: string, delays: readonly number[]): void =>
    console.log(
      `${what.padEnd(34)} ${String(delays.length).padStart(5)} reads, p50 ${quantile(delays, 0.5).toFixed(0)} ms, p95 ${quantile(delays, 0.95).toFixed(0)} ms`,
    );

  try {
    console.log(`${projects} projects, first computation of their content: ${(await untilReached()).toFixed(1)} s`);
    let end = performance.now() + ALONE_SECONDS * 1000;
    await readWhile(() => performance.now() < end);
    end = performance.now() + ALONE_SECONDS * 1000;
    const alone = await readWhile(() => performance.now() < end);
    report('reads before the change', alone);

    const condition = { required: ['A1'], excluded: [] };
    await ask(service.target, '/api/v2/library/tasks/T1/', {
      method: 'PATCH',
      body: { match_conditions: [condition] },
    });
    let reached = 0;
    const reaching = untilReached().then((seconds) => (reached = seconds));
    const duringChange = await readWhile(() => reached === 0);
    await reaching;
    report('reads during the change', duringChange);
    console.log(`all projects updated in ${reached.toFixed(1)} s (target: below 120)`);
    console.log(
      `p95, during / before the change: ${(quantile(duringChange, 0.95) / quantile(alone, 0.95)).toFixed(2)} ` +
        '(target: below 2)',
    );
  } finally {
    await worker.stop();
    await service.stop();
  }
} finally {
  await client.end();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
