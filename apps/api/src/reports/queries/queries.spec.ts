import { useTestApi } from '#test/support/api.js';
import { bodyOf, type Json } from '#test/support/client.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import { INVALID_QUERIES, VALID_QUERIES } from '#test/support/report-queries.js';
import { type Query, queryBody } from '#test/support/reports.js';

const test = useTestApi();
const path = '/queries/';
const at = (id: number): string => `${path}${id}/`;

const make = (fields: object = {}): Promise<Query> => bodyOf(test.api.post<Query>(path, queryBody(fields)), 201);

describe('Saving a report', () => {
  it('returns 201 with all fields and records an activity', async () => {
    const body = queryBody({
      title: ' By priority ',
      description: 'What for',
      chart: 'pie',
      chart_meta: { columnOrder: ['LibraryTask.count'] },
    });
    let created = {} as Query;
    const [activity] = await activitiesOf(test, async () => {
      created = await bodyOf(test.api.post<Query>(path, body), 201);
    });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    expect(created).toEqual({
      ...body,
      id: expect.any(Number),
      title: 'By priority',
      created: time,
      modified: created.created,
      created_by: test.organization.admin.id,
      type: 'D',
    });
    expect(await bodyOf(test.api.get(at(created.id)))).toEqual(created);
    expect(activity).toMatchObject({
      name: 'CreatedReportActivity',
      data: { report: created.id, report_desc: 'By priority' },
      icon: 'chart',
    });
  });

  it('requires only title, chart and query, and reports those that are missing', async () => {
    const required = ['This field is required.'];
    expect(await bodyOf(test.api.post(path, {}), 400)).toEqual({ title: required, chart: required, query: required });
    expect(await make()).toMatchObject({ description: '', chart_meta: {}, type: 'D' });
  });

  it.each(Object.entries(VALID_QUERIES))('accepts %s and returns the query unchanged', async (_, query) => {
    expect(await make({ query })).toMatchObject({ query });
  });

  it.each(INVALID_QUERIES)('rejects %s', async (_, key, words, query) => {
    await changesNothing(test, async () => {
      const errors = await bodyOf(test.api.post<{ query: Record<string, string[]> }>(path, queryBody({ query })), 400);
      expect(Object.keys(errors)).toEqual(['query']);
      expect(Object.keys(errors.query)).toEqual([key]);
      expect(errors.query[key]?.join(' ')).toContain(words);
    });
  });

  it.each([null, [], 'x', 7, true])('rejects %j as a query', async (query) => {
    const errors = await bodyOf(test.api.post<Record<string, Json>>(path, queryBody({ query })), 400);
    expect(Object.keys(errors)).toEqual(['query']);
  });

  it('reports all errors together', async () => {
    const errors = await bodyOf(
      test.api.post(path, { chart: 'bar', query: { schema: 'all', measures: ['Task.x'], limit: 0 } }),
      400,
    );
    expect(errors).toEqual({
      title: ['This field is required.'],
      chart: [expect.stringContaining('is not a valid choice')],
      query: { measures: [expect.stringContaining('Task.x')], limit: [expect.any(String)] },
    });
  });

  it('requires time dimensions for type T', async () => {
    const errors = await bodyOf(test.api.post(path, queryBody({ type: 'T' })), 400);
    expect(errors).toEqual({ query: { timeDimensions: ['A trend needs at least one time dimension.'] } });
    const query = { ...VALID_QUERIES['time dimensions with a granularity and a range'] };
    expect(await make({ type: 'T', query })).toMatchObject({ type: 'T', query });
  });

  it('accepts only members of the query in columnOrder', async () => {
    const query = { ...VALID_QUERIES['a time dimension with a granularity in its name'] };
    const columnOrder = ['Activity.count', 'Activity.date.month', 'Activity.date'];
    expect(await make({ query, chart_meta: { columnOrder } })).toMatchObject({ chart_meta: { columnOrder } });
    for (const wrong of [['Activity.name'], ['bogus'], ['constructor']])
      expect(await bodyOf(test.api.post(path, queryBody({ query, chart_meta: { columnOrder: wrong } })), 400)).toEqual({
        chart_meta: { columnOrder: [expect.stringContaining('not a member of the query')] },
      });
    for (const columnOrder of ['x', [1], [null], ['\0'], ['\ud800']])
      expect(await bodyOf(test.api.post(path, queryBody({ query, chart_meta: { columnOrder } })), 400)).toEqual({
        chart_meta: { columnOrder: [expect.any(String)] },
      });
  });

  it('ignores unknown keys of chart_meta, and rejects them in strict mode', async () => {
    expect(await make({ chart_meta: { columnOrder: [], bogus: 1 } })).toMatchObject({
      chart_meta: { columnOrder: [] },
    });
    const body = queryBody({ chart_meta: { bogus: 1 } });
    expect(await bodyOf(test.api.strict.post(path, body), 400)).toEqual({
      chart_meta: { bogus: [expect.any(String)] },
    });
  });

  it('converts numbers and booleans that are sent as strings', async () => {
    const query = { ...VALID_QUERIES['a time dimension with a granularity in its name'] };
    const { id } = await make({ query: { ...query, limit: '5', total: 'TRUE' } });
    expect(await bodyOf(test.api.get(at(id)))).toMatchObject({ query: { ...query, limit: 5, total: true } });
    expect(await bodyOf(test.api.patch(at(id), { query: { ...query, offset: '7' } }))).toMatchObject({
      query: { ...query, offset: 7 },
    });
  });
});

