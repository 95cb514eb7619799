import { request } from 'node:http';
import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { storedFiles } from '#test/support/exports.js';
import { formOf, type ImportJob, importFile, importRows, patchImport, upload } from '#test/support/imports.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import { temporaryFolder } from '#test/support/worker.js';

const folder = await temporaryFolder();
const LIMIT = 200_000;
const test = useTestApi({ DATA_DIR: folder.path, MAX_UPLOAD_BYTES: String(LIMIT) });
afterAll(() => folder.remove());

/** Puts a job into a state, as a worker would. */
async function put({ id }: ImportJob, status: ImportJob['status']): Promise<void> {
  await test.database.query(
    `UPDATE import_job SET status = $2, cancel_requested = false, due_at = 'infinity',
      completed_at = CASE WHEN $2 IN ('success', 'fail', 'cancel') THEN now() END,
      lease_until = CASE WHEN $2 IN ('generating_diff', 'applying_changes') THEN now() + interval '1 hour' END,
      summary = CASE WHEN $2 IN ('ready_for_review', 'applying_changes', 'success')
        THEN '{"standard": {"created": 0, "updated": 0, "unchanged": 0, "deactivated": 0}}'::json END
     WHERE id = $1`,
    [id, status],
  );
}

const FILE = { name: 'file', fileName: 'library.zip', content: 'PK' };

describe('Uploading a file for an import', () => {
  it('returns 201 with a pending job, and keeps the file', async () => {
    const before = (await storedFiles(folder.path)).length;
    const job = await bodyOf(upload(test.api, FILE), 201);
    expect(job).toEqual({
      id: expect.any(Number),
      status: 'pending',
      triggered: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      triggered_by: expect.objectContaining({ id: test.organization.admin.id }),
      accepted: null,
      accepted_by: null,
      completed: null,
      type: null,
      file_format: null,
      content_models: [],
      errors: null,
      can_retry: false,
      interpreted: [],
      progress: null,
    });
    expect(await bodyOf(test.api.get(`/library/import/${job.id}/`))).toEqual(job);
    expect(await storedFiles(folder.path)).toHaveLength(before + 1);
  });

  it.each([
    ['without a file', [{ name: 'model', content: 'standard' }], { file: [expect.any(String)] }],
    ['with an empty file', [{ ...FILE, content: '' }], { file: ['The submitted file is empty.'] }],
    [
      'with a text instead of a file',
      [{ name: 'file', content: 'x' }],
      { file: ['The submitted data was not a file.'] },
    ],
    ['with two files', [FILE, FILE], { file: ['Only one file can be submitted.'] }],
    [
      'for an unknown model',
      [
        { ...FILE, fileName: 'a.csv' },
        { name: 'model', content: 'tasks' },
      ],
      { model: [expect.stringContaining('"tasks" is not a valid choice.')] },
    ],
    [
      'for a model in an unknown format',
      [FILE, { name: 'model', content: 'standard' }],
      { file: [expect.any(String)] },
    ],
    ['without any field', [], { file: ['No file was submitted.'] }],
  ])('returns 400 for an upload %s, changes nothing and leaves no file', async (_, parts, errors) => {
    const before = await storedFiles(folder.path);
    expect(await changesNothing(test, () => bodyOf(upload(test.api, ...parts), 400))).toEqual(errors);
    expect(await storedFiles(folder.path)).toEqual(before);
  });

  it('accepts a file of the maximum size; returns 413 for a larger one and leaves no file', async () => {
    await bodyOf(upload(test.api, { ...FILE, content: Buffer.alloc(LIMIT) }), 201);
    const before = await storedFiles(folder.path);
    for (const bytes of [LIMIT + 1, LIMIT * 3])
      expect(
        await changesNothing(test, () => bodyOf(upload(test.api, { ...FILE, content: Buffer.alloc(bytes) }), 413)),
      ).toEqual({ detail: `The file is larger than ${LIMIT} bytes.` });
    expect(await storedFiles(folder.path)).toEqual(before);
  });

  it('leaves no job and no file if the upload is interrupted', async () => {
    const before = await storedFiles(folder.path);
    const { raw, headers } = formOf([{ ...FILE, content: Buffer.alloc(50_000) }]);
    const { hostname, port } = new URL(test.origin);
    await changesNothing(test, async () => {
      await new Promise<void>((resolve) => {
        const sent = request({
          hostname,
          port,
          method: 'POST',
          path: '/api/v2/library/import/',
          headers: {
            ...headers,
            Authorization: `Token ${test.organization.admin.token}`,
            'Content-Length': raw.length,
          },
        });
        sent.once('error', () => resolve());
        sent.write(raw.subarray(0, 20_000), () => setTimeout(() => sent.destroy(), 100));
      });
      for (let tries = 0; tries < 50 && (await storedFiles(folder.path)).length > before.length; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
    });
    expect(await storedFiles(folder.path)).toEqual(before);
  });

  it.each(['application/json', 'text/plain', 'application/zip', 'multipart/mixed; boundary=x', ''])(
    'returns 415 for the media type "%s"',
    async (type) => {
      const sent = test.api.post('/library/import/', undefined, { raw: '{}', headers: { 'Content-Type': type } });
      expect(await bodyOf(sent, 415)).toEqual({ detail: expect.any(String) });
    },
  );

  it.each([
    ['multipart/form-data; x=y', 'x'],
    ['multipart/form-data; boundary=x', 'nonsense'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'],
  ])('returns 400 for an invalid form (%s)', async (type, raw) => {
    const sent = test.api.post('/library/import/', undefined, { raw, headers: { 'Content-Type': type } });
    expect(await bodyOf(sent, 400)).toBeDefined();
  });

  it('ignores unknown fields, but rejects them in strict mode', async () => {
    const other = { name: 'bogus', content: '1' };
    await bodyOf(upload(test.api, FILE, other), 201);
    expect(await bodyOf(upload(test.api.strict, FILE, other), 400)).toEqual({ bogus: ['This field is unknown.'] });
  });

  it('accepts any file name', async () => {
    for (const fileName of ['../../etc/passwd', 'ö😀.zip', 'x'.repeat(5000), '%00.zip'])
      await bodyOf(upload(test.api, { ...FILE, fileName }), 201);
  });
});

describe('Changing an import job', () => {
  const STATES = [
    'pending',
    'generating_diff',
    'ready_for_review',
    'applying_changes',
    'success',
    'fail',
    'cancel',
  ] as const;
  const ALLOWED = {
    accept: { ready_for_review: 'applying_changes' },
    cancel: { pending: 'cancel', generating_diff: 'generating_diff', ready_for_review: 'cancel' },
    retry: { fail: 'pending', cancel: 'pending' },
  } as const;

  it.each(
    (['accept', 'cancel', 'retry'] as const).flatMap((change) => STATES.map((status) => [change, status] as const)),
  )('allows %s in the state %s only if the transition is valid', async (change, status) => {
    const job = await importRows(test.api, 'standard');
    await put(job, status);
    const next = (ALLOWED[change] as Partial<Record<string, string>>)[status];
    if (next === undefined) {
      const rejected = await changesNothing(test, () => bodyOf(patchImport(test.api, job, change), 400));
      expect(rejected).toEqual({ status: [expect.stringContaining(status)] });
    } else expect((await bodyOf(patchImport(test.api, job, change))).status).toBe(next);
  });

  it.each([
    ['accept', 'ready_for_review', 'Accepted'],
    ['cancel', 'pending', 'Cancelled'],
    ['cancel', 'generating_diff', 'Cancelled'],
    ['retry', 'fail', 'Retried'],
  ] as const)(
    'applies %s in the state %s once for six concurrent requests, with one activity',
    async (change, status, verb) => {
      const job = await importRows(test.api, 'standard');
      await put(job, status);
      const activities = await activitiesOf(test, async () => {
        const answers = await Promise.all(Array.from({ length: 6 }, () => patchImport(test.api, job, change)));
        expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400]);
      });
      expect(activities.map(({ name }) => name)).toEqual([`${verb}ImportJobActivity`]);
    },
  );

  it('records who accepted the job and when, and resets both to null on a retry', async () => {
    const job = await importRows(test.api, 'standard');
    await put(job, 'ready_for_review');
    expect(await bodyOf(patchImport(test.api, job, 'accept'))).toMatchObject({
      accepted: expect.any(String),
      accepted_by: { id: test.organization.admin.id },
    });
    await put(job, 'fail');
    expect(await bodyOf(patchImport(test.api, job, 'retry'))).toMatchObject({
      status: 'pending',
      accepted: null,
      accepted_by: null,
      completed: null,
      errors: null,
    });
  });

  it.each([[{}], [{ status: null }], [{ status: 'success' }], [{ status: 1 }]])(
    'returns 400 for %j and changes nothing',
    async (body) => {
      const { id } = await importRows(test.api, 'standard');
      expect(await changesNothing(test, () => bodyOf(test.api.patch(`/library/import/${id}/`, body), 400))).toEqual({
        status: [expect.any(String)],
      });
    },
  );
});

