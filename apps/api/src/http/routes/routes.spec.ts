import { startTestApi, useTestApi } from '#test/support/api.js';
import { type Answer, bodyOf, rejectedFields } from '#test/support/client.js';
import { makeCountermeasure } from '#test/support/factories.js';
import { changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();

const allowed = (header: string | undefined): string[] => (header ?? '').split(/\s*,\s*/).sort();

describe('A path', () => {
  it('works with and without a trailing slash, without a redirect', async () => {
    const { id } = await makeCountermeasure(test.api);
    for (const path of ['/library/tasks', `/library/tasks/${id}`, '/phases', '/users/me', '/flags'])
      expect((await test.api.get(path)).body).toEqual((await test.api.get(`${path}/`)).body);
    await bodyOf(test.api.patch(`/library/tasks/${id}`, { priority: 1 }));
    await bodyOf(test.api.delete(`/library/tasks/${id}`), 204);
  });

  it.each([
    '/library/tasksx/',
    '/library/task/',
    '/Library/tasks/',
    '/library/TASKS/',
    '/library//tasks/',
    '/library/tasks//',
    '/library/tasks/T1//',
    '/library/tasks/T1/x/',
    '/../tasks/',
  ])('returns 404 for "%s"', async (path) => {
    expect((await test.api.get(`${test.origin}/api/v2${path}`)).status).toBe(404);
  });

  it('accepts query parameters without a trailing slash', async () => {
    expect(await bodyOf(test.api.get('/library/tasks', { id__in: 'T1', exclude: 'text' }))).toMatchObject({
      results: [{ id: 'T1' }],
    });
  });
});

describe('The index of the API', () => {
  it('lists the documents and lists of the service, without credentials', async () => {
    for (const path of ['/api/v2', '/api/v2/'])
      expect(await bodyOf(test.api.as(null).get(`${test.origin}${path}`))).toMatchObject({
        name: 'Merlon',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        documentation: expect.stringMatching(/\/docs\/$/),
        openapi: expect.stringMatching(/\/openapi\.json$/),
        resources: {
          projects: expect.stringMatching(/\/api\/v2\/projects\/$/),
          'library/tasks': expect.stringMatching(/\/api\/v2\/library\/tasks\/$/),
        },
      });
  });
});

describe('A list of values in a query parameter', () => {
  const idsOf = async (query: string): Promise<string[]> => {
    const { results } = await bodyOf(test.api.strict.get<List<{ id: string }>>(`/library/tasks/?${query}`));
    return results.map(({ id }) => id);
  };

  it('may be comma-separated, repeated, or both', async () => {
    const expected = await idsOf('id__in=T1,T2,T3&ordering=-priority,title');
    expect(expected).toHaveLength(3);
    expect(await idsOf('id__in=T1&id__in=T2&id__in=T3&ordering=-priority&ordering=title')).toEqual(expected);
    expect(await idsOf('id__in=T1,T2&id__in=T3&ordering=-priority&ordering=title,id')).toEqual(expected);
  });

  it('contains values with commas in double quotes', async () => {
    const { id } = await makeCountermeasure(test.api, { title: 'Check dates, times' });
    expect(await idsOf(`title__in=${encodeURIComponent('"Check dates, times",No such title')}`)).toEqual([id]);
    expect(await idsOf(`title__in=${encodeURIComponent('Check dates, times')}`)).toEqual([]);
    expect(await rejectedFields(test.api.get('/library/tasks/', { title__in: '"Check dates, times' }))).toEqual([
      'title__in',
    ]);
  });
});

describe('What a lenient request ignores', () => {
  it('is named in Ignored-Parameters: parameters, body fields, and values of include, expand and exclude', async () => {
    const ignored = async (answer: Promise<Answer<unknown>>) => (await answer).headers['ignored-parameters'];
    expect(await ignored(test.api.get('/library/tasks/?statuss=TS2&include=tags,bogus&page_size=1'))).toBe(
      'bogus, statuss',
    );
    expect(await ignored(test.api.get('/users/me/permissions/?bogus=1'))).toBe('bogus');
    const { id } = await makeCountermeasure(test.api);
    expect(await ignored(test.api.patch(`/library/tasks/${id}/`, { priority: 2, prio: 3, 'a,b\n': 1 }))).toBe(
      'prio, a%2Cb%0A',
    );
    expect(await ignored(test.api.get('/library/tasks/?page_size=1'))).toBeUndefined();
  });

  it('is named up to 1 kB', async () => {
    const query = Array.from({ length: 200 }, (_, index) => `unknown_name_${index}=1`).join('&');
    const { headers } = await test.api.get(`/library/tasks/?page_size=1&${query}`);
    expect(headers['ignored-parameters']).toMatch(/^unknown_name_0, .*/);
    expect(headers['ignored-parameters']?.length).toBeLessThanOrEqual(1024);
  });
});

describe('A comma-separated list of names in a query parameter', () => {
  it('may be split over several parameters', async () => {
    const parts = await bodyOf(test.api.strict.get('/library/tasks/T1/', { include: ['tags', 'how_tos'] }));
    expect(parts).toEqual(await bodyOf(test.api.get('/library/tasks/T1/', { include: 'tags,how_tos' })));
  });

  it('may contain spaces around its names', async () => {
    const answer = test.api.strict.get('/library/tasks/T1/', {
      include: 'tags, match_conditions',
      expand: ' phase ,problem',
      exclude: 'text, url',
    });
    const item = await bodyOf(answer);
    expect(item).toMatchObject({
      tags: expect.any(Array),
      match_conditions: expect.any(Array),
      phase: { id: expect.any(String) },
      problem: { id: expect.any(String) },
    });
    expect(item).not.toHaveProperty('url');
    const ordered = (ordering: string) => test.api.strict.get('/library/tasks/', { ordering, page_size: 20 });
    expect(await bodyOf(ordered('-priority, title'))).toMatchObject({
      results: ((await bodyOf(ordered('-priority,title'))) as { results: object[] }).results,
    });
  });
});

describe('An unknown query parameter in strict mode', () => {
  it.each(['/users/me/permissions/', '/queries/templates/', '/library/tasks/'])(
    'is rejected with an error under its name, whatever the name: %s',
    async (path) => {
      for (const name of ['bogus', '__proto__', 'constructor', 'toString'])
        expect(await rejectedFields(test.api.strict.get(`${path}?${name}=1`))).toEqual([name]);
    },
  );
});

describe('An unsupported method', () => {
  it.each([
    ['PUT', '/library/tasks/', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['DELETE', '/library/tasks/', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['PATCH', '/library/problems/', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['PUT', '/library/tasks/T1/', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH']],
    ['POST', '/library/tasks/T1/', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH']],
    ['POST', '/library/answers/', ['GET', 'HEAD', 'OPTIONS']],
    ['POST', '/library/tags/', ['GET', 'HEAD', 'OPTIONS']],
    ['TRACE', '/library/tags/', ['GET', 'HEAD', 'OPTIONS']],
  ])('returns 405 with an Allow header for %s %s', async (method, path, methods) => {
    const answer = await changesNothing(test, () => test.api.send(method, path, method === 'TRACE' ? undefined : {}));
    expect([answer.status, answer.body]).toEqual([405, { detail: `Method "${method}" not allowed.` }]);
    expect(allowed(answer.headers.allow)).toEqual(methods);
  });
});

describe('An unsupported method outside of the API', () => {
  it.each([
    ['PUT', '/cubejs-api/v1/load', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['POST', '/cubejs-api/v1/meta', ['GET', 'HEAD', 'OPTIONS']],
  ])('returns 405 with an Allow header for %s %s, and OPTIONS lists the methods', async (method, path, methods) => {
    const url = `${test.origin}${path}`;
    const answer = await test.api.as(null).send(method, url, {});
    expect([answer.status, answer.body]).toEqual([405, { detail: `Method "${method}" not allowed.` }]);
    expect(allowed(answer.headers.allow)).toEqual(methods);
    const options = await test.api.as(null).send('OPTIONS', url);
    expect([options.status, allowed(options.headers.allow)]).toEqual([204, methods]);
  });
});

describe('OPTIONS', () => {
  it('returns 204 with the allowed methods, also without credentials', async () => {
    for (const caller of [test.api, test.api.as(null)]) {
      const list = await caller.send('OPTIONS', '/library/tasks/');
      expect([list.status, list.text, allowed(list.headers.allow)]).toEqual([
        204,
        '',
        ['GET', 'HEAD', 'OPTIONS', 'POST'],
      ]);
      const item = await caller.send('OPTIONS', '/library/tasks/T1/');
      expect([item.status, allowed(item.headers.allow)]).toEqual([204, ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH']]);
    }
    expect((await test.api.send('OPTIONS', '/none/')).status).toBe(404);
  });
});

describe('HEAD', () => {
  it('returns the status of GET without a body', async () => {
    const answer = await test.api.send('HEAD', '/library/tasks/T1/');
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await test.api.send('HEAD', '/library/tasks/CT999999/')).status).toBe(404);
    expect((await test.api.as(null).send('HEAD', '/library/tasks/')).status).toBe(401);
  });
});

describe('CORS', () => {
  const origin = { Origin: 'https://app.example.com' };
  const corsHeaders = (headers: object): string[] =>
    Object.keys(headers).filter((name) => name.startsWith('access-control'));

  it('is disabled by default', async () => {
    expect(corsHeaders((await test.api.get('/users/me/', {}, origin)).headers)).toEqual([]);
    const preflight = await test.api
      .as(null)
      .send('OPTIONS', '/users/me/', undefined, { headers: { ...origin, 'Access-Control-Request-Method': 'GET' } });
    expect(corsHeaders(preflight.headers)).toEqual([]);
  });

  it('is enabled only for the origins in CORS_ORIGINS', async () => {
    const open = await startTestApi({ CORS_ORIGINS: 'https://app.example.com' });
    try {
      const answer = await open.api.get('/users/me/', {}, origin);
      expect(answer.headers['access-control-allow-origin']).toBe('https://app.example.com');
      expect(
        (await open.api.get('/users/me/', {}, { Origin: 'https://evil.example' })).headers[
          'access-control-allow-origin'
        ],
      ).toBeUndefined();
      expect(
        (await open.api.get('/users/me/', {}, { Origin: 'https://app.example.com.evil.example' })).headers[
          'access-control-allow-origin'
        ],
      ).toBeUndefined();
      const preflight = await open.api.as(null).send('OPTIONS', '/library/tasks/T1/', undefined, {
        headers: {
          ...origin,
          'Access-Control-Request-Method': 'PATCH',
          'Access-Control-Request-Headers': 'authorization,content-type',
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers['access-control-allow-origin']).toBe('https://app.example.com');
      expect(preflight.headers['access-control-allow-methods']).toBe('GET,HEAD,POST,PATCH,DELETE');
      const report = await open.api.as(null).send('OPTIONS', `${open.origin}/cubejs-api/v1/load`, undefined, {
        headers: { ...origin, 'Access-Control-Request-Method': 'POST' },
      });
      expect([report.status, report.headers['access-control-allow-origin']]).toEqual([204, origin.Origin]);
    } finally {
      await open.close();
    }
  });
});

describe('A removed endpoint', () => {
  it.each([
    ['/library/jobs/export/', 'library/export'],
    ['/library/jobs/export/1/file/', 'library/export'],
    ['/library/jobs/import/', 'library/import'],
    ['/library/jobs/import/1/', 'library/import'],
    ['/activities/', 'activity-stream'],
    ['/activities/1/', 'activity-stream'],
    ['/users/me/activities/', 'users/me/activity-stream'],
    ['/projects/1/activities/', 'projects/'],
    ['/projects/1/activities/2/', 'projects/'],
  ])('returns 410 for %s with its successor, for every method', async (path, successor) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await test.api.send(method, path, method === 'GET' ? undefined : {});
      expect([answer.status, answer.body]).toEqual([410, { detail: expect.stringContaining(successor) }]);
    }
    await bodyOf(test.api.as(null).get(path), 401);
    const options = await test.api.send('OPTIONS', path);
    expect(options.status).toBe(204);
    expect(options.headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT');
  });
});
