import { statfs } from 'node:fs/promises';
import { useTestApi } from '#test/support/api.js';
import { type Answer, bodyOf } from '#test/support/client.js';
import { storedFiles } from '#test/support/exports.js';
import { makeCountermeasure } from '#test/support/factories.js';
import { importRows, patchImport, upload } from '#test/support/imports.js';
import { changesNothing } from '#test/support/records.js';
import { temporaryFolder } from '#test/support/worker.js';

const folder = await temporaryFolder();
const { bavail, bsize } = await statfs(folder.path);
afterAll(() => folder.remove());

const QUOTA = 100_000;
const MAX_JOBS = 4;

const fileOf = (bytes: number) => ({ name: 'file', fileName: 'a.zip', content: Buffer.alloc(bytes, 'x') });

describe('The uploads of an organization', () => {
  const test = useTestApi({ DATA_DIR: folder.path, MAX_STORED_UPLOAD_BYTES: String(QUOTA) });

  it('are rejected with 413 beyond their quota, and accepted again when others are removed', async () => {
    const { api } = await test.newOrganization();
    const { id } = await bodyOf(upload(api, fileOf(60_000)), 201);
    const before = await storedFiles(folder.path);
    for (const bytes of [40_001, 500_000])
      expect(await changesNothing(test, () => bodyOf(upload(api, fileOf(bytes)), 413))).toEqual({
        detail: expect.stringContaining(`${QUOTA} bytes`),
      });
    expect(await storedFiles(folder.path)).toEqual(before);
    await bodyOf(upload(api, fileOf(40_000)), 201);
    await changesNothing(test, () => bodyOf(upload(api, fileOf(1)), 413));
    await test.database.query('UPDATE import_job SET file_key = NULL WHERE id = $1', [id]);
    await bodyOf(upload(api, fileOf(60_000)), 201);
  });

  it('do not exceed the quota together if they arrive at the same time', async () => {
    const { api } = await test.newOrganization();
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async () => (await upload(api, fileOf(40_000))).status),
    );
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(2);
    expect(new Set(statuses)).toEqual(new Set([201, 413]));
  });

  it('do not count for other organizations', async () => {
    const [one, other] = [await test.newOrganization(), await test.newOrganization()];
    await bodyOf(upload(one.api, fileOf(QUOTA)), 201);
    await bodyOf(upload(other.api, fileOf(QUOTA)), 201);
  });
});

describe('The jobs of an organization that have not ended', () => {
  const test = useTestApi({ DATA_DIR: folder.path, MAX_UNFINISHED_JOBS: String(MAX_JOBS) });

  const EXPORT = { type: 'content', file_format: 'json', content_models: ['phase'] };

  it('are limited: another export, import or retry is rejected with 429 and Retry-After', async () => {
    const { api } = await test.newOrganization();
    const cancelled = await importRows(api, 'standard');
    await bodyOf(patchImport(api, cancelled, 'cancel'));
    const waiting = await importRows(api, 'standard');
    for (let n = 1; n < MAX_JOBS; n += 1) await bodyOf(api.post('/library/export/', EXPORT));
    const before = await storedFiles(folder.path);
    await changesNothing(test, async () => {
      for (const rejected of [
        api.post('/library/export/', EXPORT),
        upload(api, fileOf(10)),
        patchImport(api, cancelled, 'retry'),
      ]) {
        const answer: Answer<unknown> = await rejected;
        expect([answer.status, answer.headers['retry-after']]).toEqual([429, '60']);
        expect(answer.body).toEqual({ detail: expect.stringContaining(`${MAX_JOBS} exports and imports`) });
      }
    });
    expect(await storedFiles(folder.path)).toEqual(before);
    await bodyOf(patchImport(api, waiting, 'cancel'));
    await bodyOf(patchImport(api, cancelled, 'retry'));
  });

  it('do not count for other organizations', async () => {
    const { api } = await test.newOrganization();
    for (let n = 0; n < MAX_JOBS; n += 1) await importRows(api, 'standard');
    await importRows((await test.newOrganization()).api, 'standard');
  });
});

describe('A disk with too little free space', () => {
  const test = useTestApi({ DATA_DIR: folder.path, MIN_FREE_DISK_BYTES: String(bavail * bsize * 2) });

  it('rejects uploads with 507 and leaves no file; everything else keeps working', async () => {
    const before = await storedFiles(folder.path);
    const rejected = await test.expectingServerErrors(() =>
      changesNothing(test, () => bodyOf(upload(test.api, fileOf(1000)), 507)),
    );
    expect(rejected).toEqual({ detail: expect.stringContaining('no room') });
    expect(await storedFiles(folder.path)).toEqual(before);
    await makeCountermeasure(test.api);
    await bodyOf(test.api.get('/library/import/'));
  });
});
