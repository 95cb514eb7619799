import { useTestApi } from '#test/support/api.js';
import { bodyOf, type Json } from '#test/support/client.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import { type Query, queryBody } from '#test/support/reports.js';

const test = useTestApi();
const path = '/queries/';
const at = (id: number): string => `${path}${id}/`;

const make = (fields: object = {}): Promise<Query> => bodyOf(test.api.post<Query>(path, queryBody(fields)), 201);

/** A query of each kind that the specification speaks of. */
const SOUND: Readonly<Record<string, object>> = {
  'one measure': { schema: 'all', measures: ['Task.count'] },
  'a dimension alone': { schema: 'application', dimensions: ['Application.name'] },
  'the example of the specification': {
    schema: 'application',
    dimensions: ['Application.name', 'Project.name'],
    measures: ['Task.count'],
    order: [['Task.count', 'desc']],
    filters: [{ or: [{ member: 'Task.completePercent', operator: 'lt', values: ['100'] }] }],
    limit: 100,
  },
  'filters three deep': {
    schema: 'countermeasure',
    measures: ['Task.count'],
    filters: [
      {
        and: [
          { or: [{ and: [{ member: 'Task.status', operator: 'equals', values: ['Complete', null] }] }] },
          { member: 'Task.title', operator: 'notContains', values: ['%', '_'] },
        ],
      },
      { member: 'Task.created', operator: 'inDateRange', values: ['last 30 days'] },
      { member: 'Task.assignedTo', operator: 'notSet' },
    ],
  },
  'an order by name': {
    schema: 'user',
    measures: ['User.count'],
    dimensions: ['User.role'],
    order: { 'User.role': 'asc' },
  },
  'a time by its granularity': {
    schema: 'activity',
    measures: ['Activity.count'],
    dimensions: ['Activity.date.month'],
    order: [['Activity.date.month', 'asc']],
  },
  'time dimensions': {
    schema: 'activity',
    measures: ['Activity.count'],
    timeDimensions: [{ dimension: 'Activity.date', granularity: 'week', dateRange: ['2026-01-01', '2026-03-31'] }],
    timezone: 'Europe/Berlin',
  },
  'time dimensions by their other name': {
    schema: 'activity',
    measures: ['Activity.count'],
    time_dimensions: [{ dimension: 'Activity.date', dateRange: 'from 2 months ago to now' }],
  },
  'ranges that are compared': {
    schema: 'activity',
    measures: ['Activity.count'],
    timeDimensions: [{ dimension: 'Activity.date', compareDateRange: ['this month', 'last month'] }],
  },
  'a trend': {
    schema: 'trend_project',
    measures: ['TrendProject.count'],
    timeDimensions: [{ dimension: 'TrendProject.date', granularity: 'day' }],
  },
  'a trend by its other name': {
    schema: 'trend_projects',
    measures: ['TrendProject.count'],
    timeDimensions: [{ dimension: 'TrendProject.date', granularity: 'day' }],
  },
  'the largest limit': { schema: 'library', dimensions: ['LibraryTask.id'], limit: 50_000, offset: 10, total: true },
  'rows as they are': { schema: 'library', dimensions: ['LibraryTask.id'], ungrouped: true, segments: [], order: [] },
};

type Case = readonly [title: string, key: string, words: string, query: object];

const count = { schema: 'countermeasure', measures: ['Task.count'] };
const filtered = (...filters: unknown[]): object => ({ ...count, filters });
const condition = (fields: object = {}): object => ({
  member: 'Task.priority',
  operator: 'equals',
  values: ['1'],
  ...fields,
});
const nested = (depth: number): object => (depth ? { or: [nested(depth - 1)] } : condition());

