import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApi, type TestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { EXPORT, type ExportJob, waitForExport, blockExports, storedFiles, makeExport } from '#test/support/exports.js';
import { importRows } from '#test/support/imports.js';
import { activitiesOf } from '#test/support/records.js';
import { describeOnQueues, startRedis, type TestRedis } from '#test/support/redis.js';
import { startTestWorker, temporaryFolder, type TestWorker } from '#test/support/worker.js';

const ENDED = ['success', 'fail', 'cancel'] as const;

describeOnQueues('Exports, with queues on %s', (backend) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let redis: TestRedis | undefined;
  let test: TestApi;
  let workers: TestWorker[] = [];

  const startWorker = async (settings: Readonly<Record<string, string>> = {}): Promise<TestWorker> => {
    const worker = await startTestWorker({
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      ...(redis && { REDIS_URL: redis.url }),
      ...settings,
    });
    workers.push(worker);
    return worker;
  };
  const patch = (id: number, status: string) => test.api.patch<ExportJob>(`/library/export/${id}/`, { status });

  beforeAll(async () => {
    folder = await temporaryFolder();
    if (backend === 'redis') redis = await startRedis();
    test = await startTestApi({ DATA_DIR: folder.path });
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
  });
  afterAll(async () => {
    await test.close();
    await redis?.stop();
    await folder.remove();
  });

  it('succeed and provide a ZIP that can be downloaded as a whole or by range', async () => {
    await startWorker();
    const activities = await activitiesOf(test, async () => {
      const { id } = await makeExport(test.api);
      const job = await waitForExport(test.api, id, ENDED);
      expect(job).toMatchObject({
        ...EXPORT,
        status: 'success',
        errors: null,
        can_retry: false,
        completed: expect.any(String),
      });
      expect(job.progress?.total).toBeGreaterThan(100);
      expect(job.progress?.done).toBe(job.progress?.total);

      const path = `/library/export/${id}/file/`;
      const zip = test.api.with({ Accept: 'application/zip' });
      const whole = await zip.get(path);
      const bytes = Number(whole.headers['content-length']);
      expect(whole).toMatchObject({
        status: 200,
        headers: { 'content-type': 'application/zip', 'accept-ranges': 'bytes' },
      });
      expect(whole.headers['content-disposition']).toBe(`attachment; filename="merlon-export-${id}.zip"`);
      expect(whole.text.startsWith('PK')).toBe(true);
      const { etag } = whole.headers;
      const part = await zip.get(path, undefined, { Range: 'bytes=0-1' });
      expect(part).toMatchObject({ status: 206, text: 'PK', headers: { 'content-range': `bytes 0-1/${bytes}`, etag } });
      expect(await zip.get(path, undefined, { Range: `bytes=${bytes}-` })).toMatchObject({
        status: 416,
        headers: { 'content-range': `bytes */${bytes}` },
      });
      expect(await zip.get(path, undefined, { Range: 'bytes=0-1', 'If-Range': '"another"' })).toMatchObject({
        status: 200,
      });
      expect(await zip.get(path, undefined, { 'If-None-Match': etag })).toMatchObject({ status: 304, text: '' });
      expect(await zip.send('HEAD', path)).toMatchObject({
        status: 200,
        text: '',
        headers: { 'content-length': String(bytes) },
      });
    });
    expect(activities.map(({ name }) => name)).toEqual(['CreatedExportJobActivity', 'CompletedExportJobActivity']);
    expect(activities[1]?.data).toMatchObject({ status: 'success' });
  });

  it('are cancelled within two seconds while a worker runs them, and can be retried', async () => {
    await startWorker();
    const tableLock = await blockExports(test.database.url);
    try {
      const { id } = await makeExport(test.api);
      await waitForExport(test.api, id, ['in_progress']);
      const cancelledAt = Date.now();
      expect(await bodyOf(patch(id, 'cancel'))).toMatchObject({ status: 'in_progress' });
      expect(await bodyOf(patch(id, 'cancel'), 400)).toEqual({ status: [expect.stringContaining('in_progress')] });
      const job = await waitForExport(test.api, id, ENDED);
      expect(Date.now() - cancelledAt).toBeLessThan(2000);
      expect(job).toMatchObject({ status: 'cancel', can_retry: true, errors: null });
      await tableLock.release();
      expect(await waitForExport(test.api, (await bodyOf(patch(id, 'retry'))).id, ENDED)).toMatchObject({
        status: 'success',
      });
    } finally {
      await tableLock.release();
    }
  });

  it('have the status cancel and no file if they are cancelled at the last moment', async () => {
    await startWorker();
    const before = (await storedFiles(folder.path)).length;
    let cancelled = 0;
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const { id } = await makeExport(test.api);
      await sleep(attempt * 8);
      const answer = await patch(id, 'cancel');
      const { status } = await waitForExport(test.api, id, ENDED);
      expect(status).toBe(answer.status === 200 ? 'cancel' : 'success');
      if (status === 'cancel') cancelled += 1;
    }
    const left = before + 12 - cancelled;
    await eventually(async () => (await storedFiles(folder.path)).length === left);
  });

  it('are released by a stopping worker and run by the next one, without counting the first start', async () => {
    const first = await startWorker();
    const tableLock = await blockExports(test.database.url);
    const { id } = await makeExport(test.api);
    await waitForExport(test.api, id, ['in_progress']);
    await first.stop();
    workers = [];
    expect(await waitForExport(test.api, id, ['pending'], 1)).toMatchObject({ progress: null });
    const [row] = await test.database.query<{ starts: number }>('SELECT starts FROM export_job WHERE id = $1', [id]);
    expect(row).toEqual({ starts: 0 });
    await tableLock.release();
    await startWorker();
    expect(await waitForExport(test.api, id, ENDED)).toMatchObject({ status: 'success' });
  });

  it('run once each with several workers', async () => {
    await Promise.all([startWorker(), startWorker()]);
    const jobs = await Promise.all(Array.from({ length: 8 }, () => makeExport(test.api, { type: 'template' })));
    for (const { id } of jobs) expect(await waitForExport(test.api, id, ENDED)).toMatchObject({ status: 'success' });
    const rows = await test.database.query<{ starts: number }>(
      'SELECT DISTINCT starts FROM export_job WHERE id = ANY ($1)',
      [jobs.map(({ id }) => id)],
    );
    expect(rows).toEqual([{ starts: 1 }]);
  });

  it('fail with an error after three starts', async () => {
    const { id } = await makeExport(test.api);
    await test.database.query(
      `UPDATE export_job SET status = 'in_progress', starts = 3, fence = 3, lease_until = now(), due_at = now()
        WHERE id = $1`,
      [id],
    );
    await startWorker();
    const job = await waitForExport(test.api, id, ENDED);
    expect(job).toMatchObject({
      status: 'fail',
      can_retry: true,
      errors: [{ file: null, row: null, field: null, details: expect.stringContaining('3 times') }],
    });
  });

  it('are cancelled by the next worker if theirs crashed before it could cancel them', async () => {
    const { id } = await makeExport(test.api);
    await test.database.query(
      `UPDATE export_job SET status = 'in_progress', starts = 1, fence = 1, lease_until = now(), due_at = now(),
        cancel_requested = true
       WHERE id = $1`,
      [id],
    );
    await startWorker();
    expect(await waitForExport(test.api, id, ENDED)).toMatchObject({ status: 'cancel' });
  });

  it('lose their file when it expires, and then return 410', async () => {
    await startWorker();
    const { id } = await makeExport(test.api, { type: 'template' });
    await waitForExport(test.api, id, ['success']);
    const files = (await storedFiles(folder.path)).length;
    await test.database.query(`UPDATE export_job SET file_expires_at = now() WHERE id = $1`, [id]);
    expect((await test.api.get(`/library/export/${id}/file/`)).status).toBe(410);
    await startWorker(); // schedules run at startup
    await eventually(async () => (await storedFiles(folder.path)).length !== files);
    expect(await storedFiles(folder.path)).toHaveLength(files - 1);
    expect((await test.api.get(`/library/export/${id}/file/`)).status).toBe(410);
    expect(await waitForExport(test.api, id, ['success'])).toMatchObject({ status: 'success' });
  });
});

