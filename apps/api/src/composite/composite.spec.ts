import { Client } from 'pg';

import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, type Json, rowsOf } from '#test/support/client.js';
import { countermeasureBody, makeWeakness, seedCountermeasures, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import { type Loaded, queryBody } from '#test/support/reports.js';
import type { List, Weakness } from '#test/support/resources.js';

const test = useTestApi();

interface Sub {
  method: string;
  path: string;
  reference_id: string;
  body?: unknown;
  [name: string]: unknown;
}

interface SubAnswer {
  reference_id: string;
  http_status_code: number;
  body: Json;
}

const post = (path: string, reference: string, body: unknown): Sub => ({
  method: 'POST',
  path,
  reference_id: reference,
  body,
});
const get = (path: string, reference: string): Sub => ({ method: 'GET', path, reference_id: reference });
const weakness = (reference: string, fields: object = {}): Sub =>
  post('library/problems/', reference, { title: unique('Composite'), text: 'x', risk_rating: 5, ...fields });

/** The answers of a composite request. */
async function run(requests: readonly Sub[], options: object = {}, api: ApiClient = test.api): Promise<SubAnswer[]> {
  const body = await bodyOf(
    api.post<{ composite_response: SubAnswer[] }>('/composite/', { ...options, composite_request: requests }),
  );
  expect(Object.keys(body)).toEqual(['composite_response']);
  for (const answer of body.composite_response)
    expect(Object.keys(answer)).toEqual(['reference_id', 'http_status_code', 'body']);
  return body.composite_response;
}

const refused = async (requests: readonly unknown[], api: ApiClient = test.api): Promise<Json> => {
  const error = await changesNothing(test, () =>
    bodyOf(api.post<{ composite_request: Json }>('/composite/', { composite_request: requests }), 400),
  );
  expect(Object.keys(error)).toEqual(['composite_request']);
  return error.composite_request;
};

const statusesOf = (answers: readonly SubAnswer[]): number[] => answers.map((answer) => answer.http_status_code);
const titles = async (search: string): Promise<string[]> =>
  (await rowsOf(test.api.get<List<Weakness>>('/library/problems/', { search }))).map(({ title }) => title);

describe('A composite request', () => {
  it('answers 200 with reference_id, http_status_code and body of each of its requests, in their order', async () => {
    const title = unique();
    const answers = await run([
      weakness('made', { title }),
      get('library/problems/@{made.id}/', 'read'),
      { method: 'PATCH', path: 'library/problems/@{made.id}/', reference_id: 'changed', body: { risk_rating: 9 } },
      { method: 'DELETE', path: 'library/problems/@{made.id}/', reference_id: 'gone' },
    ]);
    expect(answers).toEqual([
      { reference_id: 'made', http_status_code: 200, body: expect.objectContaining({ title, risk_rating: 5 }) },
      { reference_id: 'read', http_status_code: 200, body: expect.objectContaining({ title }) },
      { reference_id: 'changed', http_status_code: 200, body: expect.objectContaining({ title, risk_rating: 9 }) },
      { reference_id: 'gone', http_status_code: 204, body: null },
    ]);
    expect(await run([])).toEqual([]);
  });

  it('takes paths that are full or relative, with and without a leading slash, with their query', async () => {
    const paths = [
      '/api/v2/library/problems/P1/',
      'api/v2/library/problems/P1',
      '/library/problems/P1/?exclude=text',
      'library/problems/P1?exclude=text&show_original=true',
    ];
    const answers = await run(paths.map((path, place) => get(path, String(place))));
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
    expect(answers.map(({ body }) => Object.hasOwn(body as object, 'text'))).toEqual([true, true, false, false]);
    const [whole, page] = await run([get('phases', 'a'), get('phases/?page_size=2', 'b')]);
    expect(Object.keys(whole?.body as object)).toEqual(['results']);
    expect(page?.body).toMatchObject({
      next: expect.stringMatching(new RegExp(`^${test.origin}/api/v2/phases/\\?page_size=2&page=2`)),
    });
    const [found] = await run([get('library/problems/?search=gänsefüße „x“', 'a')]);
    expect(found).toMatchObject({ http_status_code: 200, body: { results: [] } });
  });

  it('answers for each request just what the request alone would have been answered', async () => {
    const requests: Sub[] = [
      get('library/tasks/T1/?include=match_conditions,tags&expand=phase,problem', 'a'),
      get('library/problems/?page_size=3&ordering=-id', 'b'),
      get('users/me/', 'c'),
      get('library/tasks/?priority=11', 'd'),
      get('library/tasks/NO/', 'e'),
      get('nowhere/', 'f'),
      get('library/tasks/?page=9999&page_size=100', 'g'),
      { method: 'DELETE', path: 'phases/X1/', reference_id: 'h' },
      { method: 'PATCH', path: 'library/tasks/', reference_id: 'i', body: {} },
      post('library/tasks/', 'j', { title: '', problem: 'P999', priority: 99 }),
      post('library/tasks/', 'k', []),
      post('library/tasks/', 'l', 'text'),
      post('flags/', 'm', undefined),
    ];
    const answers = await run(requests, { all_or_none: false });
    for (const [place, { method, path, body }] of requests.entries()) {
      const alone = await test.api.send(method, `/${path}`, body);
      expect([path, answers[place]?.http_status_code, answers[place]?.body]).toEqual([path, alone.status, alone.body]);
    }
  });

  it('takes a null for the body that a request does not have', async () => {
    const { id } = await makeWeakness(test.api);
    const answers = await run([
      { method: 'GET', path: 'flags/', reference_id: 'a', body: null },
      { method: 'DELETE', path: `library/problems/${id}/`, reference_id: 'b', body: null },
    ]);
    expect(statusesOf(answers)).toEqual([200, 204]);
  });

  it('streams of long lists within it are whole', async () => {
    const organization = await test.newOrganization();
    await seedCountermeasures(test, organization, 3000);
    const requests = [
      weakness('made'),
      get('library/tasks/?type__in=Custom&exclude=text', 'list'),
      get('library/tasks/?type__in=Custom', 'again'),
    ];
    for (const options of [{}, { all_or_none: false }]) {
      const answers = await run(
        requests.map((request) => ({ ...request, ...(request.body ? weakness('made') : {}) })),
        options,
        organization.api,
      );
      expect(statusesOf(answers)).toEqual([200, 200, 200]);
      for (const { body } of answers.slice(1)) expect((body as { results: Json[] }).results).toHaveLength(3000);
    }
  });
});

describe('References', () => {
  it('in a path and in any string of a body stand for what an earlier request was answered', async () => {
    const answers = await run([
      weakness('w'),
      post(
        'library/tasks/',
        'task',
        countermeasureBody({
          problem: '@{w.id}',
          text: 'Of @{w.title} (@{w.id}), rated @{w.risk_rating}.',
          tags: ['x', 'of @{w.id}'],
        }),
      ),
      get('library/tasks/?id__in=@{task.id}', 'list'),
      get('library/tasks/@{list.results[0].id}/?include=tags', 'read'),
    ]);
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
    const [made, , , read] = answers.map(
      ({ body }) => body as unknown as Weakness & { problem: string; tags: string[] },
    );
    expect(read).toMatchObject({
      problem: made?.id,
      tags: ['x', `of ${made?.id}`],
      text: `Of ${made?.title} (${made?.id}), rated 5.`,
    });
  });

  it('may have any name, in a path too, whose other characters are encoded', async () => {
    const answers = await run([
      weakness('schwäche 1'),
      get('library/problems/@{schwäche 1.id}/', 'a'),
      get('library/problems/?search=ü @{schwäche 1.id}', 'b'),
      get('library/problems/?search=@{niemand äh.id}', 'c'),
    ]);
    const [made, read, none, unresolved] = answers.map(({ body }) => body);
    expect(read).toEqual(expect.objectContaining({ id: (made as { id: string }).id }));
    expect([none, unresolved]).toEqual([{ results: [] }, { results: [] }]);
  });

  it('that are a whole string keep the type of their value', async () => {
    const answers = await run(
      [
        weakness('w', { risk_rating: 7 }),
        get('phases/?page_size=2', 'phases'),
        weakness('same', { risk_rating: '@{w.risk_rating}' }),
        post('groups/', 'list', { name: '@{phases.results}' }),
        post('groups/', 'object', { name: '@{phases.results[1]}' }),
        post('groups/', 'null', { name: '@{phases.previous}' }),
        post('groups/', 'body', '@{w}'),
      ],
      { all_or_none: false },
    );
    expect(answers[2]).toMatchObject({ http_status_code: 200, body: { risk_rating: 7 } });
    expect(answers.slice(3).map(({ body }) => body)).toEqual([
      { name: ['Not a valid string.'] },
      { name: ['Not a valid string.'] },
      { name: ['This field may not be null.'] },
      { name: ['This field is required.'] },
    ]);
  });

  it('that are not resolved stay as they are, or fail their request with a 400 where strict_ref_checking is true', async () => {
    const wrong = [
      '@{none}',
      '@{none.id}',
      '@{w.nothing}',
      '@{w.id.x}',
      '@{w[0]}',
      '@{w.cwe[99]}',
      '@{w.__proto__}',
      '@{w.constructor.name}',
      '@{w.title.length}',
      '@{w.cwe.length}',
      '@{}',
      '@{w.}',
      '@{.id}',
      '@{w..id}',
      '@{later.id}',
      '@{failed.detail}',
      '@{w.cwe[-1]}',
    ];
    const requests = [
      weakness('w'),
      get('library/problems/NO/', 'failed'),
      ...wrong.map((reference, place) => weakness(`r${place}`, { text: `${reference} and ${reference}` })),
      get('library/problems/@{none.id}/', 'path'),
      weakness('later'),
    ];
    const lenient = await run(requests, { all_or_none: false });
    for (const [place, reference] of wrong.entries())
      expect(lenient[place + 2]).toMatchObject({
        http_status_code: 200,
        body: { text: `${reference} and ${reference}` },
      });
    expect(lenient.at(-2)).toMatchObject({ http_status_code: 404, body: { detail: 'Not found.' } });
    const fresh = requests.map((request) =>
      request.body ? { ...request, body: { ...request.body, title: unique() } } : request,
    );
    const strict = await run(fresh, { all_or_none: false, strict_ref_checking: true });
    for (const [place, reference] of wrong.entries())
      expect(strict[place + 2]).toEqual({
        reference_id: `r${place}`,
        http_status_code: 400,
        body: { detail: expect.stringContaining(reference) },
      });
    expect(strict.at(-2)).toMatchObject({
      http_status_code: 400,
      body: { detail: expect.stringContaining('@{none.id}') },
    });
    expect(strict.at(-1)).toMatchObject({ http_status_code: 200 });
  });

  it('put values into a path percent-encoded, so that none adds a part, a query or another path to it', async () => {
    const evil = [
      'P1/../../users',
      '../P1',
      'P1?exclude=text',
      'P1#x',
      'P1/',
      '%2e%2e/P1',
      'P1&include=cwe',
      'P1\u0000'.replace('\u0000', ' '),
      'ü/ß',
    ];
    for (const title of evil) {
      const name = `${title} ${unique()}`;
      const answers = await run(
        [
          weakness('w', { title: name }),
          get('library/problems/@{w.title}/', 'path'),
          get('library/problems/?search=@{w.title}&page_size=1', 'query'),
        ],
        { all_or_none: false },
      );
      expect(answers[1]).toMatchObject({ http_status_code: 404, body: { detail: 'Not found.' } });
      expect(answers[2]).toMatchObject({ http_status_code: 200, body: { count: 1, results: [{ title: name }] } });
    }
  });

  it('put values into a body as values: they bring in no JSON and no further references', async () => {
    const text = '", "risk_rating": 9, "x": "@{w.id} @{secret.id} \\" \\u0041';
    const { id } = await makeWeakness(test.api, { text });
    const answers = await run([
      weakness('secret'),
      get(`library/problems/${id}/`, 'w'),
      weakness('copied', { text: '@{w.text}' }),
      weakness('quoted', { text: 'a @{w.text} b' }),
    ]);
    expect(answers[2]?.body).toMatchObject({ text, risk_rating: 5 });
    expect(answers[3]?.body).toMatchObject({ text: `a ${text} b`, risk_rating: 5 });
  });

  it('that would make a body larger than one may be are a 413 of their request', async () => {
    const long = 'x'.repeat(90_000);
    const [, twice] = await run(
      [weakness('w', { text: long }), post('groups/', 'big', { name: Array.from({ length: 60 }, () => '@{w.text}') })],
      { all_or_none: false },
    );
    expect(twice).toMatchObject({ http_status_code: 413, body: { detail: expect.stringContaining('5242880') } });
  });
});

describe('All or none', () => {
  it('is the default: after the first failure everything is rolled back, and the others answer 424', async () => {
    const marker = unique('rolled back');
    const requests = [
      weakness('a', { title: `${marker} a` }),
      weakness('b', { title: `${marker} b` }),
      weakness('c', { risk_rating: 99 }),
      weakness('d', { title: `${marker} d` }),
    ];
    const activities = await activitiesOf(test, async () => {
      const answers = await run(requests);
      expect(answers).toEqual([
        { reference_id: 'a', http_status_code: 424, body: { detail: expect.stringMatching(/^Not executed: /) } },
        { reference_id: 'b', http_status_code: 424, body: { detail: expect.stringMatching(/^Not executed: /) } },
        { reference_id: 'c', http_status_code: 400, body: { risk_rating: [expect.any(String)] } },
        { reference_id: 'd', http_status_code: 424, body: { detail: expect.stringMatching(/^Not executed: /) } },
      ]);
    });
    expect(activities).toEqual([]);
    expect(await titles(marker)).toEqual([]);
  });

  it('false is each for itself', async () => {
    const marker = unique('each');
    const requests = [
      weakness('a', { title: `${marker} a` }),
      weakness('b', { risk_rating: 99 }),
      weakness('c', { title: `${marker} c` }),
    ];
    const answers = await run(requests, { all_or_none: 'False' });
    expect(statusesOf(answers)).toEqual([200, 400, 200]);
    expect((await titles(marker)).sort()).toEqual([`${marker} a`, `${marker} c`]);
  });

  it('is one transaction: nobody else sees a part of it, and its requests see what those before them did', async () => {
    const marker = unique('unseen');
    const seen: number[] = [];
    const stop = new AbortController();
    const watcher = (async () => {
      while (!stop.signal.aborted) seen.push((await titles(marker)).length);
    })();
    const requests = Array.from({ length: 20 }, (_, place) => weakness(`w${place}`, { title: `${marker} ${place}` }));
    const answers = await run([...requests, get(`library/problems/?search=${marker}`, 'list')]);
    stop.abort();
    await watcher;
    expect(answers.at(-1)?.body).toEqual({ results: Array.from({ length: 20 }, () => expect.any(Object)) });
    expect(new Set([...seen, 0, 20])).toEqual(new Set([0, 20]));
    expect(await titles(marker)).toHaveLength(20);
  });

  it('writes the activities of all its requests, or none', async () => {
    const activities = await activitiesOf(test, () => run([weakness('a'), weakness('b')]));
    expect(activities.map(({ name }) => name)).toEqual(['CreatedWeaknessActivity', 'CreatedWeaknessActivity']);
  });

  it('lets jobs leave only after the commit, and never where it is rolled back', async () => {
    const listener = new Client({ connectionString: test.database.url });
    await listener.connect();
    try {
      const seen: number[] = [];
      const jobs = async (): Promise<number> =>
        Number((await test.database.query<{ n: string }>('SELECT count(*) AS n FROM export_job'))[0]?.n);
      const told: Promise<void>[] = [];
      listener.on('notification', () => told.push(jobs().then((count) => void seen.push(count))));
      await listener.query('LISTEN merlon_due');
      const before = await jobs();
      const wanted = { type: 'content', file_format: 'json', content_models: ['threat'] };
      await run([post('library/export/', 'job', wanted), weakness('bad', { risk_rating: 99 })]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect([await jobs(), seen]).toEqual([before, []]);
      const slow = Array.from({ length: 15 }, (_, place) => weakness(`w${place}`));
      await run([post('library/export/', 'job', wanted), ...slow]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await Promise.all(told);
      expect(seen).toEqual([before + 1]);
    } finally {
      await listener.end();
    }
  });

  it('runs again as a whole where it lost against another transaction', async () => {
    const [one, two] = [await makeWeakness(test.api), await makeWeakness(test.api)];
    const change = (id: string, reference: string): Sub => ({
      method: 'PATCH',
      path: `library/problems/${id}/`,
      reference_id: reference,
      body: { text: unique() },
    });
    for (let round = 0; round < 5; round += 1) {
      const both = await Promise.all([
        run([change(one.id, 'a'), get('library/tasks/?page_size=500', 'wait'), change(two.id, 'b')]),
        run([change(two.id, 'a'), get('library/tasks/?page_size=500', 'wait'), change(one.id, 'b')]),
      ]);
      expect(both.map(statusesOf)).toEqual([
        [200, 200, 200],
        [200, 200, 200],
      ]);
    }
    expect(test.log.join('')).not.toContain('Unexpected error');
  });
});

describe('Every request of a composite one passes the same guards and validation as if sent alone:', () => {
  it('the caller needs the permission of each', async () => {
    const user = await test.newUser();
    const requests = [
      get('users/me/', 'me'),
      weakness('w'),
      get('activity-stream/', 's'),
      get('users/me/permissions/', 'p'),
    ];
    const answers = await changesNothing(test, () => run(requests, { all_or_none: false }, user.api));
    expect(statusesOf(answers)).toEqual([200, 403, 403, 200]);
    expect(answers[0]?.body).toMatchObject({ id: user.id });
  });

  it('without credentials, or with ones that are not valid, none is made', async () => {
    const body = { composite_request: [get('flags/', 'a')] };
    for (const api of [test.api.as(null), test.api.as('x')])
      expect((await api.post('/composite/', body)).status).toBe(401);
  });

  it('none carries credentials or headers of its own', async () => {
    const other = await test.newOrganization();
    const user = await test.newUser();
    const own = {
      headers: { Authorization: `Token ${other.admin.token}`, Prefer: 'handling=strict', 'X-Request-Id': 'stolen-id' },
      authorization: `Token ${test.organization.admin.token}`,
      token: other.admin.token,
    };
    const answers = await run([{ ...get('users/me/?unknown=1', 'a'), ...own }], {}, user.api);
    expect(answers[0]).toMatchObject({ http_status_code: 200, body: { id: user.id } });
    const error = await refused([{ ...get('users/me/', 'a'), ...own }], user.api.strict);
    expect(error).toEqual([
      {
        headers: ['This field is unknown.'],
        authorization: ['This field is unknown.'],
        token: ['This field is unknown.'],
      },
    ]);
  });

  it("another organization's things are a 404", async () => {
    const other = await test.newOrganization();
    const { id } = await makeWeakness(other.api);
    const answers = await run(
      [
        get(`library/problems/${id}999/`, 'a'),
        { method: 'PATCH', path: `library/problems/${id}999/`, reference_id: 'b', body: { text: 'x' } },
      ],
      { all_or_none: false },
    );
    expect(statusesOf(answers)).toEqual([404, 404]);
  });

  it('strict handling of the whole is strict handling of each', async () => {
    const [strict] = await run([get('flags/?unknown=1', 'a')], {}, test.api.strict);
    expect(strict).toMatchObject({ http_status_code: 400, body: { unknown: [expect.any(String)] } });
  });

  it('where Basic alone is taken, a token is not', async () => {
    const [answer] = await run([
      post('users/me/password/', 'a', { current_password: 'x', new_password: 'y'.repeat(12) }),
    ]);
    expect(answer).toMatchObject({ http_status_code: 401 });
  });

  it('a permission that a request gives counts for the next, and for nobody where it is rolled back', async () => {
    const user = await test.newUser();
    const role = await bodyOf(
      test.api.post<{ id: string }>('/global-roles/', {
        name: unique(),
        permissions: ['customize_content', 'manage_users'],
      }),
      201,
    );
    await bodyOf(test.api.patch(`/users/${user.id}/`, { role: role.id }));
    const reduce = { method: 'PATCH', path: `users/${user.id}/`, reference_id: 'r', body: { role: 'UR5' } };
    const answers = await run([weakness('a'), reduce, weakness('b')], {}, user.api);
    expect(statusesOf(answers)).toEqual([424, 424, 403]);
    // The loss of the permission was rolled back with all else.
    expect(statusesOf(await run([weakness('a')], {}, user.api))).toEqual([200]);
    const half = await run([reduce, weakness('b')], { all_or_none: false }, user.api);
    expect(statusesOf(half)).toEqual([200, 403]);
  });

  it('a token that a request revokes is worth nothing for the next', async () => {
    const user = await test.newUser();
    const { results } = await bodyOf(user.api.get<List<{ id: number }>>('/users/me/tokens/'));
    const revoke = { method: 'DELETE', path: `users/me/tokens/${results[0]?.id}/`, reference_id: 'r' };
    expect(statusesOf(await run([revoke, get('flags/', 'f')], {}, user.api))).toEqual([424, 401]);
    expect(statusesOf(await run([revoke, get('flags/', 'f')], { all_or_none: false }, user.api))).toEqual([204, 401]);
    expect((await user.api.get('/users/me/')).status).toBe(401);
  });
});

describe('A part of a composite request that runs a report', () => {
  it('answers its rows, as if it were sent alone', async () => {
    const { id } = await bodyOf(test.api.post<{ id: number }>('/queries/', queryBody()), 201);
    const path = `/queries/${id}/run/`;
    const { lastRefreshTime: _, ...alone } = await bodyOf(test.api.get<Loaded>(path));
    const [part] = await run([get(path, 'r')]);
    expect(part).toMatchObject({ http_status_code: 200, body: alone });
    expect(statusesOf(await run([get(`${path}?format=json`, 'r')]))).toEqual([200]);
  });
});

describe('A composite request is a 400 under composite_request as a whole', () => {
  const good = get('flags/', 'good');

  it.each<[string, unknown[]]>([
    ['a composite request in it', [good, post('composite/', 'x', { composite_request: [] })]],
    ['a composite request in it by its full path', [post('/api/v2/composite?x', 'x', {})]],
    ['a composite request in it by a method that it does not have', [good, get('composite/', 'x')]],
    ['a report as a file in it', [good, get('queries/1/run/?format=csv', 'x')]],
    [
      'a report as a file in it, asked for behind another question mark',
      [good, get('queries/1/run/?x=?&format=csv', 'x')],
    ],
    ['a file in it', [get('library/export/1/file/', 'x')]],
    ['a file whose id is a reference', [good, get('library/export/@{good.id}/file', 'x')]],
    ['an upload in it', [post('library/import/', 'x', {})]],
    [
      'a test of a webhook in it, whose message would leave before the commit',
      [good, post('webhooks/1/test/', 'x', {})],
    ],
    ['a test of a connection in it', [good, post('connections/test-analysis/', 'x', {})]],
    ['another method', [{ ...good, method: 'PUT' }]],
    ['a method in small letters', [{ ...good, method: 'get' }]],
    ['a method that is none', [{ ...good, method: 7 }]],
    ['no method', [{ path: 'flags/', reference_id: 'x' }]],
    ['no path', [{ method: 'GET', reference_id: 'x' }]],
    ['an empty path', [get('', 'x')]],
    ['no reference_id', [{ method: 'GET', path: 'flags/' }]],
    ['a reference_id that is no string', [{ ...good, reference_id: 5 }]],
    ['a reference_id with characters of references', [{ ...good, reference_id: 'a.b' }]],
    ['a reference_id that is too long', [{ ...good, reference_id: 'x'.repeat(101) }]],
    ['a request that is no object', [good, 'x']],
    ['a request that is null', [null]],
    ['a request that is a list', [[good]]],
  ])('with %s', async (_, requests) => {
    const errors = (await refused([weakness('first'), ...requests])) as Json[];
    expect(errors).toHaveLength(requests.length + 1);
    expect(errors[0]).toEqual({});
    expect(errors.at(-1)).not.toEqual({});
  });

  it.each([
    'http://127.0.0.1/api/v2/flags/',
    'https:flags/',
    '//example.com/flags/',
    '../../healthz',
    '/api/v2/../../healthz',
    'library/../flags/',
    'library/./flags/',
    '%2e%2e/%2E%2e/metrics',
    '/api/v2/.%2e/flags/',
    'library%2ftasks/',
    'library%2Ftasks/T1',
    'library\\tasks',
    'library%5ctasks',
    'flags/#fragment',
    'flags/\r\nAuthorization: x',
    'flags/\u0000',
    'flags/\ud800',
  ])('with the path %j, which leaves the API or hides where it leads', async (path) => {
    expect(await refused([get(path, 'x')])).toEqual([{ path: [expect.any(String)] }]);
  });

  it('with a duplicate reference_id', async () => {
    expect(await refused([good, weakness('x'), { ...good }])).toEqual([
      {},
      {},
      { reference_id: ['"good" is used twice.'] },
    ]);
  });

  it('with more than 100 requests', async () => {
    const many = Array.from({ length: 101 }, (_, place) => weakness(`w${place}`));
    expect(await refused(many)).toEqual(['Ensure this field has no more than 100 elements.']);
  });

  it('without a list', async () => {
    for (const requests of [undefined, null, {}, 'x', 5])
      expect(await bodyOf(test.api.post('/composite/', { composite_request: requests }), 400)).toEqual({
        composite_request: [expect.any(String)],
      });
    expect(
      await bodyOf(
        test.api.post('/composite/', { composite_request: [], all_or_none: 'maybe', strict_ref_checking: 7 }),
        400,
      ),
    ).toEqual({
      all_or_none: [expect.any(String)],
      strict_ref_checking: [expect.any(String)],
    });
  });
});

describe('A composite request is safe from', () => {
  it('a path outside of the API: it is a 404 within it', async () => {
    const paths = [
      '/healthz',
      '/docs/',
      '/openapi.json',
      '/metrics',
      '/static/components/icons/mui-hub.svg',
      '/cubejs-api/v1/meta',
      '/api/v1/flags/',
      '/API/V2/flags/',
      '?x',
      'library/problems/@{a}/../x'.replace('/../', '/'),
    ];
    const answers = await run(
      paths.map((path, place) => get(path, String(place))),
      { all_or_none: false },
    );
    expect(new Set(statusesOf(answers))).toEqual(new Set([404]));
  });

  it('references that make a path one to a file or to a composite request', async () => {
    const title = unique('composite').replaceAll(' ', '');
    await bodyOf(test.api.post('/groups/', { name: 'composite' }), 201);
    await bodyOf(test.api.post('/groups/', { name: 'file' }), 201);
    const answers = await run(
      [
        get('groups/?name=composite', 'c'),
        get('groups/?name=file', 'f'),
        post('@{c.results[0].name}/', 'x', { composite_request: [weakness('hidden', { title })] }),
        get('library/export/1/@{f.results[0].name}/', 'y'),
      ],
      { all_or_none: false },
    );
    expect(statusesOf(answers)).toEqual([200, 200, 400, 400]);
    expect(await titles(title)).toEqual([]);
  });

  it('many composite requests at once, which wait for each other and for nothing else', async () => {
    const marker = unique('at once');
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, place) =>
        run([
          weakness('a', { title: `${marker} ${place}` }),
          get('library/problems/@{a.id}/', 'b'),
          get('users/me/', 'c'),
        ]),
      ),
    );
    expect(new Set(all.flatMap(statusesOf))).toEqual(new Set([200]));
    expect(await titles(marker)).toHaveLength(40);
  });
});
