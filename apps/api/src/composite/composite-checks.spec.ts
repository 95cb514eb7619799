import { type ApiClient, bodyOf, type Json } from '#test/support/client.js';
import { setIdCounter, makeWeakness, unique } from '#test/support/factories.js';
import { changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';
import { post, get, weakness, statusesOf, useComposites } from '#test/support/composites.js';

const { test, run, titles } = useComposites();

const rejected = async (requests: readonly unknown[], api: ApiClient = test.api): Promise<Json> => {
  const error = await changesNothing(test, () =>
    bodyOf(api.post<{ composite_request: Json }>('/composite/', { composite_request: requests }), 400),
  );
  expect(Object.keys(error)).toEqual(['composite_request']);
  return error.composite_request;
};

describe('Guards and validation of each request in a composite request', () => {
  it('requires the permission of each request', async () => {
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

  it('returns 401 without valid credentials', async () => {
    const body = { composite_request: [get('flags/', 'a')] };
    for (const api of [test.api.as(null), test.api.as('x')])
      expect((await api.post('/composite/', body)).status).toBe(401);
  });

  it('ignores credentials and headers in a request, and rejects them in strict mode', async () => {
    const other = await test.newOrganization();
    const user = await test.newUser();
    const own = {
      headers: { Authorization: `Token ${other.admin.token}`, Prefer: 'handling=strict', 'X-Request-Id': 'stolen-id' },
      authorization: `Token ${test.organization.admin.token}`,
      token: other.admin.token,
    };
    const answers = await run([{ ...get('users/me/?unknown=1', 'a'), ...own }], {}, user.api);
    expect(answers[0]).toMatchObject({ http_status_code: 200, body: { id: user.id } });
    const error = await rejected([{ ...get('users/me/', 'a'), ...own }], user.api.strict);
    expect(error).toEqual([
      {
        headers: ['This field is unknown.'],
        authorization: ['This field is unknown.'],
        token: ['This field is unknown.'],
      },
    ]);
  });

  it('returns 404 for an id of another organization, and changes nothing', async () => {
    const other = await test.newOrganization();
    await setIdCounter(test, other, 'weakness', 5000);
    const { id } = await makeWeakness(other.api);
    const requests = [
      get(`library/problems/${id}/`, 'a'),
      { method: 'PATCH', path: `library/problems/${id}/`, reference_id: 'b', body: { text: 'x' } },
      { method: 'DELETE', path: `library/problems/${id}/`, reference_id: 'c' },
    ];
    const answers = await changesNothing(test, () => run(requests, { all_or_none: false }));
    expect(answers.map(({ http_status_code: status, body }) => [status, body])).toEqual(
      requests.map(() => [404, { detail: 'Not found.' }]),
    );
  });

  it('applies strict handling of the composite request to each request', async () => {
    const [strict] = await run([get('flags/?unknown=1', 'a')], {}, test.api.strict);
    expect(strict).toMatchObject({ http_status_code: 400, body: { unknown: [expect.any(String)] } });
  });

  it('rejects a token at an endpoint that accepts only HTTP Basic', async () => {
    const [answer] = await run([
      post('users/me/password/', 'a', { current_password: 'x', new_password: 'y'.repeat(12) }),
    ]);
    expect(answer).toMatchObject({ http_status_code: 401 });
  });

  it('applies a change of permissions to the next request, and reverts it on a rollback', async () => {
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
    // The loss of the permission was rolled back with everything else.
    expect(statusesOf(await run([weakness('a')], {}, user.api))).toEqual([200]);
    const half = await run([reduce, weakness('b')], { all_or_none: false }, user.api);
    expect(statusesOf(half)).toEqual([200, 403]);
  });

  it('rejects the requests after one that revokes the token', async () => {
    const user = await test.newUser();
    const { results } = await bodyOf(user.api.get<List<{ id: number }>>('/users/me/tokens/'));
    const revoke = { method: 'DELETE', path: `users/me/tokens/${results[0]?.id}/`, reference_id: 'r' };
    expect(statusesOf(await run([revoke, get('flags/', 'f')], {}, user.api))).toEqual([424, 401]);
    expect(statusesOf(await run([revoke, get('flags/', 'f')], { all_or_none: false }, user.api))).toEqual([204, 401]);
    expect((await user.api.get('/users/me/')).status).toBe(401);
  });
});

describe('Validation of a composite request', () => {
  const good = get('flags/', 'good');

  it.each<[string, unknown[]]>([
    ['a nested composite request', [good, post('composite/', 'x', { composite_request: [] })]],
    ['a nested composite request with its full path', [post('/api/v2/composite?x', 'x', {})]],
    ['a nested composite request with an unsupported method', [good, get('composite/', 'x')]],
    ['a report as a file', [good, get('queries/1/run/?format=csv', 'x')]],
    ['a report as a file, requested after another question mark', [good, get('queries/1/run/?x=?&format=csv', 'x')]],
    ['a file download', [get('library/export/1/file/', 'x')]],
    ['a file download whose id is a reference', [good, get('library/export/@{good.id}/file', 'x')]],
    ['a file upload', [post('library/import/', 'x', {})]],
    ['a webhook test, whose message would be sent before the commit', [good, post('webhooks/1/test/', 'x', {})]],
    ['a connection test', [good, post('connections/test-analysis/', 'x', {})]],
    ['an unsupported method', [{ ...good, method: 'PUT' }]],
    ['a method in lower case', [{ ...good, method: 'get' }]],
    ['a method that is not a string', [{ ...good, method: 7 }]],
    ['no method', [{ path: 'flags/', reference_id: 'x' }]],
    ['no path', [{ method: 'GET', reference_id: 'x' }]],
    ['an empty path', [get('', 'x')]],
    ['no reference_id', [{ method: 'GET', path: 'flags/' }]],
    ['a reference_id that is not a string', [{ ...good, reference_id: 5 }]],
    ['a reference_id with characters of the reference syntax', [{ ...good, reference_id: 'a.b' }]],
    ['a reference_id that is too long', [{ ...good, reference_id: 'x'.repeat(101) }]],
    ['a reference_id of blanks only', [{ ...good, reference_id: ' ' }]],
    ['a path of blanks only', [get(' ', 'x')]],
    ['a request that is not an object', [good, 'x']],
    ['a request that is null', [null]],
    ['a request that is a list', [[good]]],
  ])('returns 400 under composite_request for %s', async (_, requests) => {
    const errors = (await rejected([weakness('first'), ...requests])) as Json[];
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
  ])('returns 400 for the path %j, which leaves the API or hides its target', async (path) => {
    expect(await rejected([get(path, 'x')])).toEqual([{ path: [expect.any(String)] }]);
  });

  it('counts the characters of a reference_id, not their UTF-16 units', async () => {
    expect(statusesOf(await run([get('flags/', '😀'.repeat(100))]))).toEqual([200]);
    expect(await rejected([get('flags/', '😀'.repeat(101))])).toEqual([
      { reference_id: ['Ensure this field has no more than 100 characters.'] },
    ]);
  });

  it('returns 400 for a duplicate reference_id', async () => {
    expect(await rejected([good, weakness('x'), { ...good }])).toEqual([
      {},
      {},
      { reference_id: ['"good" is used twice.'] },
    ]);
  });

  it('returns 400 for more than 100 requests', async () => {
    const many = Array.from({ length: 101 }, (_, index) => weakness(`w${index}`));
    expect(await rejected(many)).toEqual(['Ensure this field has no more than 100 elements.']);
  });

  it('returns 400 if composite_request is not a list or an option is not a boolean', async () => {
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

describe('Security of composite requests', () => {
  it('returns 404 for a path outside of the API', async () => {
    const paths = [
      '/healthz',
      '/docs/',
      '/openapi.json',
      '/metrics',
      '/static/components/icons/mui-hub.svg',
      '/cubejs-api/v1/meta',
      '/api/v1/flags/',
      '/API/V2/flags/',
      'library/problems/@{a}/../x'.replace('/../', '/'),
    ];
    const answers = await run(
      paths.map((path, index) => get(path, String(index))),
      { all_or_none: false },
    );
    expect(new Set(statusesOf(answers))).toEqual(new Set([404]));
  });

  it('rejects references that turn a path into a file download or a composite request', async () => {
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

  it('completes 40 concurrent composite requests', async () => {
    const marker = unique('at once');
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        run([
          weakness('a', { title: `${marker} ${index}` }),
          get('library/problems/@{a.id}/', 'b'),
          get('users/me/', 'c'),
        ]),
      ),
    );
    expect(new Set(all.flatMap(statusesOf))).toEqual(new Set([200]));
    expect(await titles(marker)).toHaveLength(40);
  });
});
