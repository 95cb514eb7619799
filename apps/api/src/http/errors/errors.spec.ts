import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { useTestApi } from '#test/support/api.js';
import { type Answer, bodyOf, rejectedFields } from '#test/support/client.js';
import { countermeasureBody, makeCountermeasure, unique } from '#test/support/factories.js';
import { changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi({ MAX_BODY_BYTES: '2000' });

const NOT_FOUND = { detail: 'Not found.' };
const json = { 'Content-Type': 'application/json' };
const text = { 'Content-Type': 'text/plain' };
const html = { Accept: 'text/html' };

describe('Precedence of errors', () => {
  let reader: typeof test.api;
  beforeAll(async () => {
    reader = (await test.newUser()).api;
  });
  const statusOf = async (answer: Promise<Answer>): Promise<number> => (await answer).status;

  it('reports an unknown path (404) before missing or invalid credentials', async () => {
    for (const caller of [test.api, test.api.as(null), test.api.as('wrong')])
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
        expect(await bodyOf(caller.send(method, '/no/such/path/'), 404)).toEqual(NOT_FOUND);
  });

  it('reports missing or invalid credentials (401) before an unsupported method', async () => {
    expect(await statusOf(test.api.as(null).send('PUT', '/library/tasks/', {}))).toBe(401);
    expect(await statusOf(test.api.as('wrong').send('DELETE', '/library/tasks/'))).toBe(401);
    expect(
      await statusOf(test.api.as(null).post('/library/tasks/', undefined, { raw: 'x', headers: { ...text, ...html } })),
    ).toBe(401);
    expect(await statusOf(test.api.as(null).get('/library/tasks/', { ordering: 'x' }))).toBe(401);
    expect(await statusOf(test.api.as(null).get('/library/tasks/CT999999/'))).toBe(401);
  });

  it('reports an unsupported method (405) before a missing permission', async () => {
    expect(await statusOf(reader.send('PUT', '/library/tasks/', {}))).toBe(405);
    expect(await statusOf(reader.delete('/library/tasks/'))).toBe(405);
    expect(await statusOf(reader.send('PUT', '/library/tasks/CT999999/', {}, { headers: html }))).toBe(405);
  });

  it('reports a missing permission (403) before errors in media types, ids, parameters and the body', async () => {
    expect(await statusOf(reader.patch('/library/tasks/T1/', undefined, { raw: 'x', headers: text }))).toBe(403);
    expect(await statusOf(reader.patch('/library/tasks/T1/', {}, { headers: html }))).toBe(403);
    expect(await statusOf(reader.patch('/library/tasks/CT999999/', {}))).toBe(403);
    expect(await statusOf(reader.delete('/library/tasks/T1/'))).toBe(403);
    expect(await statusOf(reader.strict.post('/library/tasks/?unknown=1', {}))).toBe(403);
    expect(await statusOf(reader.post('/library/tasks/', undefined, { raw: '{', headers: json }))).toBe(403);
  });

  it('reports errors in media types and size (406, 415, 413) before an unknown id', async () => {
    expect(await statusOf(test.api.get('/library/tasks/CT999999/', {}, html))).toBe(406);
    expect(await statusOf(test.api.patch('/library/tasks/CT999999/', undefined, { raw: 'x', headers: text }))).toBe(
      415,
    );
    expect(await statusOf(test.api.patch('/library/tasks/CT999999/', { text: 'x'.repeat(3000) }))).toBe(413);
    expect(
      await statusOf(test.api.patch('/library/tasks/T1/', undefined, { raw: 'x', headers: { ...text, ...html } })),
    ).toBe(406);
  });

  it('reports an unknown id (404) before errors in parameters and the body', async () => {
    for (const id of ['CT999999', 'T999999', 'nonsense']) {
      expect(await bodyOf(test.api.get(`/library/tasks/${id}/`, { show_original: 'maybe' }), 404)).toEqual(NOT_FOUND);
      expect(await bodyOf(test.api.patch(`/library/tasks/${id}/`, { priority: 99 }), 404)).toEqual(NOT_FOUND);
      expect(await bodyOf(test.api.patch(`/library/tasks/${id}/`, { problem: 'P999999' }), 404)).toEqual(NOT_FOUND);
      expect(await bodyOf(test.api.patch(`/library/tasks/${id}/`, {}), 404)).toEqual(NOT_FOUND);
      expect(
        await bodyOf(test.api.patch(`/library/tasks/${id}/`, undefined, { raw: '{', headers: json }), 404),
      ).toEqual(NOT_FOUND);
      expect(await bodyOf(test.api.strict.patch(`/library/tasks/${id}/?unknown=1`, { unknown: 1 }), 404)).toEqual(
        NOT_FOUND,
      );
      expect(await bodyOf(test.api.delete(`/library/tasks/${id}/`), 404)).toEqual(NOT_FOUND);
      expect(await bodyOf(test.api.delete(`/library/problems/${id}/`, { new_weakness_id: 5 }), 404)).toEqual(NOT_FOUND);
    }
  });

  it('reports errors in query parameters (400) before errors in the body', async () => {
    expect(await rejectedFields(test.api.strict.post('/library/tasks/?unknown=1', {}))).toEqual(['unknown']);
    expect(await rejectedFields(test.api.patch('/library/tasks/T1/?to_html=maybe', { priority: 99 }))).toEqual([
      'to_html',
    ]);
    const unreadable = { raw: '{', headers: json };
    const unread = test.api.patch('/library/tasks/T1/?to_html=maybe', undefined, unreadable);
    expect(await rejectedFields(unread)).toEqual(['to_html']);
  });

  it('reports an item of another organization as an unknown id, not as a missing permission', async () => {
    const other = await test.newOrganization();
    const { id } = await makeCountermeasure(test.api);
    await makeCountermeasure(test.api);
    for (const answer of [
      other.api.get(`/library/tasks/${id}/`),
      other.api.patch(`/library/tasks/${id}/`, {}),
      other.api.delete(`/library/tasks/${id}/`),
    ])
      expect(await bodyOf(answer, 404)).toEqual(NOT_FOUND);
  });
});

describe('Error responses', () => {
  it('reveals only a request id for an unexpected error, and logs the error', async () => {
    await test.expectingServerErrors(async () => {
      await test.database.query('ALTER TABLE phase RENAME TO phase_gone');
      try {
        const answer = await test.api.get<{ request_id: string }>('/phases/');
        expect([answer.status, answer.body]).toEqual([
          500,
          { detail: 'Internal server error.', request_id: answer.headers['x-request-id'] },
        ]);
        expect(test.log.at(-1)).toContain(answer.body.request_id);
        expect(test.log.at(-1)).toContain('does not exist');
      } finally {
        await test.database.query('ALTER TABLE phase_gone RENAME TO phase');
      }
    });
    await bodyOf(test.api.get('/phases/'));
  });

  it('changes nothing if a write fails, not even the next id', async () => {
    await test.database.query('ALTER TABLE activity RENAME TO activity_gone');
    try {
      const answer = await test.expectingServerErrors(() =>
        changesNothing(test, () => test.api.post('/library/tasks/', countermeasureBody())),
      );
      expect(answer.status).toBe(500);
    } finally {
      await test.database.query('ALTER TABLE activity_gone RENAME TO activity');
    }
  });

  it('returns an object as application/json, whatever the status', async () => {
    const answers = [
      test.api.as(null).get('/library/tasks/'),
      test.api.get('/none/'),
      test.api.send('PUT', '/library/tasks/', {}),
      test.api.get('/library/tasks/', {}, html),
      test.api.post('/library/tasks/', undefined, { raw: 'x', headers: text }),
      test.api.post('/library/tasks/', { text: 'x'.repeat(3000) }),
      test.api.post('/library/tasks/', {}),
      test.api.get('/library/tasks/', { page: 999 }),
    ];
    for (const answer of await Promise.all(answers)) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
      expect(answer.body).toEqual(expect.any(Object));
    }
  });

  it('returns 404 for a path that cannot be decoded', async () => {
    for (const path of ['/library/tasks/%/', '/library/tasks/%zz/', '/library/tasks/%c3%28/', '/%ff/'])
      expect(await bodyOf(test.api.get(path), 404)).toEqual(NOT_FOUND);
  });

  it.each([
    ['a NUL character', 'search=%00', 'search'],
    ['a NUL character in an unknown parameter', 'bogus=a%00', 'bogus'],
    ['a lone surrogate', 'search=%ED%A0%80', 'search'],
    ['bytes that are not UTF-8', 'id__in=T1&title=%ff', 'title'],
    ['a name that is not UTF-8', '%ff=1', '\ufffd'],
  ])('returns 400 under the parameter for a query string with %s', async (_, query, name) => {
    expect(await bodyOf(test.api.get(`/library/tasks/?${query}`), 400)).toEqual({ [name]: [expect.any(String)] });
    expect(await bodyOf(test.api.get(`/users/me/permissions/?${query}`), 400)).toEqual({
      [name]: [expect.any(String)],
    });
  });

  it('includes a request id and the common headers for a request that is not valid HTTP', async () => {
    const { hostname, port } = new URL(test.origin);
    const socket = connect(Number(port), hostname);
    socket.end('FOO /api/v2/flags/ HTTP/1.1\r\nHost: x\r\n\r\n');
    const [head = '', body = ''] = (await textOf(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    for (const header of [/X-Request-Id: [\w-]{36}/, /X-Content-Type-Options: nosniff/, /Cache-Control: no-store/])
      expect(head).toMatch(header);
    expect(JSON.parse(body)).toEqual({ detail: 'The request is not valid HTTP.' });
  });

  it('returns no server error for a malformed query string', async () => {
    for (const query of [
      '?%',
      '?search=%',
      '?=x',
      '?&&&',
      '?search[a]=1',
      '?search[]=1',
      '?__proto__=1',
      '?constructor=1',
      '?toString=1',
      `?${'a=1&'.repeat(1500)}`,
    ])
      expect((await test.api.get<List<object>>(`/library/tasks/${query}`)).status).toBeLessThan(500);
  });
});

describe('A request id', () => {
  it('is different for each response', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await test.api.get('/users/me/')).headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(5);
  });

  it('is the one in the request if that is valid, also for errors', async () => {
    const id = `my-${unique('id').replace(' ', '-')}`;
    const headers = { 'X-Request-Id': id };
    expect((await test.api.get('/users/me/', {}, headers)).headers['x-request-id']).toBe(id);
    expect((await test.api.get('/library/tasks/CT99999/', {}, headers)).headers['x-request-id']).toBe(id);
    expect((await test.api.as(null).get('/users/me/', {}, headers)).headers['x-request-id']).toBe(id);
    expect((await test.api.get('/users/me/', {}, { 'X-Request-Id': '1' })).headers['x-request-id']).toBe('1');
  });

  it.each(['', 'a b c d e f g', 'x'.repeat(200), 'quote"quote"', '<script>script</script>'])(
    'is not taken from the invalid value "%s"',
    async (id) => {
      expect((await test.api.get('/users/me/', {}, { 'X-Request-Id': id })).headers['x-request-id']).not.toBe(id);
    },
  );
});
