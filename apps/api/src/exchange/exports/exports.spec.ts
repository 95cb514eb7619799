import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { EXPORT, type ExportJob, makeExport } from '#test/support/exports.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';

const test = useTestApi();

/** Puts a job into a state, as a worker would. */
async function put(id: number, status: ExportJob['status']): Promise<void> {
  const ended = !['pending', 'in_progress'].includes(status);
  await test.database.query(
    `UPDATE export_job SET status = $2, completed_at = CASE WHEN $3 THEN now() END,
      lease_until = CASE WHEN $2 = 'in_progress' THEN now() + interval '1 hour' END, cancel_requested = false
        WHERE id = $1`,
    [id, status, ended],
  );
}

describe('Creating an export job', () => {
  it('returns 200 with a pending job', async () => {
    const job = await makeExport(test.api);
    expect(job).toEqual({
      ...EXPORT,
      id: expect.any(Number),
      status: 'pending',
      triggered: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      triggered_by: {
        id: test.organization.admin.id,
        email: test.organization.admin.email,
        first_name: 'Ada',
        last_name: 'Admin',
      },
      completed: null,
      errors: null,
      can_retry: false,
      progress: null,
    });
    expect(await bodyOf(test.api.get(`/library/export/${job.id}/`))).toEqual(job);
  });

  it.each([
    [{}, { type: expect.anything(), file_format: expect.anything(), content_models: expect.anything() }],
    [{ ...EXPORT, content_models: [] }, { content_models: ['This list may not be empty.'] }],
    [{ ...EXPORT, content_models: ['standard', 'standard'] }, { content_models: ['"standard" is listed twice.'] }],
    [{ ...EXPORT, content_models: ['tasks'] }, { content_models: [expect.stringContaining('"tasks"')] }],
    [{ ...EXPORT, content_models: 'standard' }, { content_models: expect.anything() }],
    [{ ...EXPORT, content_models: {} }, { content_models: ['Expected a list of items but got type "object".'] }],
    [{ ...EXPORT, content_models: [null] }, { content_models: expect.anything() }],
    [{ ...EXPORT, type: 'all' }, { type: [expect.stringContaining('template, content')] }],
    [{ ...EXPORT, file_format: 'CSV' }, { file_format: [expect.stringContaining('csv, json, yaml, xlsx')] }],
    [{ ...EXPORT, type: null }, { type: ['This field may not be null.'] }],
  ])('rejects %j and changes nothing', async (body, errors) => {
    expect(await changesNothing(test, () => bodyOf(test.api.post('/library/export/', body), 400))).toEqual(errors);
  });

  it.each([
    'amendment',
    'answer',
    'glossary_term',
    'implementation',
    'question',
    'regulation',
    'regulation_section',
    'section',
    'standard',
    'subquestion',
    'subsection',
    'threat',
    'weakness',
    'attribute',
  ])('accepts the model %s', async (model) => {
    expect((await makeExport(test.api, { content_models: [model] })).content_models).toEqual([model]);
  });

  it('writes one activity each for creating, cancelling and retrying a job', async () => {
    let id = 0;
    const names = await activitiesOf(test, async () => {
      ({ id } = await makeExport(test.api));
      await bodyOf(test.api.patch(`/library/export/${id}/`, { status: 'cancel' }));
      await bodyOf(test.api.patch(`/library/export/${id}/`, { status: 'retry' }));
    });
    expect(names.map(({ name }) => name)).toEqual([
      'CreatedExportJobActivity',
      'CancelledExportJobActivity',
      'RetriedExportJobActivity',
    ]);
    expect(names[0]).toMatchObject({ data: { job: id, job_desc: `Export ${id}` }, icon: 'download' });
  });
});