describe('Orphaned files', () => {
  it('are deleted once they are a day old, but files in use and newer ones are kept', async () => {
    const folder = await temporaryFolder();
    const test = await startTestApi({ DATA_DIR: folder.path });
    const upload = async (name: string): Promise<void> => {
      await mkdir(path.join(folder.path, 'files', path.dirname(name)), { recursive: true });
      await writeFile(path.join(folder.path, 'files', name), 'x');
    };
    try {
      await importRows(test.api, 'standard');
      const [known = ''] = await storedFiles(folder.path);
      for (const name of ['imports/1/old', 'imports/1/old.0123456789abcdef.part', 'imports/1/new', 'exports/7/old.zip'])
        await upload(name);
      const files = path.join(folder.path, 'files');
      const yesterday = new Date(Date.now() - 25 * 3_600_000);
      for (const name of await readdir(files, { recursive: true }))
        if (!name.endsWith('new')) await utimes(path.join(files, name), yesterday, yesterday);
      const worker = await startTestWorker({ DATABASE_URL: test.database.applicationUrl, DATA_DIR: folder.path });
      await eventually(async () => (await storedFiles(folder.path)).length === 2); // schedules run at startup
      await worker.stop();
      expect((await storedFiles(folder.path)).sort()).toEqual(['new', known].sort());
    } finally {
      await test.close();
      await folder.remove();
    }
  });
});
