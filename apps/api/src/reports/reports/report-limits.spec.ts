import { startTestApi, type TestApi, useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { startReading } from '#test/support/paused-reader.js';
import { type CubeProblem, type Query, queryBody, reportClient, rowsOfReport, run } from '#test/support/reports.js';
import { withLockedTable } from '#test/support/table-locks.js';

const PROJECTS = { schema: 'application', measures: ['Project.count'] };

describe('A report that takes longer than REPORT_TIMEOUT_SECONDS', () => {
  let test: TestApi;
  beforeAll(async () => {
    test = await startTestApi({ REPORT_TIMEOUT_SECONDS: '2', REPORT_POOL_SIZE: '1' });
    // The model is compiled once; that time is not part of the report's.
    const client = await reportClient(test);
    await bodyOf(client.post(`${test.origin}/cubejs-api/v1/sql`, { query: PROJECTS }));
  });
  afterAll(() => test.close());

  /** Blocks every report on projects while the action runs. */
  const whileHeld = (action: () => Promise<void>) => withLockedTable(test.database.url, 'project', action);

  it('is cancelled and returns a 400 that suggests asking for less', async () => {
    const saved = await bodyOf(test.api.post<Query>('/queries/', queryBody({ query: PROJECTS })), 201);
    const client = await reportClient(test);
    const words = expect.stringMatching(/takes too long.*Use fewer dimensions/);
    await whileHeld(async () => {
      const load = client.post<CubeProblem>(`${test.origin}/cubejs-api/v1/load`, { query: PROJECTS });
      expect(await bodyOf(load, 400)).toEqual({ type: 'UserError', error: words });
      expect(await bodyOf(test.api.get(`/queries/${saved.id}/run/`), 400)).toEqual({ detail: words });
      expect(await bodyOf(test.api.get(`/queries/${saved.id}/run/`, { format: 'csv' }), 400)).toEqual({
        detail: words,
      });
      expect(await bodyOf(test.api.get(`/queries/${saved.id}/chart/`), 400)).toEqual({ detail: words });
      const sessions = await test.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'merlon reports' AND state = 'active'
          AND datname = current_database()`,
      );
      expect(sessions).toEqual([]);
    });
    expect(await rowsOfReport(test, PROJECTS)).toEqual([{ 'Project.count': '0' }]);
  });

  it('lets other reports wait, and rejects those that wait too long with 429 and Retry-After', async () => {
    const client = await reportClient(test);
    await whileHeld(async () => {
      const answers = await Promise.all(
        Array.from({ length: 6 }, () =>
          client.post<CubeProblem>(`${test.origin}/cubejs-api/v1/load`, { query: PROJECTS }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
      expect([statuses.at(0), statuses.at(-1)]).toEqual([400, 429]);
      const throttled = answers.find(({ status }) => status === 429);
      expect(throttled?.headers['retry-after']).toBe('5');
      expect(throttled?.body).toEqual({ type: 'UserError', error: expect.stringContaining('throttled') });
    });
    expect((await run(test, PROJECTS)).status).toBe(200);
  });
});

describe('A report for which no slot for requests becomes free', () => {
  const test = useTestApi({
    MAX_REQUESTS: '1',
    MAX_HEAVY_REQUESTS: '1',
    REQUEST_WAIT_SECONDS: '1',
    REPORT_TIMEOUT_SECONDS: '10',
  });

  it('is rejected with 429 and Retry-After, in the form of other errors of reports', async () => {
    const client = await reportClient(test);
    const load = () => client.post<CubeProblem>(`${test.origin}/cubejs-api/v1/load`, { query: PROJECTS });
    await withLockedTable(test.database.url, 'project', async () => {
      const first = load();
      await eventually(async () => (await load()).status === 429, 30);
      const { status, headers, body } = await load();
      const error = expect.stringContaining('throttled');
      expect([status, body]).toEqual([429, { type: 'UserError', error }]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect((await first).status).toBe(400);
    });
  });
});

describe('A report whose result is too large for memory', () => {
  const test = useTestApi();

  it('returns 400 instead of running out of memory', async () => {
    await test.database.query(
      `INSERT INTO trend_application (organization_id, day, application_id, application, business_unit, status)
       SELECT $1, current_date, n, repeat('x', 3000), 'Unit', 'Complete' FROM generate_series(1, 30000) n`,
      [test.organization.id],
    );
    const query = {
      schema: 'trend_application',
      dimensions: ['TrendApplication.application'],
      timeDimensions: [{ dimension: 'TrendApplication.date' }],
      ungrouped: true,
      limit: 50_000,
    };
    const client = await reportClient(test);
    const problem = await bodyOf(client.post<CubeProblem>(`${test.origin}/cubejs-api/v1/load`, { query }), 400);
    expect(problem).toEqual({ type: 'UserError', error: expect.stringContaining('too large') });
    expect((await bodyOf(run(test, { ...query, limit: 1000 }))).data).toHaveLength(1000);
  });
});

describe('A report that compares ten date ranges', () => {
  const test = useTestApi({ MAX_REQUEST_MEMORY_BYTES: String(4 * 2 ** 20) });

  it('has one budget for all of them, and returns 413 if each would fit, but not all', async () => {
    await test.database.query(
      `INSERT INTO trend_application (organization_id, day, application_id, application, business_unit, status)
       SELECT $1, date '2026-01-01' + n % 10, n, repeat('x', 3000), 'Unit', 'Complete' FROM generate_series(0, 2999) n`,
      [test.organization.id],
    );
    const ranges = Array.from({ length: 10 }, (_, index) => `2026-01-${String(index + 1).padStart(2, '0')}`);
    const compare = (...days: string[]) =>
      run(test, {
        schema: 'trend_application',
        dimensions: ['TrendApplication.application'],
        timeDimensions: [{ dimension: 'TrendApplication.date', compareDateRange: days.map((day) => [day, day]) }],
        ungrouped: true,
        limit: 1000,
      });
    expect((await compare(...ranges.slice(0, 2))).status).toBe(200);
    const { status, body } = await compare(...ranges);
    expect({ status, body }).toMatchObject({ status: 413, body: { error: expect.stringContaining('memory') } });
    // The budget is released: other ranges fit.
    expect((await compare(...ranges.slice(8))).status).toBe(200);
  }, 180_000);
});

describe('Large reports whose clients do not read the response', () => {
  const test = useTestApi({ MAX_WAITING_BYTES: String(64 * 2 ** 20) });

  it.each(['csv', 'json'])(
    'share limited memory as %s: another request returns 429 with Retry-After',
    async (format) => {
      await test.database.query(
        `INSERT INTO trend_application (organization_id, day, application_id, application, business_unit, status)
       SELECT $1, current_date, n, repeat('x', 3000), 'Unit', 'Complete'
         FROM generate_series(1, 9000) n ON CONFLICT DO NOTHING`,
        [test.organization.id],
      );
      const query = {
        schema: 'trend_application',
        dimensions: ['TrendApplication.application'],
        timeDimensions: [{ dimension: 'TrendApplication.date' }],
        ungrouped: true,
        limit: 9000,
      };
      const saved = await bodyOf(
        test.api.post<Query>('/queries/', queryBody({ query, title: `As ${format}`, chart: 'table' })),
        201,
      );
      const reader = await startReading(test, `/api/v2/queries/${saved.id}/run/?format=${format}`);
      try {
        expect(reader.status).toBe(200);
        const { status, headers } = await test.api.get(`/queries/${saved.id}/run/`, { format });
        expect([status, headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-9]\d*$/)]);
        await bodyOf(test.api.get('/phases/'));
      } finally {
        reader.abandon();
      }
    },
  );
});
