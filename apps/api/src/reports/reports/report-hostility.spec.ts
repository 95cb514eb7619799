import { reportingModel } from '#reporting/model.js';
import { OPERATORS } from '#reporting/operators.js';
import { useTestApi } from '#test/support/api.js';
import { type Answer, type ApiClient, bodyOf } from '#test/support/client.js';
import { type CubeProblem, type Loaded, type Query, queryBody, reportClient } from '#test/support/reports.js';

const test = useTestApi();
let client: ApiClient;
let sent = 0;
beforeEach(async () => {
  client = await reportClient(test);
});

const at = (endpoint: string): string => `${test.origin}/cubejs-api/v1/${endpoint}`;

/** Sends a query, which must return rows, or a 400 in the format of Cube. */
async function ask(query: unknown, endpoint = 'load'): Promise<Answer<Loaded | CubeProblem>> {
  sent += 1;
  // Tokens are valid for a minute only.
  if (sent % 200 === 0) client = await reportClient(test);
  const answer = await client.post<Loaded | CubeProblem>(at(endpoint), { query });
  if (answer.status >= 500) throw new Error(`${JSON.stringify(query)} → ${answer.status} ${test.log.at(-1)}`);
  expect([query, answer.status]).toEqual([query, answer.status === 200 ? 200 : 400]);
  if (answer.status === 400)
    expect([query, answer.body]).toEqual([query, { type: 'UserError', error: expect.stringMatching(/\S/) }]);
  return answer;
}

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  'x',
  '%',
  '_',
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  'Task.count',
  'x'.repeat(20_000),
  [],
  [null],
  [[]],
  [{}],
  [7],
  ['\0'],
  ['Task.count', 'Task.count'],
  {},
  { a: 1 },
  { or: [] },
  { constructor: { prototype: 1 } },
];

const BASE = { schema: 'all', measures: ['Task.count'], dimensions: ['Task.title'] };
const KEYS = [
  'schema',
  'measures',
  'dimensions',
  'segments',
  'filters',
  'timeDimensions',
  'time_dimensions',
  'order',
  'limit',
  'offset',
  'total',
  'timezone',
  'ungrouped',
  'unknown',
];

const DATES = [
  '99999-01-01',
  '10000-01-01',
  '9999-12-31',
  '9999-12-31T23:59:59.999',
  '1000-01-01',
  '0999-12-31',
  '0000-00-00',
  '0001-01-01',
  '-271821-04-20',
  '+010000-01-01',
  '2026-02-30',
  '2026-13-01',
  '2026-01-01T25:00',
  '2026-01-01T23:59:60',
  '2026-01-01T00:00:00+99:99',
  '9999-12-31T23:59:59-12:00',
  'infinity',
  '-infinity',
  'epoch',
  'now',
  'now()',
  'today',
  'last 99999 years',
  'last 10000 years',
  'next 10000 years',
  '10000 years from now',
  'next 7000 years',
  'from 1000-01-01 to 9999-12-31',
  `from ${'from '.repeat(30)} to today`,
  "2026-01-01'::text; DROP TABLE report; --",
];
const ZONES = ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12'];
const ODD_ZONES = [
  'Mars/Olympus',
  'europe/berlin',
  '+05:00',
  '+25:00',
  'UTC+3',
  'EST5EDT',
  'localtime',
  'posixrules',
  'Factory',
  '../../etc/passwd',
  "UTC' OR '1'='1",
  'UTC\0',
  '\ud800',
  'x'.repeat(1000),
  5,
  [],
  {},
  ['UTC'],
];