describe('Cancelling an export job', () => {
  it('takes effect immediately if no worker has started the job', async () => {
    const { id } = await makeExport(test.api);
    const job = await bodyOf(test.api.patch<ExportJob>(`/library/export/${id}/`, { status: 'cancel' }));
    expect(job).toMatchObject({ status: 'cancel', can_retry: true, completed: expect.any(String) });
  });

  it('still returns in_progress for a running job, and 400 for a second attempt', async () => {
    const { id } = await makeExport(test.api);
    await put(id, 'in_progress');
    const job = await bodyOf(test.api.patch<ExportJob>(`/library/export/${id}/`, { status: 'cancel' }));
    expect(job).toMatchObject({ status: 'in_progress', completed: null, can_retry: false });
    const rejected = await changesNothing(test, () =>
      bodyOf(test.api.patch(`/library/export/${id}/`, { status: 'cancel' }), 400),
    );
    expect(rejected).toEqual({ status: [expect.stringContaining('in_progress')] });
  });

  it.each(['success', 'fail', 'cancel'] as const)(
    'returns 400 in the state %s, with the state in the message',
    async (status) => {
      const { id } = await makeExport(test.api);
      await put(id, status);
      const rejected = await changesNothing(test, () =>
        bodyOf(test.api.patch(`/library/export/${id}/`, { status: 'cancel' }), 400),
      );
      expect(rejected).toEqual({ status: [expect.stringContaining(status)] });
    },
  );

  it.each(['pending', 'in_progress'] as const)(
    'succeeds only once for six concurrent requests in the state %s',
    async (status) => {
      const { id } = await makeExport(test.api);
      await put(id, status);
      const activities = await activitiesOf(test, async () => {
        const answers = await Promise.all(
          Array.from({ length: 6 }, () => test.api.patch(`/library/export/${id}/`, { status: 'cancel' })),
        );
        expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400]);
      });
      expect(activities).toHaveLength(1);
    },
  );
});

describe('Retrying an export job', () => {
  it.each(['fail', 'cancel'] as const)(
    'resets a job in the state %s to pending, triggered by the caller',
    async (status) => {
      const first = await makeExport(test.api);
      await put(first.id, status);
      await test.database.query(
        `UPDATE export_job SET errors = '[{"file":null,"row":null,"field":null,"details":"No."}]' WHERE id = $1`,
        [first.id],
      );
      const other = await test.newUser({ role: 'UR4' });
      const job = await bodyOf(other.api.patch<ExportJob>(`/library/export/${first.id}/`, { status: 'retry' }));
      expect(job).toMatchObject({
        status: 'pending',
        completed: null,
        errors: null,
        can_retry: false,
        triggered_by: { id: other.id },
      });
      expect(job.triggered > first.triggered).toBe(true);
    },
  );

  it.each(['pending', 'in_progress', 'success'] as const)(
    'returns 400 in the state %s, with the state in the message',
    async (status) => {
      const { id } = await makeExport(test.api);
      await put(id, status);
      const rejected = await changesNothing(test, () =>
        bodyOf(test.api.patch(`/library/export/${id}/`, { status: 'retry' }), 400),
      );
      expect(rejected).toEqual({ status: [expect.stringContaining(status)] });
    },
  );

  it('succeeds only once for six concurrent requests', async () => {
    const { id } = await makeExport(test.api);
    await put(id, 'fail');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => test.api.patch(`/library/export/${id}/`, { status: 'retry' })),
    );
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400]);
  });
});

describe('Changing an export job', () => {
  it.each([
    [{}, 'This field is required.'],
    [{ status: null }, 'This field may not be null.'],
    [{ status: 'success' }, '"success" is not a valid choice. Allowed: cancel, retry.'],
    [{ status: 'pending' }, '"pending" is not a valid choice. Allowed: cancel, retry.'],
    [{ status: 1 }, '1 is not a valid choice. Allowed: cancel, retry.'],
  ])('returns 400 for %j and changes nothing', async (body, message) => {
    const { id } = await makeExport(test.api);
    expect(await changesNothing(test, () => bodyOf(test.api.patch(`/library/export/${id}/`, body), 400))).toEqual({
      status: [message],
    });
  });
});

