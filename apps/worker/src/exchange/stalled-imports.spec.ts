import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApi, type TestApi } from '#test/support/api.js';
import { freePort } from '#test/support/free-port.js';
import { importFile, waitForImport, importRows } from '#test/support/imports.js';
import { startTestWorker, temporaryFolder, type TestWorker } from '#test/support/worker.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let test: TestApi;
let worker: TestWorker;
let port: number;

beforeAll(async () => {
  folder = await temporaryFolder();
  test = await startTestApi({ DATA_DIR: folder.path });
  port = await freePort();
  const settings = { DATABASE_URL: test.database.applicationUrl, DATA_DIR: folder.path, WORKER_PORT: String(port) };
  worker = await startTestWorker(settings);
});
afterAll(async () => {
  await worker.stop();
  await test.close();
  await folder.remove();
});

describe('A slow import', () => {
  it('does not block its worker with YAML: the worker responds to probes and keeps the job', async () => {
    const content = `rows:\n- tags: [${'{a: b}, '.repeat(24_000)}]\n`;
    const job = await importFile(test.api, 'standard', content, 'yaml');
    const ended = new AbortController();
    const rejected = waitForImport(test.api, job, ['fail'], 60).finally(() => ended.abort());
    let slowest = 0;
    while (!ended.signal.aborted) {
      const startedAt = performance.now();
      await sleep(20); // the work that could delay the response starts in the meantime
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - startedAt);
    }
    expect((await rejected).errors).toContainEqual(expect.objectContaining({ row: 1, field: 'tags' }));
    expect(slowest).toBeLessThan(1000);
    const [row] = await test.database.query('SELECT starts FROM import_job WHERE id = $1', [job.id]);
    expect(row).toEqual({ starts: 1 });
  });

  it('fails with an error after three starts', async () => {
    await worker.stop();
    const job = await importRows(test.api, 'standard');
    await test.database.query(
      `UPDATE import_job SET status = 'generating_diff', starts = 3, fence = 3, lease_until = now(), due_at = now()
        WHERE id = $1`,
      [job.id],
    );
    worker = await startTestWorker({ DATABASE_URL: test.database.applicationUrl, DATA_DIR: folder.path });
    expect(await waitForImport(test.api, job)).toMatchObject({
      status: 'fail',
      can_retry: true,
      errors: [{ file: null, row: null, field: null, details: expect.stringContaining('3 times') }],
    });
  });
});
