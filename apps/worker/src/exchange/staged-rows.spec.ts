import { startTestApi, type TestApi, type TestOrganization } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { countermeasureBody } from '#test/support/factories.js';
import {
  acceptImport,
  archiveOf,
  differenceOf,
  type ImportJob,
  waitForImport,
  importRows,
  patchImport,
  upload,
} from '#test/support/imports.js';
import { startTestWorker, temporaryFolder, type TestWorker } from '#test/support/worker.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let test: TestApi;
let organization: TestOrganization;
let worker: TestWorker;

beforeAll(async () => {
  folder = await temporaryFolder();
  test = await startTestApi({ DATA_DIR: folder.path });
  worker = await startTestWorker({ DATABASE_URL: test.database.applicationUrl, DATA_DIR: folder.path });
});
beforeEach(async () => {
  organization = await test.newOrganization();
});
afterAll(async () => {
  await worker.stop();
  await test.close();
  await folder.remove();
});

const stagedOf = ({ id }: ImportJob) =>
  test.database.query<{ action: string; given: object | null }>(
    'SELECT action, given FROM import_row WHERE job_id = $1 ORDER BY position',
    [id],
  );

const uploadRows = async (count: number, row: string): Promise<ImportJob> => {
  const content = await archiveOf({ 'standard.json': `{"rows":[${`${row},`.repeat(count - 1)}${row}]}` });
  expect(content.length).toBeLessThan(30_000);
  return bodyOf(upload(organization.api, { name: 'file', fileName: 'library.zip', content }), 201);
};

/** An import with a row that changes an item, one that does not, and a new one. */
const makeImport = (): Promise<ImportJob> =>
  importRows(organization.api, 'standard', { id: 'T1', title: 'Ours' }, { id: 'T2' }, countermeasureBody());

describe('The staged rows of an import', () => {
  it('are rejected while reading if they are empty or exceed the maximum number of rows', async () => {
    const job = await waitForImport(organization.api, await uploadRows(2_000_000, '{}'), ['fail'], 60);
    expect(job.errors).toHaveLength(1001);
    expect(job.errors?.[0]).toMatchObject({ file: 'standard.json', row: 1, field: null, details: 'The row is empty.' });
    expect(job.errors?.at(-1)).toMatchObject({
      file: null,
      details: expect.stringMatching(/^And \d+ more errors: \d+ in all\.$/),
    });
    expect(await stagedOf(job)).toEqual([]);
  });

  it('count towards the maximum even if they are not objects', async () => {
    const job = await waitForImport(organization.api, await uploadRows(400_000, '1'), ['fail'], 60);
    expect(job.errors?.at(-1)?.details).toBe('And 199001 more errors: 200001 in all.');
  });

  it('are deleted when the import ends, except for those of its difference', async () => {
    const applied = await makeImport();
    await acceptImport(organization.api, applied);
    const difference = await differenceOf(organization.api, applied);
    const cancelled = await makeImport();
    await waitForImport(organization.api, cancelled);
    expect(await stagedOf(cancelled)).toHaveLength(3);
    await bodyOf(patchImport(organization.api, cancelled, 'cancel'));
    const failed = await importRows(organization.api, 'standard', { id: 'T1', title: 'x' }, { id: 'T2', title: '' });
    await waitForImport(organization.api, failed, ['fail']);

    await eventually(async () => (await stagedOf(failed)).length === 0 && (await stagedOf(applied)).length === 2, 20);
    expect((await stagedOf(applied)).map((row) => [row.action, row.given])).toEqual([
      ['updated', null],
      ['created', null],
    ]);
    expect(await differenceOf(organization.api, applied)).toEqual(difference);
    expect((await stagedOf(cancelled)).map(({ action }) => action)).not.toContain('unchanged');
    const [row] = await test.database.query<{ bytes: number }>(
      'SELECT staged_bytes::integer AS bytes FROM import_job WHERE id = $1',
      [applied.id],
    );
    expect(row?.bytes).toBeGreaterThan(500);
  });

  it('are limited in size per organization, and a retry reads the upload again', async () => {
    const before = await makeImport();
    await waitForImport(organization.api, before);
    const fill = (bytes: number) =>
      test.database.query('UPDATE import_job SET staged_bytes = $2 WHERE id = $1', [before.id, bytes]);
    await fill(2 * 2 ** 30);
    const job = await waitForImport(organization.api, await makeImport());
    expect(job).toMatchObject({
      status: 'fail',
      errors: [{ file: null, details: expect.stringContaining('2048 MiB') }],
    });
    const { api } = await test.newOrganization();
    expect(await waitForImport(api, await importRows(api, 'standard', { id: 'T1', title: 'x' }))).toMatchObject({
      status: 'ready_for_review',
    });

    await eventually(async () => (await stagedOf(job)).length === 0, 20);
    await fill(0);
    await bodyOf(patchImport(organization.api, job, 'retry'));
    expect(await waitForImport(organization.api, job)).toMatchObject({ status: 'ready_for_review', errors: null });
    expect(await stagedOf(job)).toHaveLength(3);
  });
});