/** What is wrong, under which key it is told, and a part of the message. */
const BROKEN: readonly Case[] = [
  ['no schema', 'schema', 'required', { measures: ['Task.count'] }],
  ['an unknown schema', 'schema', '"bogus" is not a schema', { ...count, schema: 'bogus' }],
  ['a schema that is no text', 'schema', 'is not a schema', { ...count, schema: 7 }],
  ['a schema named as what objects have', 'schema', 'is not a schema', { ...count, schema: 'constructor' }],
  ['an unknown key', 'joinHints', 'unknown', { ...count, joinHints: [] }],
  ['a key named as what objects have', 'constructor', 'unknown', { ...count, constructor: 1 }],
  ['nothing to show', 'non_field_errors', 'at least one', { schema: 'all', measures: [], dimensions: [] }],
  [
    'a time without a granularity alone',
    'non_field_errors',
    'at least one',
    { schema: 'all', timeDimensions: [{ dimension: 'Task.created' }] },
  ],
  ['measures that are no list', 'measures', 'list', { schema: 'all', measures: 'Task.count' }],
  [
    'a measure that does not exist',
    'measures',
    'measures[0]: "Task.bogus" does not exist',
    { schema: 'all', measures: ['Task.bogus'] },
  ],
  ['a member that is hidden', 'dimensions', 'does not exist', { schema: 'all', dimensions: ['Task.key'] }],
  [
    'a cube that is hidden',
    'dimensions',
    'does not exist',
    { schema: 'all', dimensions: ['LibraryTaskComponent.key'] },
  ],
  [
    'a name that is SQL',
    'dimensions',
    "not a member's name",
    { schema: 'all', dimensions: ['Task.id; DROP TABLE report'] },
  ],
  ['a dimension among the measures', 'measures', 'not a measure', { schema: 'all', measures: ['Task.title'] }],
  ['a measure among the dimensions', 'dimensions', 'not a dimension', { schema: 'all', dimensions: ['Task.count'] }],
  [
    'a cube of another schema',
    'measures',
    'no part of the schema "library"',
    { schema: 'library', measures: ['Task.count'] },
  ],
  [
    'a trend in everything',
    'measures',
    'no part of the schema "all"',
    { schema: 'all', measures: ['TrendTask.count'] },
  ],
  [
    'too many members',
    'measures',
    'At most',
    { schema: 'all', measures: Array.from({ length: 51 }, () => 'Task.count') },
  ],
  ['a granularity of a text', 'dimensions', 'is not a time', { schema: 'all', dimensions: ['Task.title.month'] }],
  [
    'an unknown granularity in a name',
    'dimensions',
    'is not a granularity',
    { schema: 'all', dimensions: ['Task.created.decade'] },
  ],
  ['a segment', 'segments', 'does not exist', { ...count, segments: ['Task.open'] }],
  ['filters that are no list', 'filters', 'list', { ...count, filters: {} }],
  ['a filter that is no object', 'filters', 'filters[1]: Expected an object', filtered(condition(), 'x')],
  ['a filter without a member', 'filters', 'filters[0].member', filtered({ operator: 'set' })],
  ['an unknown key of a filter', 'filters', 'filters[0].value: This key is unknown', filtered(condition({ value: 1 }))],
  ['an unknown operator', 'filters', '"like" is not an operator', filtered(condition({ operator: 'like' }))],
  ['an operator that is no text', 'filters', 'is not an operator', filtered(condition({ operator: ['equals'] }))],
  [
    'contains of a number',
    'filters',
    `can't be used on "Task.priority"`,
    filtered(condition({ operator: 'contains' })),
  ],
  ['gt of a text', 'filters', `can't be used`, filtered({ member: 'Task.title', operator: 'gt', values: ['x'] })],
  [
    'gt of true and false',
    'filters',
    `can't be used`,
    filtered({ member: 'Task.accepted', operator: 'gt', values: ['true'] }),
  ],
  ['a range of dates of a number', 'filters', `can't be used`, filtered(condition({ operator: 'inDateRange' }))],
  [
    'startsWith of a measure',
    'filters',
    `can't be used`,
    filtered({ member: 'Task.count', operator: 'startsWith', values: ['1'] }),
  ],
  ['no value where one is due', 'filters', 'takes 1 to 1000 values', filtered(condition({ values: [] }))],
  ['no values at all', 'filters', 'takes', filtered({ member: 'Task.priority', operator: 'equals' })],
  ['two values of gt', 'filters', 'takes 1 values', filtered(condition({ operator: 'gt', values: ['1', '2'] }))],
  ['a value of set', 'filters', 'takes 0 values', filtered(condition({ operator: 'set' }))],
  ['values that are no list', 'filters', 'Expected a list', filtered(condition({ values: '1' }))],
  [
    'a value that is a number',
    'filters',
    'filters[0].values[1]: Not a valid string',
    filtered(condition({ values: ['1', 2] })),
  ],
  ['a text as a number', 'filters', 'Not a valid number', filtered(condition({ values: ['high'] }))],
  ['a number in another form', 'filters', 'Not a valid number', filtered(condition({ values: ['1e5'] }))],
  ['a null of gt', 'filters', 'Not a valid string', filtered(condition({ operator: 'gt', values: [null] }))],
  [
    'a text as true or false',
    'filters',
    '"true" or "false"',
    filtered({ member: 'Task.accepted', operator: 'equals', values: ['yes'] }),
  ],
  [
    'a text as a date',
    'filters',
    'not a valid date',
    filtered({ member: 'Task.created', operator: 'afterDate', values: ['soon'] }),
  ],
  [
    'a day that no calendar has',
    'filters',
    'not a valid date',
    filtered({ member: 'Task.created', operator: 'onTheDate', values: ['2026-02-30'] }),
  ],
  [
    'three dates of a range',
    'filters',
    'takes 1 to 2 values',
    filtered({ member: 'Task.created', operator: 'inDateRange', values: ['2026-01-01', '2026-01-02', '2026-01-03'] }),
  ],
  [
    'a range that ends before it begins',
    'filters',
    'begins before',
    filtered({ member: 'Task.created', operator: 'inDateRange', values: ['2026-02-01', '2026-01-01'] }),
  ],
  [
    'measures and dimensions in one or',
    'filters',
    'filters[0].or: Measures and dimensions',
    filtered({ or: [condition(), { member: 'Task.count', operator: 'gt', values: ['1'] }] }),
  ],
  [
    'measures and dimensions in one and, deeper',
    'filters',
    `can't be filtered in one`,
    filtered({ or: [{ and: [condition()] }, { member: 'Task.count', operator: 'gt', values: ['1'] }] }),
  ],
  ['an empty or', 'filters', 'not empty', filtered({ or: [] })],
  ['or beside and', 'filters', 'stands alone', filtered({ or: [condition()], and: [condition()] })],
  ['filters that nest too deep', 'filters', 'nest at most 10', filtered(nested(11))],
  ['too many filters', 'filters', 'at most 200', filtered(...Array.from({ length: 201 }, () => condition()))],
  [
    'an order by what the query lacks',
    'order',
    '"Task.priority" is not a member of this query',
    { ...count, order: [['Task.priority', 'asc']] },
  ],
  ['an unknown direction', 'order', '"asc" or "desc"', { ...count, order: [['Task.count', 'down']] }],
  ['an order that is no pair', 'order', 'Expected a member', { ...count, order: ['Task.count'] }],
  ['an order that is a text', 'order', 'Expected a list', { ...count, order: 'Task.count' }],
  ['a limit of nothing', 'limit', '1 to 50000', { ...count, limit: 0 }],
  ['a limit above the largest', 'limit', '1 to 50000', { ...count, limit: 50_001 }],
  ['a limit with a fraction', 'limit', '1 to 50000', { ...count, limit: 1.5 }],
  ['a limit of null', 'limit', '1 to 50000', { ...count, limit: null }],
  ['a negative offset', 'offset', 'whole number', { ...count, offset: -1 }],
  ['total as a number', 'total', 'boolean', { ...count, total: 1 }],
  ['ungrouped as a text', 'ungrouped', 'boolean', { ...count, ungrouped: 'maybe' }],
  ['an unknown time zone', 'timezone', 'IANA', { ...count, timezone: 'Mars/Olympus' }],
  ['a time zone that is SQL', 'timezone', 'IANA', { ...count, timezone: "UTC'; DROP TABLE report; --" }],
  [
    'a trend without a time',
    'timeDimensions',
    'at least one time dimension',
    { schema: 'trend_task', measures: ['TrendTask.count'] },
  ],
  [
    'a trend with an empty list of times',
    'timeDimensions',
    'at least one',
    { schema: 'trend_application', measures: ['TrendApplication.count'], timeDimensions: [] },
  ],
  ['times under both names', 'time_dimensions', 'two names', { ...count, timeDimensions: [], time_dimensions: [] }],
  [
    'a time that is a text',
    'timeDimensions',
    'is not a time',
    { ...count, timeDimensions: [{ dimension: 'Task.title' }] },
  ],
  [
    'an unknown granularity',
    'timeDimensions',
    'granularity: Allowed: second',
    { ...count, timeDimensions: [{ dimension: 'Task.created', granularity: 'decade' }] },
  ],
  [
    'a range of nonsense',
    'timeDimensions',
    'not a valid date',
    { ...count, timeDimensions: [{ dimension: 'Task.created', dateRange: 'some day' }] },
  ],
  [
    'a range of numbers',
    'timeDimensions',
    'Expected [from, to]',
    { ...count, timeDimensions: [{ dimension: 'Task.created', dateRange: [1, 2] }] },
  ],
  [
    'an unknown key of a time',
    'timeDimensions',
    'This key is unknown',
    { ...count, timeDimensions: [{ dimension: 'Task.created', range: 1 }] },
  ],
  [
    'a range beside ranges that are compared',
    'timeDimensions',
    'Either',
    {
      ...count,
      timeDimensions: [{ dimension: 'Task.created', dateRange: 'today', compareDateRange: ['today', 'yesterday'] }],
    },
  ],
  [
    'one range that is compared',
    'timeDimensions',
    '2 to 10 ranges',
    { ...count, timeDimensions: [{ dimension: 'Task.created', compareDateRange: ['today'] }] },
  ],
  ['a null character', 'dimensions', 'Null characters', { schema: 'all', dimensions: ['Task.\0id'] }],
  [
    'a null character in a value',
    'filters',
    'Null characters',
    filtered({ member: 'Task.title', operator: 'equals', values: ['\0'] }),
  ],
];

