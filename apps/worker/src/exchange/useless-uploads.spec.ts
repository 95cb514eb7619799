import { FileStorage } from '#platform/storage/file-storage.js';
import { useTestApiWithWorker } from '#test/support/api-with-worker.js';
import { bodyOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { importFile, type ImportJob, importRows, patchImport, waitForImport } from '#test/support/imports.js';

const test = useTestApiWithWorker({ MAX_IMPORT_SECONDS: '2' });

/** The key of a job's upload; null if it was removed. */
const keyOf = async ({ id }: ImportJob): Promise<string | null> => {
  const [row] = await test.database.query<{ file_key: string | null }>(
    'SELECT file_key FROM import_job WHERE id = $1',
    [id],
  );
  return row?.file_key ?? null;
};

const isStored = async (key: string | null): Promise<boolean> =>
  key !== null && (await test.running.app.get(FileStorage).stat(key)) !== null;

it('An upload is removed as soon as it turns out to be unreadable, and a retry explains that', async () => {
  for (const [content, format] of [
    ['not a spreadsheet', 'xlsx'],
    ['{"model": "standard", "rows": [{"title": ', 'json'],
    ['unknown column,b\r\n1,2\r\n', 'csv'],
  ] as const) {
    const job = await importFile(test.api, 'standard', content, format);
    const key = await keyOf(job);
    expect((await waitForImport(test.api, job)).status).toBe('fail');
    expect(await keyOf(job)).toBeNull();
    await eventually(async () => !(await isStored(key)));
    await bodyOf(patchImport(test.api, job, 'retry'));
    expect((await waitForImport(test.api, job)).errors?.[0]?.details).toContain('Upload it again.');
  }
});

it('An upload is kept if its rows are invalid, since a retry may succeed after a change of the library', async () => {
  const job = await importRows(test.api, 'standard', { title: 'Without a weakness' });
  expect((await waitForImport(test.api, job)).status).toBe('fail');
  expect(await isStored(await keyOf(job))).toBe(true);
});

it('An import that takes longer than MAX_IMPORT_SECONDS fails with this reason, and its upload is removed', async () => {
  const rows = Array.from({ length: 150_000 }, (_, n) => ({ title: `Weakness ${n}`, text: 'A text.' }));
  const job = await importFile(test.api, 'weakness', JSON.stringify({ model: 'weakness', rows }));
  const ended = await waitForImport(test.api, job, undefined, 100);
  expect(ended).toMatchObject({
    status: 'fail',
    errors: [{ file: 'weakness.json', row: null, details: expect.stringContaining('longer than 2 s') }],
  });
  expect(await keyOf(job)).toBeNull();
}, 120_000);