describe('Export jobs', () => {
  it('requires the permission customize_content, also for reading', async () => {
    const { id } = await makeExport(test.api);
    const { api } = await test.newUser();
    const item = `/library/export/${id}/`;
    for (const rejected of [
      api.get('/library/export/'),
      api.get(item),
      api.get(`${item}file/`),
      api.post('/library/export/', EXPORT),
      api.patch(item, { status: 'cancel' }),
    ])
      expect(await bodyOf(rejected, 403)).toEqual({ detail: expect.stringContaining('customize_content') });
  });

  it('returns 404 for jobs of another organization and does not list them', async () => {
    const { id } = await makeExport(test.api);
    const { api } = await test.newOrganization();
    const item = `/library/export/${id}/`;
    for (const rejected of [
      api.get(item),
      api.get(`${item}file/`),
      api.patch(item, { status: 'cancel' }),
      api.patch(item, {}),
    ])
      expect(await bodyOf(rejected, 404)).toEqual({ detail: 'Not found.' });
    expect(await rowsOf(api.get('/library/export/'))).toEqual([]);
  });

  it('filters by status and sorts only by the specified fields', async () => {
    const { api } = await test.newOrganization();
    const statuses = ['success', 'fail', 'pending', 'cancel'] as const;
    const ids: number[] = [];
    for (const status of statuses) {
      const { id } = await makeExport(api);
      await put(id, status);
      ids.push(id);
    }
    const idsOf = async (query: Record<string, string>) =>
      (await rowsOf<ExportJob>(api.get('/library/export/', query))).map(({ id }) => id);
    expect(await idsOf({})).toEqual(ids);
    expect(await idsOf({ ordering: '-id' })).toEqual(ids.toReversed());
    expect(await idsOf({ ordering: '-triggered' })).toEqual(ids.toReversed());
    expect(await idsOf({ ordering: 'status' })).toEqual([ids[3], ids[1], ids[2], ids[0]]);
    expect(await idsOf({ ordering: 'triggered_by' })).toEqual(ids);
    expect(await idsOf({ status: 'fail' })).toEqual([ids[1]]);
    expect(await idsOf({ status__in: 'fail,cancel' })).toEqual([ids[1], ids[3]]);
    expect(await bodyOf(api.get('/library/export/', { status: 'done' }), 400)).toEqual({
      status: [expect.any(String)],
    });
    expect(await bodyOf(api.get('/library/export/', { ordering: 'completed' }), 400)).toEqual({
      ordering: [expect.any(String)],
    });
  });

  it('returns 404 for the file of a job that has not succeeded', async () => {
    const { id } = await makeExport(test.api);
    for (const status of ['pending', 'in_progress', 'fail', 'cancel'] as const) {
      await put(id, status);
      expect(await bodyOf(test.api.get(`/library/export/${id}/file/`), 404)).toEqual({ detail: 'Not found.' });
    }
  });

  it('returns 410 for a file that is no longer kept', async () => {
    const { id } = await makeExport(test.api);
    await put(id, 'success');
    expect(await bodyOf(test.api.get(`/library/export/${id}/file/`), 410)).toEqual({ detail: expect.any(String) });
    await test.database.query(
      `UPDATE export_job SET file_key = 'exports/1/1.zip', file_expires_at = now() - interval '1 s' WHERE id = $1`,
      [id],
    );
    expect(await bodyOf(test.api.get(`/library/export/${id}/file/`), 410)).toEqual({ detail: expect.any(String) });
  });

  it('returns 406 at the file route unless JSON or ZIP is accepted', async () => {
    const { id } = await makeExport(test.api);
    const accepting = (type: string) => test.api.with({ Accept: type }).get(`/library/export/${id}/file/`);
    for (const type of ['application/zip', 'application/json', '*/*', 'application/*'])
      expect((await accepting(type)).status).toBe(404);
    expect((await accepting('text/html')).status).toBe(406);
    expect((await test.api.with({ Accept: 'application/zip' }).get(`/library/export/${id}/`)).status).toBe(406);
  });
});