describe('Saving a report', () => {
  it('answers 201 with all of its fields', async () => {
    const body = queryBody({
      title: ' By priority ',
      description: 'What for',
      chart: 'pie',
      chart_meta: { columnOrder: ['LibraryTask.count'] },
    });
    let made = {} as Query;
    const [activity] = await activitiesOf(test, async () => {
      made = await bodyOf(test.api.post<Query>(path, body), 201);
    });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    expect(made).toEqual({
      ...body,
      id: expect.any(Number),
      title: 'By priority',
      created: time,
      modified: made.created,
      created_by: test.organization.admin.id,
      type: 'D',
    });
    expect(await bodyOf(test.api.get(at(made.id)))).toEqual(made);
    expect(activity).toMatchObject({
      name: 'CreatedReportActivity',
      data: { report: made.id, report_desc: 'By priority' },
      icon: 'chart',
    });
  });

  it('takes title, chart and query, and names those that are missing', async () => {
    const required = ['This field is required.'];
    expect(await bodyOf(test.api.post(path, {}), 400)).toEqual({ title: required, chart: required, query: required });
    expect(await make()).toMatchObject({ description: '', chart_meta: {}, type: 'D' });
  });

  it.each(Object.entries(SOUND))('takes %s, and answers the query as it was sent', async (_, query) => {
    expect(await make({ query })).toMatchObject({ query });
  });

  it.each(BROKEN)('refuses %s', async (_, key, words, query) => {
    await changesNothing(test, async () => {
      const errors = await bodyOf(test.api.post<{ query: Record<string, string[]> }>(path, queryBody({ query })), 400);
      expect(Object.keys(errors)).toEqual(['query']);
      expect(Object.keys(errors.query)).toEqual([key]);
      expect(errors.query[key]?.join(' ')).toContain(words);
    });
  });

  it.each([null, [], 'x', 7, true])('refuses %j as a query', async (query) => {
    const errors = await bodyOf(test.api.post<Record<string, Json>>(path, queryBody({ query })), 400);
    expect(Object.keys(errors)).toEqual(['query']);
  });

  it('tells everything that is wrong at once', async () => {
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

  it('of type T demands time dimensions', async () => {
    const errors = await bodyOf(test.api.post(path, queryBody({ type: 'T' })), 400);
    expect(errors).toEqual({ query: { timeDimensions: ['A trend needs at least one time dimension.'] } });
    const query = { ...SOUND['time dimensions'] };
    expect(await make({ type: 'T', query })).toMatchObject({ type: 'T', query });
  });

  it('takes an order of columns that the query has, and no other', async () => {
    const query = { ...SOUND['a time by its granularity'] };
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

  it('ignores other keys of chart_meta, and refuses them where strict', async () => {
    expect(await make({ chart_meta: { columnOrder: [], bogus: 1 } })).toMatchObject({
      chart_meta: { columnOrder: [] },
    });
    const body = queryBody({ chart_meta: { bogus: 1 } });
    expect(await bodyOf(test.api.strict.post(path, body), 400)).toEqual({
      chart_meta: { bogus: [expect.any(String)] },
    });
  });

  it('keeps numbers and booleans that come as texts as what they mean', async () => {
    const query = { ...SOUND['a time by its granularity'] };
    const { id } = await make({ query: { ...query, limit: '5', total: 'TRUE' } });
    expect(await bodyOf(test.api.get(at(id)))).toMatchObject({ query: { ...query, limit: 5, total: true } });
    expect(await bodyOf(test.api.patch(at(id), { query: { ...query, offset: '7' } }))).toMatchObject({
      query: { ...query, offset: 7 },
    });
  });
});

describe('Changing a report', () => {
  it('of its title alone leaves the rest, tolerates read-only fields, and tells of it', async () => {
    const made = await make();
    const sent = { ...made, id: 1, created: 'x', modified: null, created_by: 99, title: 'Renamed' };
    let changed = {} as Query;
    const [activity] = await activitiesOf(test, async () => {
      changed = await bodyOf(test.api.patch<Query>(at(made.id), { ...sent, chart: undefined, query: undefined }));
    });
    expect(changed).toEqual({ ...made, title: 'Renamed', modified: expect.any(String) });
    expect(changed.modified > made.modified).toBe(true);
    expect(activity).toMatchObject({
      name: 'UpdatedReportActivity',
      data: { report: made.id, report_desc: 'Renamed' },
    });
  });

  it('with nothing changes nothing', async () => {
    const made = await make();
    await changesNothing(test, async () => {
      expect(await bodyOf(test.api.patch(at(made.id), {}))).toEqual(made);
    });
  });

  it('takes a new query, chart and type, checked as a new one is', async () => {
    const made = await make();
    const query = { ...SOUND['a trend'] };
    expect(await bodyOf(test.api.patch(at(made.id), { query, chart: 'line', type: 'T' }))).toMatchObject({
      query,
      chart: 'line',
      type: 'T',
    });
    await changesNothing(test, async () => {
      expect(await bodyOf(test.api.patch(at(made.id), { query: { schema: 'all' } }), 400)).toHaveProperty('query');
      const untimed = { schema: 'all', measures: ['Task.count'] };
      expect(await bodyOf(test.api.patch(at(made.id), { query: untimed }), 400)).toEqual({
        query: { timeDimensions: ['A trend needs at least one time dimension.'] },
      });
    });
  });

  it('to type T is held against the query that is there', async () => {
    const made = await make();
    expect(await bodyOf(test.api.patch(at(made.id), { type: 'T' }), 400)).toHaveProperty(['query', 'timeDimensions']);
  });

  it('of the query takes columns that it no longer has out of the order of columns', async () => {
    const made = await make({ chart_meta: { columnOrder: ['LibraryTask.priority', 'LibraryTask.count'] } });
    const query = { schema: 'library', measures: ['LibraryTask.count'], dimensions: ['LibraryTask.phase'] };
    expect(await bodyOf(test.api.patch(at(made.id), { query }))).toMatchObject({
      chart_meta: { columnOrder: ['LibraryTask.count'] },
    });
    expect(
      await bodyOf(test.api.patch(at(made.id), { chart_meta: { columnOrder: ['LibraryTask.priority'] } }), 400),
    ).toHaveProperty('chart_meta');
  });
});

describe('Deleting a report', () => {
  it('answers 204, tells of it, and then it is gone', async () => {
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
  it('are read by any active user, and written with edit_custom_reports', async () => {
    const { id } = await make();
    const { api } = await test.newUser();
    expect(await bodyOf(api.get(at(id)))).toMatchObject({ id });
    for (const answer of [api.post(path, queryBody()), api.patch(at(id), {}), api.delete(at(id))])
      expect(await bodyOf(answer, 403)).toEqual({ detail: expect.stringContaining('edit_custom_reports') });
  });

  it('of another organization are a 404', async () => {
    const { id } = await make();
    const { api } = await test.newOrganization();
    for (const answer of [api.get(at(id)), api.patch(at(id), { title: 'x' }), api.delete(at(id))])
      expect(await bodyOf(answer, 404)).toEqual({ detail: 'Not found.' });
  });
});
