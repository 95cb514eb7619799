import { setTimeout as sleep } from 'node:timers/promises';

import { startTestApi, type TestApi } from '../support/api.js';
import { bodyOf, rowsOf } from '../support/client.js';
import { OBSERVER } from '../support/database.js';
import { type DurableDatabase, durableDatabase } from '../support/durable-database.js';
import { eventually } from '../support/eventually.js';
import { countermeasureBody } from '../support/factories.js';
import { differenceOf, type ImportJob, waitForImport, importRows, patchImport } from '../support/imports.js';
import { describeOnQueues, startRedis, type TestRedis } from '../support/redis.js';
import type { Countermeasure, List } from '../support/resources.js';
import { type TableLock, lockTable, untilWaitingForLock } from '../support/table-locks.js';
import { temporaryFolder } from '../support/worker.js';
import { ServiceProcess } from '../support/service-process.js';

const ROWS = 50;
const LEASE_MILLISECONDS = 8000;

describeOnQueues('An import under faults, with queues on %s', (backend) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let redis: TestRedis | undefined;
  let database: DurableDatabase;
  let test: TestApi;
  let workers: ServiceProcess[] = [];
  let holders: TableLock[] = [];

  const startWorker = (): Promise<ServiceProcess> => {
    const worker = new ServiceProcess('worker', {
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      ...(redis && { REDIS_URL: redis.url }),
    });
    workers.push(worker);
    return worker.ready();
  };

  async function hold(table: string): Promise<TableLock> {
    const holder = await lockTable(test.database.url, table);
    holders.push(holder);
    return holder;
  }

  const own = async (api: TestApi['api']): Promise<Countermeasure[]> =>
    rowsOf(api.get<List<Countermeasure>>('/library/tasks/', { type: 'Custom' }));

  beforeAll(async () => {
    folder = await temporaryFolder();
    if (backend === 'redis') redis = await startRedis();
    database = await durableDatabase();
    test = await startTestApi({ DATA_DIR: folder.path }, database);
  }, 90_000);
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    workers = [];
    await Promise.all(holders.map((holder) => holder.release().catch(() => undefined)));
    holders = [];
  });
  afterAll(async () => {
    await test.close();
    await redis?.stop();
    await folder.remove();
  });

  /** An import of new countermeasures that is being applied, and can't get on until it is released. */
  async function applying(): Promise<{
    api: TestApi['api'];
    job: ImportJob;
    worker: ServiceProcess;
    release: () => Promise<void>;
  }> {
    const { api } = await test.newOrganization();
    const worker = await startWorker();
    const job = await importRows(api, 'standard', ...Array.from({ length: ROWS }, () => countermeasureBody()));
    await waitForImport(api, job, ['ready_for_review']);
    await worker.kill();
    await bodyOf(patchImport(api, job, 'accept'));
    // It has changed everything by then.
    const { release } = await hold('activity');
    const next = await startWorker();
    await untilWaitingForLock(test.database, 'INSERT INTO activity');
    expect(await own(api)).toEqual([]);
    return { api, job, worker: next, release };
  }

  it('is applied exactly once if its worker is killed while applying it', async () => {
    const { api, job, worker, release } = await applying();
    await worker.kill();
    expect(await own(api)).toEqual([]);
    await release();
    await startWorker();
    expect(await waitForImport(api, job, ['success', 'fail'], 60)).toMatchObject({ status: 'success', errors: null });
    expect(await own(api)).toHaveLength(ROWS);
  }, 120_000);

  it('is applied exactly once if its connections are cut while it is applied', async () => {
    const { api, job, release } = await applying();
    // All but those of the API, which is only asked here how the import gets on.
    await test.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name <> ALL ($1)`,
      [['merlon api', OBSERVER]],
    );
    await release().catch(() => undefined);
    expect(await waitForImport(api, job, ['success', 'fail'], 60)).toMatchObject({ status: 'success', errors: null });
    expect(await own(api)).toHaveLength(ROWS);
  }, 120_000);

  it('is applied exactly once if its worker is paused for longer than the lease and resumes', async () => {
    const { api, job, worker: sleeper, release } = await applying();
    sleeper.signal('SIGSTOP');
    await startWorker();
    await sleep(LEASE_MILLISECONDS + 2000);
    await release();
    // The changes of the one that sleeps are locked by it. They wait for its end, or for its connection's.
    sleeper.signal('SIGCONT');
    const ended = await waitForImport(api, job, ['success', 'fail'], 60);
    expect(ended).toMatchObject({ status: 'success', errors: null });
    expect(await own(api)).toHaveLength(ROWS);
    await sleep(4000);
    expect(await bodyOf(api.get(`/library/import/${job.id}/`))).toEqual(ended);
    expect(await own(api)).toHaveLength(ROWS);
    expect(sleeper.isAlive).toBe(true);
  }, 120_000);

  it('shows only the difference of the second worker if the first is paused while checking', async () => {
    const { api } = await test.newOrganization();
    const sleeper = await startWorker();
    const { release } = await hold('import_row');
    const job = await importRows(api, 'standard', ...Array.from({ length: ROWS }, () => countermeasureBody()));
    // Before its first row; not at the clean-up of an earlier import's rows, which waits for the same lock.
    await untilWaitingForLock(test.database, 'DELETE FROM import_row WHERE job_id IN');
    sleeper.signal('SIGSTOP');
    await startWorker();
    const fence = async () =>
      (await test.database.query<{ fence: number }>('SELECT fence FROM import_job WHERE id = $1', [job.id]))[0]?.fence;
    // BullMQ notices a stalled job at the second check after its lock has ended.
    await eventually(async () => (await fence()) === 2, 20);
    // It wakes up while the other one is at work, and hears that the job is not its own any more.
    sleeper.signal('SIGCONT');
    await sleep(3000);
    await release();
    const ready = await waitForImport(api, job, ['ready_for_review', 'fail'], 60);
    expect(ready).toMatchObject({ status: 'ready_for_review', errors: null });
    expect((await differenceOf(api, job)).results).toHaveLength(ROWS);
    await eventually(() => sleeper.log.includes('Another worker has taken over this import'));
    const [row] = await test.database.query(
      `SELECT fence, difference_fence, staged_bytes > 0 AS counted, (SELECT array_agg(DISTINCT r.fence)
        FROM import_row r WHERE r.job_id = j.id) AS staged FROM import_job j WHERE id = $1`,
      [job.id],
    );
    expect(row).toEqual({ fence: 2, difference_fence: 2, counted: true, staged: [2] });
    expect(sleeper.isAlive).toBe(true);
  }, 120_000);

  it('is applied exactly once if the database crashes while it is applied', async () => {
    const { api, job, worker, release } = await applying();
    await database.crash();
    await release().catch(() => undefined);
    await sleep(1500);
    expect(await waitForImport(api, job, ['success', 'fail'], 60)).toMatchObject({ status: 'success', errors: null });
    expect(await own(api)).toHaveLength(ROWS);
    expect(worker.isAlive).toBe(true);
  }, 120_000);

  it('is released by its worker on SIGTERM and applied by another one', async () => {
    const { api, job, worker, release } = await applying();
    await worker.stop();
    expect(await bodyOf(api.get(`/library/import/${job.id}/`))).toMatchObject({ status: 'applying_changes' });
    await release();
    await startWorker();
    expect(await waitForImport(api, job, ['success', 'fail'], 60)).toMatchObject({ status: 'success' });
    expect(await own(api)).toHaveLength(ROWS);
  }, 120_000);
});
