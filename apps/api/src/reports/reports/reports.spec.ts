import { publicIdOf } from '#platform/crypto/token.js';
import { createHmac } from 'node:crypto';
import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { makeCountermeasure } from '#test/support/factories.js';
import { type CubeProblem, type Loaded, reportClient, rowsOfReport, run } from '#test/support/reports.js';

const test = useTestApi();
const at = (endpoint: string): string => `${test.origin}/cubejs-api/v1/${endpoint}`;
const BY_PRIORITY = { schema: 'library', measures: ['LibraryTask.count'], dimensions: ['LibraryTask.priority'] };

describe('The report token', () => {
  it('is an HS256 JWT that is valid for 60 seconds', async () => {
    const { token } = await bodyOf(test.api.get<{ token: string }>('/users/me/auth-token/'));
    const [header = '', payload = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const claims = JSON.parse(payload) as Record<string, number>;
    expect(claims['exp']! - claims['iat']!).toBe(60);
    expect(claims).toMatchObject({ aud: 'reports', sub: String(test.organization.admin.id) });
  });

  const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = (header: object, claims: object, key: string): string => {
    const text = `${base64(header)}.${base64(claims)}`;
    return `${text}.${key === '' ? '' : createHmac('sha256', key).update(text).digest('base64url')}`;
  };

  it('is rejected if missing, changed, expired, unsigned, for another purpose or signed with another key', async () => {
    const { token } = await bodyOf(test.api.get<{ token: string }>('/users/me/auth-token/'));
    const now = Math.floor(Date.now() / 1000);
    const publicId = publicIdOf(test.organization.admin.token);
    const claims = {
      token: publicId,
      sub: String(test.organization.admin.id),
      aud: 'reports',
      iat: now,
      exp: now + 60,
    };
    // The key is derived from the secret and the purpose.
    const key = createHmac('sha256', 'k'.repeat(40)).update('short-token:reports').digest();
    const signed = (payload: object, header: object = { alg: 'HS256', typ: 'JWT' }): string => {
      const text = `${base64(header)}.${base64(payload)}`;
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
    };
    const client = await reportClient(test);
    const status = async (authorization: string | undefined) =>
      (
        await (authorization === undefined ? client.as(null) : client.with({ Authorization: authorization })).get(
          at('meta'),
        )
      ).status;
    expect(await status(`Bearer ${signed(claims)}`)).toBe(200);
    expect(await status(`bearer ${token}`)).toBe(200);
    expect(await status(token)).toBe(200);
    for (const wrong of [
      undefined,
      '',
      'Bearer',
      `Token ${test.organization.admin.token}`,
      test.organization.admin.token,
      `Bearer ${token.slice(0, -4)}AAAA`,
      `Bearer ${forged({ alg: 'none' }, claims, '')}`,
      `Bearer ${forged({ alg: 'HS256' }, claims, 'another key')}`,
      `Bearer ${signed(claims, { alg: 'HS512' })}`,
      `Bearer ${signed({ ...claims, exp: now - 1 })}`,
      `Bearer ${signed({ ...claims, aud: 'sessions' })}`,
      `Bearer ${signed({ ...claims, aud: undefined })}`,
      `Bearer ${signed({ ...claims, exp: undefined })}`,
      `Bearer ${signed({ ...claims, sub: '999999' })}`,
      `Bearer ${signed({ ...claims, token: 'unknown' })}`,
      `Bearer ${signed({ ...claims, token: undefined })}`,
      'Bearer \u00e9',
    ])
      expect([wrong, await status(wrong)]).toEqual([wrong, 403]);
  });

  it('is checked before the body: without it, even a body that is too large or not JSON returns 403', async () => {
    const { api } = test;
    const client = await reportClient(test);
    for (const [body, type, status] of [
      ['x'.repeat(6 * 1024 * 1024), 'application/json', 413],
      ['<query/>', 'text/xml', 415],
    ] as const) {
      const sent = { raw: body, headers: { 'Content-Type': type } };
      expect((await client.post(at('load'), undefined, sent)).status).toBe(status);
      for (const stranger of [api.as(null), api.with({ Authorization: 'Bearer a.b.c' })])
        expect((await stranger.post(at('load'), undefined, sent)).status).toBe(403);
    }
  });

  it.each(['revoked', 'regenerated'])('is rejected once the token that it was requested with is %s', async (how) => {
    const user = await test.newUser({ role: 'UR2' });
    const { id, token } = await bodyOf(
      user.api.post<{ id: number; token: string }>('/users/me/tokens/', { name: 'x' }),
      201,
    );
    const client = await reportClient(test, { ...user, api: user.api.as(token), token });
    expect((await client.get(at('meta'))).status).toBe(200);
    const own = `/users/me/tokens/${id}/`;
    await (how === 'revoked' ? bodyOf(user.api.delete(own), 204) : bodyOf(user.api.post(`${own}regenerate/`)));
    expect((await client.get(at('meta'))).status).toBe(403);
  });

  it('is rejected if its user is deactivated', async () => {
    const user = await test.newUser({ role: 'UR2' });
    const client = await reportClient(test, user);
    expect((await client.get(at('meta'))).status).toBe(200);
    await bodyOf(test.api.patch(`/users/${user.id}/`, { is_active: false }));
    expect(await bodyOf(client.get(at('meta')), 403)).toEqual({ type: 'UserError', error: 'Invalid token' });
  });
});

describe('Running a query', () => {
  it('returns untruncated rows keyed by member, with numbers as strings and an annotation', async () => {
    await makeCountermeasure(test.api, { priority: 9 });
    const answer = await bodyOf(run(test, BY_PRIORITY));
    const expected = await test.database.query<{ priority: number; count: string }>(
      'SELECT priority, count(*) FROM countermeasure_version GROUP BY 1 ORDER BY 2 DESC, 1',
    );
    expect(answer.data).toEqual(
      expected.map((row) => ({ 'LibraryTask.priority': String(row.priority), 'LibraryTask.count': row.count })),
    );
    expect(answer.truncated).toBe(false);
    expect(answer.annotation).toEqual({
      measures: {
        'LibraryTask.count': { title: expect.any(String), shortTitle: 'Library countermeasures', type: 'number' },
      },
      dimensions: {
        'LibraryTask.priority': { title: 'Library countermeasure Priority', shortTitle: 'Priority', type: 'number' },
      },
      segments: {},
      timeDimensions: {},
    });
  });

  it('accepts the query of a GET as JSON, with the schema all by default', async () => {
    const client = await reportClient(test);
    const query = { measures: ['LibraryTask.count'] };
    const answer = await bodyOf(client.get<Loaded>(at('load'), { query: JSON.stringify(query) }));
    expect(answer.query).toMatchObject({ schema: 'all', limit: 10_000, timezone: 'UTC' });
    expect(answer.data).toHaveLength(1);
  });

  it('returns times without a zone, and under both names if they have a granularity', async () => {
    const [row] = await rowsOfReport(test, {
      schema: 'library',
      measures: ['LibraryTask.count'],
      timeDimensions: [{ dimension: 'LibraryTask.created', granularity: 'year' }],
    });
    const month = `${new Date().getUTCFullYear()}-01-01T00:00:00.000`;
    expect(row).toMatchObject({ 'LibraryTask.created': month, 'LibraryTask.created.year': month });
    const [raw] = await rowsOfReport(test, { schema: 'library', dimensions: ['LibraryTask.created'], limit: 1 });
    expect(raw?.['LibraryTask.created']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
  });

  it('sets truncated if the limit cuts off rows, and returns the total if it is requested', async () => {
    const query = { schema: 'library', dimensions: ['LibraryTask.id'], limit: 3 };
    const cut = await bodyOf(run(test, { ...query, total: true }));
    expect(cut).toMatchObject({ truncated: true });
    expect(cut.data).toHaveLength(3);
    const [{ count } = { count: '' }] = await test.database.query<{ count: string }>(
      'SELECT count(*) FROM countermeasure',
    );
    expect(cut.total).toBe(Number(count));
    const last = await bodyOf(run(test, { ...query, offset: Number(count) - 3 }));
    expect([last.data.length, last.truncated, last.total]).toEqual([3, false, undefined]);
  });

  it('returns one result for each range if it compares date ranges', async () => {
    const client = await reportClient(test);
    const query = {
      schema: 'library',
      measures: ['LibraryTask.count'],
      timeDimensions: [
        { dimension: 'LibraryTask.created', compareDateRange: ['this year', ['2020-01-01', '2020-12-31']] },
      ],
    };
    const answer = await bodyOf(client.post<{ queryType: string; results: Loaded[] }>(at('load'), { query }));
    expect(answer.queryType).toBe('compareDateRangeQuery');
    expect(answer.results.map(({ data }) => data[0]?.['LibraryTask.count'] !== '0')).toEqual([true, false]);
  });

  it('requires view_all_projects except for the schema library', async () => {
    const user = await test.newUser();
    expect((await run(test, BY_PRIORITY, user)).status).toBe(200);
    const rejected = (await run(test, { ...BY_PRIORITY, schema: 'countermeasure' }, user)) as unknown as {
      status: number;
      body: CubeProblem;
    };
    expect([rejected.status, rejected.body]).toEqual([
      403,
      { type: 'UserError', error: expect.stringContaining('view_all_projects') },
    ]);
    const lead = await test.newUser({ role: 'UR2' });
    expect((await run(test, { ...BY_PRIORITY, schema: 'countermeasure' }, lead)).status).toBe(200);
  });

  it.each([
    ['a missing query', undefined, 'Send one query'],
    ['null', null, 'Expected an object'],
    ['a string that is not JSON', '{', 'Must be valid JSON'],
    ['a list', [], 'Expected an object'],
    ['an unknown member', { measures: ['Task.bogus'] }, '"Task.bogus" does not exist'],
    ['a trend member in the schema all', { measures: ['TrendTask.count'] }, 'not part of the schema'],
    ['a limit above the maximum', { measures: ['Task.count'], limit: 50_001 }, '50000'],
  ])('rejects %s with 400 in the error format of Cube', async (_, query, words) => {
    const client = await reportClient(test);
    const problem = await bodyOf(client.post<CubeProblem>(at('load'), { query }), 400);
    expect(problem).toEqual({ type: 'UserError', error: expect.stringContaining(words) });
  });

  it('accepts the query of a POST as an object, a string or a parameter of the URL', async () => {
    const client = await reportClient(test);
    const query = { measures: ['LibraryTask.count'] };
    const text = JSON.stringify(query);
    const { data } = await bodyOf(client.post<{ data: object[] }>(at('load'), { query }));
    expect(data).toHaveLength(1);
    expect(await bodyOf(client.post(at('load'), { query: text }))).toMatchObject({ data });
    expect(await bodyOf(client.post(at('load'), undefined, { query: { query: text } }))).toMatchObject({ data });
    expect(await bodyOf(client.post(at('dry-run'), {}, { query: { query: text } }))).toMatchObject({
      queryType: 'regularQuery',
    });
  });

  it('returns 400 if the query parameter of a GET is missing, duplicated or not JSON', async () => {
    const client = await reportClient(test);
    for (const query of ['{', '', ['{}', '{}'], undefined])
      expect(await bodyOf(client.get<CubeProblem>(at('load'), { query }), 400)).toMatchObject({ type: 'UserError' });
  });
});

describe('The endpoints meta, sql and dry-run', () => {
  it('list every cube of the model with its members (meta)', async () => {
    const client = await reportClient(test, await test.newUser());
    const { cubes } = await bodyOf(client.get<{ cubes: { name: string; measures: { name: string }[] }[] }>(at('meta')));
    expect(cubes.map(({ name }) => name)).toEqual([
      'Activity',
      'Application',
      'BusinessUnit',
      'Integration',
      'LibraryAmendment',
      'LibraryComponent',
      'LibraryHowTo',
      'LibraryProblem',
      'LibraryTask',
      'LibraryThreat',
      'Problem',
      'Project',
      'ProjectSurveyAnswer',
      'Regulation',
      'Task',
      'Threat',
      'Training',
      'TrendApplication',
      'TrendProject',
      'TrendTask',
      'User',
    ]);
    expect(cubes.find(({ name }) => name === 'Task')?.measures.map(({ name }) => name)).toEqual([
      'Task.count',
      'Task.completeCount',
      'Task.incompleteCount',
      'Task.naCount',
      'Task.highPriorityCount',
      'Task.completePercent',
      'Task.averagePriority',
    ]);
  });

  it('return the statement with bound parameters only to super-users (sql)', async () => {
    const client = await reportClient(test);
    const query = {
      ...BY_PRIORITY,
      filters: [{ member: 'LibraryTask.title', operator: 'contains', values: ["x' OR 1=1 --"] }],
    };
    const { sql } = await bodyOf(client.post<{ sql: { sql: [string, string[]] } }>(at('sql'), { query }));
    expect(sql.sql[0]).toContain('reporting.library_task');
    expect(sql.sql[0]).not.toContain('1=1');
    expect(sql.sql[1]).toContain("x' OR 1=1 --");
    const other = await reportClient(test, await test.newUser({ role: 'UR4' }));
    expect(await bodyOf(other.post(at('sql'), { query }), 403)).toMatchObject({ type: 'UserError' });
    expect((await other.post(at('sql'), { query: 'no JSON' })).status).toBe(403);
  });

  it('check a query without running it (dry-run)', async () => {
    const client = await reportClient(test);
    const checked = await bodyOf(client.post<{ normalizedQueries: object[] }>(at('dry-run'), { query: BY_PRIORITY }));
    expect(checked.normalizedQueries[0]).toMatchObject({ ...BY_PRIORITY, limit: 10_000 });
    expect(await bodyOf(client.post(at('dry-run'), { query: {} }), 400)).toMatchObject({ type: 'UserError' });
  });
});

describe('Running a query in strict mode', () => {
  it('accepts query and rejects any other parameter with a 400 that contains its name', async () => {
    const { strict } = await reportClient(test);
    const query = JSON.stringify(BY_PRIORITY);
    await bodyOf(strict.get(at('load'), { query }));
    const rejected = await bodyOf(strict.get<CubeProblem>(at('load'), { query, bogus: 1 }), 400);
    expect(rejected).toEqual({ type: 'UserError', error: expect.stringContaining('bogus') });
  });
});
