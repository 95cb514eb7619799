import { setTimeout as sleep } from 'node:timers/promises';

import { startTestApi, type TestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { type DurableDatabase, durableDatabase } from '../support/durable-database.js';
import { settles } from '../support/eventually.js';
import { makeEmptyProject } from '../support/project-content.js';
import { ServiceProcess } from '../support/service-process.js';
import type { ContractTracker } from '../support/tracker-contract.js';
import { startFakeGitHub } from '../support/trackers/fake-github.js';
import { temporaryFolder } from '../support/worker.js';
import { randomFrom } from './random.js';

// The whole proof: TRACKER_FAULT_ISSUES=1000 npm run test:faults -- faults/trackers. Other seeds: TRACKER_FAULT_SEED.
const ISSUES = Number(process.env['TRACKER_FAULT_ISSUES'] ?? 120);
const SEED = Number(process.env['TRACKER_FAULT_SEED'] ?? 1);
const DEATHS = 6;
const PATIENCE_SECONDS = 90 + ISSUES / 5;

interface Run {
  id: number;
  status: string;
}

describe('Issues under faults', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let tracker: ContractTracker;
  let database: DurableDatabase;
  let test: TestApi;
  let worker: ServiceProcess;
  let path: string;
  const reaching = { CONNECTION_ALLOW_PRIVATE: 'true', CONNECTION_TIMEOUT_SECONDS: '1' };

  const start = (): Promise<ServiceProcess> =>
    new ServiceProcess('worker', {
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      ...reaching,
    }).ready();

  /** The titles of our issues in the tracker. */
  async function titles(): Promise<string[]> {
    const found: string[] = [];
    for (let page = 1; ; page += 1) {
      const query = `state=all&labels=merlon&per_page=100&page=${page}`;
      const response = await fetch(`${tracker.access.url}/api/v3/repos/acme/shop/issues?${query}`, {
        headers: {
          Authorization: `Bearer ${tracker.access.token}`,
          'User-Agent': 'test',
          'X-GitHub-Api-Version': '2022-11-28',
        },
      });
      const issues = (await response.json()) as { title: string; pull_request?: object }[];
      found.push(...issues.filter((issue) => !issue.pull_request).map(({ title }) => title));
      if (issues.length < 100) return found;
    }
  }

  /** Asks for a run, also while the database starts again, and waits for its end. */
  async function sync(): Promise<Run & Record<string, number>> {
    const { id } = await bodyOf(test.api.post<Run>(`${path}sync/`), 202);
    let run: (Run & Record<string, number>) | undefined;
    await settles(async () => {
      const { status, body } = await test.api.get<Run & Record<string, number>>(`${path}runs/${id}/`);
      run = status === 200 ? body : undefined;
      return run?.status === 'succeeded' || run?.status === 'failed';
    }, PATIENCE_SECONDS);
    if (!run) throw new Error('The run can not be read.');
    return run;
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    tracker = await startFakeGitHub();
    database = await durableDatabase();
    test = await startTestApi(reaching, database);
    const project = await makeEmptyProject(test);
    await test.database.query(
      `INSERT INTO project_countermeasure (organization_id, project_id, number, title, text, phase_id, priority)
       SELECT p.organization_id, p.id, n, 'Task ' || n, 'What to do.', (SELECT min(id) FROM phase), 5
       FROM project p, generate_series(1, $2::int) n WHERE p.id = $1`,
      [project.id, ISSUES],
    );
    const params = { url: tracker.access.url, token: tracker.access.token };
    const { id: connector } = await bodyOf(
      test.api.post<{ id: number }>('/connectors/issue-tracker/', { name: 'x', system: { id: 'github' }, params }),
      201,
    );
    const base = `/projects/${project.id}/issue-tracker-connections/`;
    const body = {
      connector,
      project_key: tracker.project,
      frequency: 'hourly',
      status_to_tracker: { TS1: 'closed', TS2: 'open' },
      tracker_to_status: { closed: 'TS1', open: 'TS2' },
    };
    path = `${base}${(await bodyOf(test.api.post<{ id: number }>(base, body), 201)).id}/`;
    worker = await start();
  }, 90_000);
  afterAll(async () => {
    await worker.kill();
    await test.close();
    await tracker.stop();
    await folder.remove();
  });

  it(
    `are neither lost nor created twice, despite crashes (${ISSUES} issues, seed ${SEED})`,
    async () => {
      const random = randomFrom(SEED);
      await bodyOf(test.api.post(`${path}sync/`), 202);
      const counts: number[] = [];
      for (let death = 0; death < DEATHS; death += 1) {
        // Wait until the work goes on, then strike at a random moment of it.
        const before = (await titles()).length;
        await settles(async () => (await titles()).length > before, 15, 20);
        await sleep(random() * 200);
        if (death % 3 === 2) await database.crash();
        else {
          await worker.kill();
          worker = await start();
        }
        counts.push((await titles()).length);
      }
      process.stderr.write(`issues after each death: ${counts.join(', ')}\n`);
      let last: (Run & Record<string, number>) | undefined;
      await settles(async () => {
        last = await sync();
        return last.status === 'succeeded' && (await titles()).length >= ISSUES;
      }, PATIENCE_SECONDS);
      expect(last).toMatchObject({ status: 'succeeded', issues_failed: 0 });
      const found = await titles();
      expect([found.length, new Set(found).size]).toEqual([ISSUES, ISSUES]);
      // Nothing is left to do.
      expect(await sync()).toMatchObject({ issues_created: 0, issues_changed: 0, tasks_changed: 0, issues_missing: 0 });
      expect(await titles()).toEqual(found);
    },
    PATIENCE_SECONDS * 3000,
  );
});