describe('Import jobs', () => {
  it('requires the permission customize_content, also for reading', async () => {
    const { id } = await importRows(test.api, 'standard');
    const { api } = await test.newUser();
    for (const rejected of [
      api.get('/library/import/'),
      api.get(`/library/import/${id}/`),
      api.get(`/library/import/${id}/diff/`),
      upload(api, FILE),
      api.patch(`/library/import/${id}/`, { status: 'cancel' }),
    ])
      expect(await bodyOf<object>(rejected as Promise<never>, 403)).toEqual({
        detail: expect.stringContaining('customize_content'),
      });
  });

  it('returns 404 for jobs of another organization and does not list them', async () => {
    const job = await importFile(test.api, 'standard', 'title\r\n', 'csv');
    await put(job, 'ready_for_review');
    const { api } = await test.newOrganization();
    for (const path of [`/library/import/${job.id}/`, `/library/import/${job.id}/diff/`])
      expect(await bodyOf(api.get(path), 404)).toEqual({ detail: 'Not found.' });
    expect(await bodyOf(patchImport(api, job, 'accept') as Promise<never>, 404)).toEqual({ detail: 'Not found.' });
    expect(await rowsOf(api.get('/library/import/'))).toEqual([]);
  });

  it('returns 404 for a diff that does not exist yet, and 410 for one that is no longer kept', async () => {
    const job = await importRows(test.api, 'standard');
    const path = `/library/import/${job.id}/diff/`;
    for (const status of ['pending', 'generating_diff', 'fail'] as const) {
      await put(job, status);
      expect(await bodyOf(test.api.get(path), 404)).toEqual({ detail: 'Not found.' });
    }
    await put(job, 'success');
    expect(await bodyOf(test.api.get(path))).toEqual({
      summary: { standard: { created: 0, updated: 0, unchanged: 0, deactivated: 0 } },
      interpreted: [],
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
    await test.database.query(`UPDATE import_job SET kept_until = now() WHERE id = $1`, [job.id]);
    expect(await bodyOf(test.api.get(path), 410)).toEqual({ detail: expect.any(String) });
  });
});