describe('Hostile report queries', () => {
  it.each(['load', 'dry-run', 'sql'])(
    'return rows or 400 for values of other types in every place, at %s',
    async (endpoint) => {
      for (const odd of ODD) {
        await ask(odd, endpoint);
        await Promise.all(KEYS.map((key) => ask({ ...BASE, [key]: odd }, endpoint)));
        for (const key of ['member', 'operator', 'values'])
          await ask(
            { ...BASE, filters: [{ member: 'Task.title', operator: 'equals', values: ['x'], [key]: odd }] },
            endpoint,
          );
        for (const key of ['dimension', 'granularity', 'dateRange', 'compareDateRange'])
          await ask({ ...BASE, timeDimensions: [{ dimension: 'Task.created', [key]: odd }] }, endpoint);
        await ask({ ...BASE, order: [['Task.count', odd]] }, endpoint);
        await ask({ ...BASE, order: [[odd, 'asc']] }, endpoint);
      }
    },
    120_000,
  );

  it('return rows or 400 for hostile values with every operator on members of every type', async () => {
    const values = ['', '%', '_', '\\', "'", '$1', '?', '9'.repeat(40), '-.5', '1e400', 'NaN', 'ünï', '\u202e'];
    for (const member of [
      'Task.title',
      'Task.priority',
      'Task.accepted',
      'Task.created',
      'Task.count',
      'Task.completePercent',
    ])
      for (const operator of Object.keys(OPERATORS))
        await Promise.all(
          [values, ...values.map((value) => [value]), [null], [null, null]].map((filterValues) =>
            ask({
              ...BASE,
              measures: ['Task.count', 'Task.completePercent'],
              filters: [{ member, operator, values: filterValues }],
            }),
          ),
        );
  }, 120_000);

  it('return rows or 400 for invalid and extreme dates in every time zone', async () => {
    for (const date of DATES)
      for (const timezone of ZONES) {
        const time = { dimension: 'Task.created', granularity: 'day' };
        await Promise.all([
          ask({ ...BASE, timezone, timeDimensions: [{ ...time, dateRange: date }] }),
          ask({ ...BASE, timezone, timeDimensions: [{ ...time, dateRange: ['1000-01-01', date] }] }),
          ask({ ...BASE, timezone, timeDimensions: [{ ...time, compareDateRange: [date, [date, date]] }] }),
          ...['notEquals', 'beforeOrOnDate', 'notInDateRange'].map((operator) =>
            ask({ ...BASE, timezone, filters: [{ member: 'Task.created', operator, values: [date] }] }),
          ),
        ]);
      }
  }, 120_000);

  it('return rows or 400 for invalid time zones', async () => {
    for (const timezone of ODD_ZONES)
      await ask({ ...BASE, timezone, timeDimensions: [{ dimension: 'Task.created', granularity: 'hour' }] });
  });

  it('return rows for the whole range of dates, 1000-01-01 to 9999-12-31, in every time zone', async () => {
    for (const timezone of ZONES) {
      const whole = { dimension: 'Task.created', dateRange: ['1000-01-01', '9999-12-31'] };
      expect((await ask({ ...BASE, timezone, timeDimensions: [whole] })).status).toBe(200);
    }
  });

  it('return rows or 400 for excessive nesting, list lengths and numbers of keys', async () => {
    const nested = (depth: number): unknown => (depth ? { or: [nested(depth - 1)] } : {});
    await ask({ ...BASE, filters: [nested(60)] });
    await ask({ ...BASE, filters: Array.from({ length: 5000 }, () => ({})) });
    await ask({ ...BASE, dimensions: Array.from({ length: 100_000 }, () => 'Task.id') });
    const order = Array.from({ length: 51 }, () => [BASE.measures[0], 'asc']);
    expect((await ask({ ...BASE, order: order.slice(1) })).status).toBe(200);
    expect((await ask({ ...BASE, order })).status).toBe(400);
    await ask(Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`key${n}`, n])));
    const text = `{"schema":"all","filters":${'['.repeat(2000)}${']'.repeat(2000)}}`;
    expect((await client.get(at('load'), { query: text })).status).toBe(400);
  });

  it('return rows or 400 for more values than PostgreSQL accepts and for counts of every cube', async () => {
    const counts = [...reportingModel().members.values()].filter(
      ({ name, cube }) => name.endsWith('.count') && !cube.startsWith('Trend'),
    );
    const filters = Array.from({ length: 19 }, (_, index) => ({
      member: 'Project.name',
      operator: index % 2 ? 'notEquals' : 'notContains',
      values: Array.from({ length: 1000 }, (__, value) => `${index}.${value}`),
    }));
    await ask({
      schema: 'all',
      measures: counts.map(({ name }) => name).slice(0, 8),
      dimensions: ['Project.name'],
      filters,
    });
    await ask({ schema: 'all', measures: counts.map(({ name }) => name), dimensions: ['BusinessUnit.name'] });
  }, 120_000);

  it('return 400 if a saved query is invalid, for example from another release', async () => {
    const { id } = await bodyOf(test.api.post<Query>('/queries/', queryBody()), 201);
    for (const query of [
      {},
      { schema: 'bogus' },
      { schema: 'all', measures: ['Gone.count'] },
      { ...BASE, filters: 'x' },
      { ...BASE, timezone: 'Mars/Olympus' },
      { ...BASE, limit: 1e9 },
      { ...BASE, timeDimensions: [{ dimension: 'Task.created', dateRange: '99999-01-01' }] },
    ]) {
      await test.database.query('UPDATE report SET query = $2 WHERE id = $1', [id, JSON.stringify(query)]);
      for (const path of ['run/', 'run/?format=csv', 'run/?format=xlsx', 'chart/', 'chart/?format=png'])
        expect(await bodyOf(test.api.get(`/queries/${id}/${path}`), 400)).toEqual({ query: expect.any(Object) });
    }
    for (const wrong of ['0', '-1', '1.5', '%00', '99999999999999999999', 'x', '%ff'])
      expect((await test.api.get(`/queries/${wrong}/run/`)).status).toBe(404);
  });

  it('return 400 for invalid bodies and parameters, and 403 for invalid tokens', async () => {
    for (const body of ['', '{', 'null', '[]', '"x"', '{"query":', '\u0000'])
      expect(
        (await client.post(at('load'), undefined, { raw: body, headers: { 'Content-Type': 'application/json' } }))
          .status,
      ).toBe(400);
    for (const query of ['', '{', 'null', '[]', '"x"', '%', '\u0000', '{"measures":["Task.count"]}x'])
      expect((await client.get(at('load'), { query })).status).toBe(400);
    for (const token of ['', 'a.b.c', 'x'.repeat(5000), `${'e30.'.repeat(2)}e30`, 'é'])
      expect((await client.with({ Authorization: `Bearer ${encodeURI(token)}` }).get(at('meta'))).status).toBe(403);
  });
});
