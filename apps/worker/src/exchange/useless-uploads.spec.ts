import { FileStorage } from '#platform/storage/file-storage.js';
import type { TestApi } from '#test/support/api.js';
import { useTestApiWithWorker } from '#test/support/api-with-worker.js';
import { bodyOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { importFile, type ImportJob, importRows, patchImport, waitForImport } from '#test/support/imports.js';

/** The key of a job's upload; null if it was removed. */
const keyOf = async (test: TestApi, { id }: ImportJob): Promise<string | null> => {
  const [row] = await test.database.query<{ file_key: string | null }>(
    'SELECT file_key FROM import_job WHERE id = $1',
    [id],
  );
  return row?.file_key ?? null;
};

const isStored = async (test: TestApi, key: string | null): Promise<boolean> =>
  key !== null && (await test.running.app.get(FileStorage).stat(key)) !== null;

describe('An upload', () => {
  const test = useTestApiWithWorker();

  it('is removed as soon as it turns out to be unreadable, and a retry explains that', async () => {
    for (const [content, format] of [
      ['not a spreadsheet', 'xlsx'],
      ['{"model": "standard", "rows": [{"title": ', 'json'],
      ['title,text\r\n"never closed', 'csv'],
    ] as const) {
      const job = await importFile(test.api, 'standard', content, format);
      const key = await keyOf(test, job);
      expect((await waitForImport(test.api, job)).status).toBe('fail');
      expect([format, await keyOf(test, job)]).toEqual([format, null]);
      await eventually(async () => !(await isStored(test, key)));
      await bodyOf(patchImport(test.api, job, 'retry'));
      expect((await waitForImport(test.api, job)).errors?.[0]?.details).toContain('Upload it again.');
    }
  });

  it('is kept if its rows are invalid, since a retry may succeed after a change of the library', async () => {
    const job = await importRows(test.api, 'standard', { title: 'Without a weakness' });
    expect((await waitForImport(test.api, job)).status).toBe('fail');
    const key = await keyOf(test, job);
    expect(key).toMatch(/^imports/);
    expect(await isStored(test, key)).toBe(true);
  });
});

describe('An import', () => {
  const test = useTestApiWithWorker({ MAX_IMPORT_SECONDS: '1' });

  it('that takes longer than MAX_IMPORT_SECONDS fails with this reason, and its upload is removed', async () => {
    const rows = Array.from({ length: 150_000 }, (_, n) => ({ title: `Weakness ${n}`, text: 'A text.' }));
    const job = await importFile(test.api, 'weakness', JSON.stringify({ model: 'weakness', rows }));
    const ended = await waitForImport(test.api, job, undefined, 100);
    expect(ended).toMatchObject({
      status: 'fail',
      errors: [{ file: 'weakness.json', row: null, details: expect.stringContaining('longer than 1 s') }],
    });
    expect(await keyOf(test, job)).toBeNull();
  }, 120_000);
});
