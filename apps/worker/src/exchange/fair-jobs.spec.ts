import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApi, type TestApi } from '#test/support/api.js';
import type { ApiClient } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { countermeasureBody } from '#test/support/factories.js';
import { waitForExport, blockExports, makeExport } from '#test/support/exports.js';
import { waitForImport, importRows } from '#test/support/imports.js';
import { describeOnQueues, startRedis, type TestRedis } from '#test/support/redis.js';
import { startTestWorker, temporaryFolder, type TestWorker } from '#test/support/worker.js';
import { type TableLock, lockTable } from '#test/support/table-locks.js';

/** How soon a job of an organization must start, however many jobs others have queued, on a machine that is very busy. */
const START_SECONDS = 30;

const times = <Result>(count: number, make: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, make));

/** Pauses every import midway until `release`. */
const holdImports = (databaseUrl: string): Promise<TableLock> =>
  lockTable(databaseUrl, 'import_row', 'ACCESS EXCLUSIVE');

describeOnQueues('Jobs of several organizations, with queues on %s', (backend) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let redis: TestRedis | undefined;
  let test: TestApi;
  let worker: TestWorker | undefined;
  let one: ApiClient;
  let other: ApiClient;

  const startWorker = async (): Promise<void> => {
    const settings = { DATABASE_URL: test.database.applicationUrl, DATA_DIR: folder.path };
    worker = await startTestWorker({ ...settings, ...(redis && { REDIS_URL: redis.url }) });
  };
  /** The position of this job in the order in which all jobs were started. */
  const placeOf = async (table: string, id: number): Promise<number> => {
    const jobs = await test.database.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE starts > 0 OR status IN ('success', 'ready_for_review') ORDER BY taken_at`,
    );
    const place = jobs.findIndex((job) => Number(job.id) === id) + 1;
    if (!place) throw new Error(`Job ${id} in ${table} has not been started.`);
    return place;
  };

  const running = async (table: string): Promise<number> =>
    (await test.database.query(`SELECT 1 FROM ${table} WHERE lease_until IS NOT NULL`)).length;

  beforeAll(async () => {
    folder = await temporaryFolder();
    if (backend === 'redis') redis = await startRedis();
    test = await startTestApi({ DATA_DIR: folder.path });
  });
  beforeEach(async () => {
    await test.database.query('TRUNCATE export_job; TRUNCATE import_job CASCADE');
    [{ api: one }, { api: other }] = [await test.newOrganization(), await test.newOrganization()];
  });
  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
  });
  afterAll(async () => {
    await test.close();
    await redis?.stop();
    await folder.remove();
  });

  it('start an export soon while exports of another organization are running', async () => {
    await startWorker();
    const tableLock = await blockExports(test.database.url);
    try {
      await times(6, () => makeExport(one));
      await eventually(async () => (await running('export_job')) >= 2);
      await sleep(500); // in which a third one would start
      expect(await running('export_job')).toBe(2);
      await waitForExport(other, (await makeExport(other)).id, ['in_progress'], START_SECONDS);
      expect(await running('export_job')).toBe(3);
    } finally {
      await tableLock.release();
    }
  });

  it('start an import soon while imports of another organization are running', async () => {
    await startWorker();
    const tableLock = await holdImports(test.database.url);
    try {
      await times(3, () => importRows(one, 'standard', countermeasureBody()));
      await eventually(async () => (await running('import_job')) >= 1);
      await sleep(500); // in which a second one would start
      expect(await running('import_job')).toBe(1);
      const job = await importRows(other, 'standard', countermeasureBody());
      await waitForImport(other, job, ['generating_diff'], START_SECONDS);
    } finally {
      await tableLock.release();
    }
  });

  it('take turns, so that a job does not wait for the queued jobs of another organization', async () => {
    const template = { type: 'template', content_models: ['phase'] };
    const many = await times(40, () => makeExport(one, template));
    const imports = await times(15, () => importRows(one, 'phase', { name: 'Ours' }));
    const last = await makeExport(other, template);
    const lastImport = await importRows(other, 'phase', { name: 'Ours' });
    await startWorker();
    await waitForExport(other, last.id, ['success'], START_SECONDS);
    await waitForImport(other, lastImport, ['ready_for_review'], START_SECONDS);
    expect(await placeOf('export_job', last.id)).toBeLessThanOrEqual(3);
    expect(await placeOf('import_job', lastImport.id)).toBeLessThanOrEqual(3);
    for (const { id } of many) await waitForExport(one, id, ['success']);
    for (const job of imports) await waitForImport(one, job, ['ready_for_review']);
  });
});
