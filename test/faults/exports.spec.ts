import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { startTestApi, type TestApi } from '../support/api.js';
import { type Answer, bodyOf } from '../support/client.js';
import { type DurableDatabase, durableDatabase } from '../support/durable-database.js';
import { type ExportJob, waitForExport, blockExports, storedFiles, makeExport } from '../support/exports.js';
import { eventually } from '../support/eventually.js';
import { startFakeBucket } from '../support/fake-bucket.js';
import { describeOnQueues, startRedis, type TestRedis } from '../support/redis.js';
import { lockTable, untilWaitingForLock } from '../support/table-locks.js';
import { temporaryFolder } from '../support/worker.js';
import { ServiceProcess } from '../support/service-process.js';

const ENDED = ['success', 'fail', 'cancel'] as const;
const LEASE_MILLISECONDS = 8000;

const mountSmall = (folder: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', folder]).status === 0;

/** Whether this process may mount: root in a container mostly may not. */
function mayMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'merlon-mount-'));
  const mounted = mountSmall(folder);
  if (mounted) spawnSync('umount', [folder]);
  rmdirSync(folder);
  return mounted;
}

const itFillsDisks = mayMount() ? it : it.skip;

describeOnQueues('Exports under faults, with queues on %s', (backend) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let redis: TestRedis | undefined;
  let database: DurableDatabase;
  let test: TestApi;
  let workers: ServiceProcess[] = [];

  const startWorker = async (settings: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> => {
    const worker = new ServiceProcess('worker', {
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      ...(redis && { REDIS_URL: redis.url }),
      ...settings,
    });
    workers.push(worker);
    return worker.ready();
  };
  const fileOf = (id: number): Promise<Answer> =>
    test.api.with({ Accept: 'application/zip' }).get(`/library/export/${id}/file/`);

  /** The one file of a job that has succeeded, whole. */
  async function expectOneFile(id: number): Promise<string> {
    const { status, headers, text } = await fileOf(id);
    expect({ status, start: text.slice(0, 2), end: text.includes('PK\u0005\u0006') }).toEqual({
      status: 200,
      start: 'PK',
      end: true,
    });
    const files = (await storedFiles(folder.path)).filter((name) => name.startsWith(`${id}-`));
    expect(files).toEqual([expect.stringMatching(/^\d+-\d+\.zip$/)]);
    return String(headers.etag);
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    if (backend === 'redis') redis = await startRedis();
    database = await durableDatabase();
    test = await startTestApi({ DATA_DIR: folder.path }, database);
  }, 90_000);
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    workers = [];
  });
  afterAll(async () => {
    await test.close();
    await redis?.stop();
    await folder.remove();
  });

  it('succeed within 15 s after their killed worker is restarted', async () => {
    const tableLock = await blockExports(test.database.url);
    const first = await startWorker();
    const { id } = await makeExport(test.api);
    await waitForExport(test.api, id, ['in_progress']);
    await first.kill();
    await tableLock.release();
    const restarted = Date.now();
    await startWorker();
    expect(await waitForExport(test.api, id, ENDED)).toMatchObject({ status: 'success', errors: null });
    expect(Date.now() - restarted).toBeLessThan(15_000);
    await expectOneFile(id);
  });

  it('create one file per job with two workers', async () => {
    await Promise.all([startWorker(), startWorker()]);
    const jobs = await Promise.all(Array.from({ length: 6 }, () => makeExport(test.api)));
    for (const { id } of jobs) {
      expect(await waitForExport(test.api, id, ENDED)).toMatchObject({ status: 'success' });
      await expectOneFile(id);
    }
  });

  it('are not changed by a worker that resumes after its lease has expired', async () => {
    const tableLock = await blockExports(test.database.url);
    const sleeper = await startWorker();
    const { id } = await makeExport(test.api);
    await waitForExport(test.api, id, ['in_progress']);
    sleeper.signal('SIGSTOP');
    await startWorker();
    await sleep(LEASE_MILLISECONDS + 2000);
    await tableLock.release();
    const job = await waitForExport(test.api, id, ENDED);
    expect(job).toMatchObject({ status: 'success', errors: null });
    const etag = await expectOneFile(id);

    sleeper.signal('SIGCONT');
    await sleep(4000);
    expect(await bodyOf(test.api.get<ExportJob>(`/library/export/${id}/`))).toEqual(job);
    expect(await expectOneFile(id)).toBe(etag);
    expect(sleeper.isAlive).toBe(true);
    // It is of use again, now that it is awake.
    const { id: next } = await makeExport(test.api);
    expect(await waitForExport(test.api, next, ENDED)).toMatchObject({ status: 'success' });
  });

  it('succeed while a paused worker holds their locks within a transaction', async () => {
    const { id } = await makeExport(test.api);
    const tableLock = await lockTable(test.database.url, 'export_job');
    const sleeper = await startWorker();
    await untilWaitingForLock(test.database, 'UPDATE "export_job"');
    sleeper.signal('SIGSTOP');
    await tableLock.release();
    // The rows that are due are locked now by who can not go on.
    await startWorker();
    expect(await waitForExport(test.api, id, ENDED)).toMatchObject({ status: 'success', errors: null });
    const etag = await expectOneFile(id);

    sleeper.signal('SIGCONT');
    await sleep(2000);
    expect(sleeper.isAlive).toBe(true);
    expect(await expectOneFile(id)).toBe(etag);
  });

  it('succeed after a crash of the database', async () => {
    const tableLock = await blockExports(test.database.url);
    const worker = await startWorker();
    const { id } = await makeExport(test.api);
    await waitForExport(test.api, id, ['in_progress']);
    const { id: waiting } = await makeExport(test.api, { file_format: 'json' });
    await database.crash();
    await tableLock.release().catch(() => undefined);
    await sleep(1500);
    for (const job of [id, waiting]) {
      expect(await waitForExport(test.api, job, ENDED, 30)).toMatchObject({ status: 'success', errors: null });
      await expectOneFile(job);
    }
    expect(worker.isAlive).toBe(true);
  });

  it('fail with an error if the storage is unavailable, and succeed when they are retried', async () => {
    const broken = path.join(folder.path, 'broken');
    await mkdir(broken);
    await writeFile(path.join(broken, 'files'), 'This is no folder.');
    await startWorker({ DATA_DIR: broken });
    const { id } = await makeExport(test.api, { type: 'template' });
    const job = await waitForExport(test.api, id, ENDED, 40);
    expect(job).toMatchObject({ status: 'fail', can_retry: true });
    expect(job.errors?.[0]?.details).toMatch(/^The file could not be stored\. .+\.$/);
    await workers[0]?.stop();
    await rm(broken, { recursive: true });
    await startWorker();
    await bodyOf(test.api.patch(`/library/export/${id}/`, { status: 'retry' }));
    expect(await waitForExport(test.api, id, ENDED)).toMatchObject({ status: 'success', errors: null });
    await expectOneFile(id);
  });

  it('fail with an error if the bucket denies access or is gone, and succeed when they are retried', async () => {
    const bucket = await startFakeBucket();
    try {
      await startWorker({ STORAGE_URL: bucket.url });
      bucket.rejectWith({ status: 403, code: 'AccessDenied' });
      const { id } = await makeExport(test.api, { type: 'template' });
      const job = await waitForExport(test.api, id, ENDED, 40);
      expect(job.errors?.[0]?.details).toBe('The file could not be stored. The storage bucket denies access.');
      bucket.rejectWith(null);
      await bodyOf(test.api.patch(`/library/export/${id}/`, { status: 'retry' }));
      expect(await waitForExport(test.api, id, ENDED)).toMatchObject({ status: 'success', errors: null });
      expect([...bucket.objects.keys()]).toEqual([expect.stringContaining(`/${id}-`)]);
    } finally {
      await bucket.stop();
    }
    const { id } = await makeExport(test.api, { type: 'template' });
    const job = await waitForExport(test.api, id, ENDED, 60);
    expect(job).toMatchObject({ status: 'fail', can_retry: true });
    expect(job.errors?.[0]?.details).toMatch(/^The file could not be stored\. .+\.$/);
  });

  it('publish one file if their worker is killed while it uploads to the bucket', async () => {
    const bucket = await startFakeBucket();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    try {
      const killed = await startWorker({ STORAGE_URL: bucket.url });
      bucket.hold(released);
      const { id } = await makeExport(test.api);
      await eventually(() => bucket.receivedWrites > 0, 30);
      await killed.kill();
      release();
      expect((await waitForExport(test.api, id, ['in_progress'])).completed).toBeNull();
      await startWorker({ STORAGE_URL: bucket.url });
      expect(await waitForExport(test.api, id, ENDED, 60)).toMatchObject({ status: 'success', errors: null });
      expect([...bucket.objects.keys()]).toEqual([expect.stringContaining(`/${id}-2.zip`)]);
    } finally {
      release();
      await bucket.stop();
    }
  });

  itFillsDisks('fail with an error and leave no partial file if the disk is full', async () => {
    const small = path.join(folder.path, 'small');
    await mkdir(small);
    expect(mountSmall(small)).toBe(true);
    try {
      await startWorker({ DATA_DIR: small });
      const { id } = await makeExport(test.api);
      const job = await waitForExport(test.api, id, ENDED, 40);
      expect(job).toMatchObject({ status: 'fail', can_retry: true });
      expect(job.errors?.[0]?.details).toContain('full');
      expect(await storedFiles(small)).toEqual([]);
    } finally {
      await Promise.all(workers.map((worker) => worker.kill()));
      spawnSync('umount', [small]);
    }
  });

  if (backend === 'redis')
    it('succeed after Redis is emptied while they are queued', async () => {
      const tableLock = await blockExports(test.database.url);
      await startWorker();
      // Two run at once; the others wait in Redis, and nowhere else but in their rows.
      const jobs = await Promise.all(Array.from({ length: 5 }, () => makeExport(test.api)));
      await waitForExport(test.api, jobs[0]?.id ?? 0, ['in_progress', 'pending']);
      await sleep(1500);
      await redis?.empty();
      await tableLock.release();
      for (const { id } of jobs) {
        expect(await waitForExport(test.api, id, ENDED, 30)).toMatchObject({ status: 'success' });
        await expectOneFile(id);
      }
    });
});