describe('Changing a report', () => {
  it('changes only the fields that are sent, ignores read-only ones and records an activity', async () => {
    const created = await make();
    const sent = { ...created, id: 1, created: 'x', modified: null, created_by: 99, title: 'Renamed' };
    let changed = {} as Query;
    const [activity] = await activitiesOf(test, async () => {
      changed = await bodyOf(test.api.patch<Query>(at(created.id), { ...sent, chart: undefined, query: undefined }));
    });
    expect(changed).toEqual({ ...created, title: 'Renamed', modified: expect.any(String) });
    expect(changed.modified > created.modified).toBe(true);
    expect(activity).toMatchObject({
      name: 'UpdatedReportActivity',
      data: { report: created.id, report_desc: 'Renamed' },
    });
  });

  it('changes nothing with an empty object', async () => {
    const created = await make();
    await changesNothing(test, async () => {
      expect(await bodyOf(test.api.patch(at(created.id), {}))).toEqual(created);
    });
  });

  it('accepts a new query, chart and type, and validates them as for a new report', async () => {
    const created = await make();
    const query = { ...VALID_QUERIES['a trend'] };
    expect(await bodyOf(test.api.patch(at(created.id), { query, chart: 'line', type: 'T' }))).toMatchObject({
      query,
      chart: 'line',
      type: 'T',
    });
    await changesNothing(test, async () => {
      expect(await bodyOf(test.api.patch(at(created.id), { query: { schema: 'all' } }), 400)).toHaveProperty('query');
      const untimed = { schema: 'all', measures: ['Task.count'] };
      expect(await bodyOf(test.api.patch(at(created.id), { query: untimed }), 400)).toEqual({
        query: { timeDimensions: ['A trend needs at least one time dimension.'] },
      });
    });
  });

  it('checks a change to type T against the existing query', async () => {
    const created = await make();
    expect(await bodyOf(test.api.patch(at(created.id), { type: 'T' }), 400)).toHaveProperty([
      'query',
      'timeDimensions',
    ]);
  });

  it('removes members that the new query does not have from columnOrder', async () => {
    const created = await make({ chart_meta: { columnOrder: ['LibraryTask.priority', 'LibraryTask.count'] } });
    const query = { schema: 'library', measures: ['LibraryTask.count'], dimensions: ['LibraryTask.phase'] };
    expect(await bodyOf(test.api.patch(at(created.id), { query }))).toMatchObject({
      chart_meta: { columnOrder: ['LibraryTask.count'] },
    });
    expect(
      await bodyOf(test.api.patch(at(created.id), { chart_meta: { columnOrder: ['LibraryTask.priority'] } }), 400),
    ).toHaveProperty('chart_meta');
  });
});

describe('Deleting a report', () => {
  it('returns 204, deletes the report and records an activity', async () => {
    const { id } = await make({ title: 'Short-lived' });
    const [activity] = await activitiesOf(test, () => bodyOf(test.api.delete(at(id)), 204));
    expect(await bodyOf(test.api.get(at(id)), 404)).toEqual({ detail: 'Not found.' });
    expect(activity).toMatchObject({
      name: 'DeletedReportActivity',
      data: { report: id, report_desc: 'Short-lived' },
    });
  });
});

describe('Saved reports', () => {
  it('can be read by any active user, but changed only with edit_custom_reports', async () => {
    const { id } = await make();
    const { api } = await test.newUser();
    expect(await bodyOf(api.get(at(id)))).toMatchObject({ id });
    for (const answer of [api.post(path, queryBody()), api.patch(at(id), {}), api.delete(at(id))])
      expect(await bodyOf(answer, 403)).toEqual({ detail: expect.stringContaining('edit_custom_reports') });
  });

  it('return 404 to other organizations', async () => {
    const { id } = await make();
    const { api } = await test.newOrganization();
    for (const answer of [api.get(at(id)), api.patch(at(id), { title: 'x' }), api.delete(at(id))])
      expect(await bodyOf(answer, 404)).toEqual({ detail: 'Not found.' });
  });
});
