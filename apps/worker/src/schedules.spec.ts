import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startTestApi, type TestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { makeExport, storedFiles, waitForExport } from '#test/support/exports.js';
import { importRows } from '#test/support/imports.js';
import { makeProject } from '#test/support/projects.js';
import { makeConfig, makeWebhook, recordNewProject } from '#test/support/webhooks.js';
import { startTestWorker, temporaryFolder, type TestWorker, WORKER_SETTINGS } from '#test/support/worker.js';

/** What schedules do, each with a condition that holds once it is done and not before. */
const DONE = [
  ['deletes tokens that expired more than 30 days ago', `NOT EXISTS (SELECT FROM api_token WHERE name = 'Expired')`],
  ['counts the activities of each hour', 'EXISTS (SELECT FROM activity_hour)'],
  ['records a snapshot for trends', 'EXISTS (SELECT FROM trend_project)'],
  ['clears the uploads of expired imports', 'NOT EXISTS (SELECT FROM import_job WHERE file_key IS NOT NULL)'],
  ['trims the working data of finished imports', 'NOT EXISTS (SELECT FROM import_job WHERE NOT trimmed)'],
  ['deletes old deliveries', 'NOT EXISTS (SELECT FROM webhook_delivery)'],
  ['re-encrypts secrets with the new key', `NOT EXISTS (SELECT FROM webhook WHERE sealed_url = description)`],
] as const;

describe('A starting worker', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let test: TestApi;
  let worker: TestWorker | undefined;

  const holds = async (condition: string): Promise<boolean | undefined> =>
    (await test.database.query<{ holds: boolean }>(`SELECT ${condition} AS holds`))[0]?.holds;

  beforeAll(async () => {
    folder = await temporaryFolder();
    test = await startTestApi({ DATA_DIR: folder.path });
    await bodyOf(test.api.post('/users/me/tokens/', { name: 'Expired' }), 201);
    await importRows(test.api, 'standard');
    await makeConfig(test.api, (await makeWebhook(test.api)).id);
    await makeProject(test);
    await recordNewProject(test, 'old');
    for (const statement of [
      `UPDATE api_token SET expires_at = now() - interval '31 days' WHERE name = 'Expired'`,
      `UPDATE activity SET occurred_at = now() - interval '2 days'`,
      `UPDATE import_job SET status = 'success', completed_at = now(), kept_until = now(), trimmed = false`,
      `UPDATE webhook_delivery SET status = 'failed', created_at = now() - interval '1 year'`,
      'UPDATE webhook SET description = sealed_url',
    ])
      await test.database.query(statement);
    for (const [what, condition] of DONE) expect([what, await holds(condition)]).toEqual([what, false]);
    worker = await startTestWorker({
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      SECRET_KEY: 'n'.repeat(40),
      SECRET_KEY_PREVIOUS: WORKER_SETTINGS.SECRET_KEY,
    });
  });
  afterAll(async () => {
    await worker?.stop();
    await test.close();
    await folder.remove();
  });

  it.each(DONE)('%s', (_, condition) => eventually(async () => (await holds(condition)) === true));

  it('deletes the files of expired imports', () =>
    eventually(async () => (await storedFiles(folder.path)).length === 0));
});

describe.each([
  ['ahead', 3],
  ['behind', -3],
])('A worker whose clock is three days %s', (_direction, days) => {
  const realNow = Date.now;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let test: TestApi;
  let worker: TestWorker | undefined;

  beforeAll(async () => {
    folder = await temporaryFolder();
    test = await startTestApi({ DATA_DIR: folder.path });
  });
  afterAll(async () => {
    Date.now = realNow;
    await worker?.stop();
    await test.close();
    await folder.remove();
  });

  it('keeps the files of running uploads, and finishes each job once', async () => {
    const files = path.join(folder.path, 'files', 'imports', '1');
    await mkdir(files, { recursive: true });
    for (const name of ['old', 'new.0123456789abcdef.part']) await writeFile(path.join(files, name), 'x');
    const old = new Date(realNow() - 5 * 86_400_000);
    await utimes(path.join(files, 'old'), old, old);
    const { id } = await makeExport(test.api, { type: 'template' });
    Date.now = () => realNow() + days * 86_400_000;
    worker = await startTestWorker({ DATABASE_URL: test.database.applicationUrl, DATA_DIR: folder.path });
    expect((await waitForExport(test.api, id, ['success', 'fail'])).status).toBe('success');
    if (days > 0) await eventually(async () => !(await readdir(files)).includes('old'), 30);
    expect(await readdir(files)).toContain('new.0123456789abcdef.part');
    const [job] = await test.database.query<{ starts: number }>('SELECT starts FROM export_job WHERE id = $1', [id]);
    expect(job?.starts).toBe(1);
  });
});
