import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { countermeasureBody, makeCountermeasure } from '#test/support/factories.js';
import { changesNothing } from '#test/support/records.js';

const test = useTestApi({ MAX_BODY_BYTES: '10000' });
const path = '/library/tasks/';

describe('A request body', () => {
  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/jsonx',
    'application/json; charset=latin1',
    '',
  ])('is rejected with 415 for the media type "%s"', async (type) => {
    const raw = JSON.stringify(countermeasureBody());
    const error = await changesNothing(test, () =>
      bodyOf(test.api.post(path, undefined, { raw, headers: { 'Content-Type': type } }), 415),
    );
    expect(error).toEqual({ detail: expect.any(String) });
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json;',
    'application/json; indent=4',
  ])('is accepted with the media type "%s"', async (type) => {
    await bodyOf(
      test.api.post(path, undefined, {
        raw: JSON.stringify(countermeasureBody()),
        headers: { 'Content-Type': type },
      }),
    );
  });

  it.each(['gzip', 'br', 'deflate'])('is rejected with 415 if it is compressed (%s)', async (encoding) => {
    await bodyOf(test.api.post(path, countermeasureBody(), { headers: { 'Content-Encoding': encoding } }), 415);
  });

  it.each([
    '{"title": "x',
    'hello',
    "{'title': 'x'}",
    '{"title": "x",}',
    '{"priority": NaN}',
    '{"a": 1}{"b": 2}',
    '\ufeff{}x',
    '{"a": undefined}',
  ])('is rejected with 400 and a JSON parse error if it is invalid JSON (%j)', async (raw) => {
    const headers = { 'Content-Type': 'application/json' };
    const error = await changesNothing(test, () => bodyOf(test.api.post(path, undefined, { raw, headers }), 400));
    expect(error).toEqual({ detail: expect.stringMatching(/^JSON parse error - /) });
  });

  it('is rejected with 400 if it is not UTF-8', async () => {
    const raw = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const error = await bodyOf(
      test.api.post(path, undefined, { raw, headers: { 'Content-Type': 'application/json' } }),
      400,
    );
    expect(error).toEqual({ detail: expect.stringMatching(/^JSON parse error - /) });
  });

  it.each(['[]', '"text"', '5', 'true', 'null', '[{"title":"x"}]'])(
    'is rejected with 400 if it is not an object (%s)',
    async (raw) => {
      const errors = await bodyOf(
        test.api.post(path, undefined, { raw, headers: { 'Content-Type': 'application/json' } }),
        400,
      );
      expect(errors).toEqual({ non_field_errors: [expect.any(String)] });
    },
  );

  it('is rejected with 400 if it is nested a thousand levels deep', async () => {
    const headers = { 'Content-Type': 'application/json' };
    await bodyOf(
      test.api.post(path, undefined, { raw: `{"tags":${'['.repeat(1000)}${']'.repeat(1000)}}`, headers }),
      400,
    );
  });

  it('is accepted up to the limit and rejected with 413 above it', async () => {
    const { id } = await makeCountermeasure(test.api);
    const body = (size: number): object => ({ text: 'x'.repeat(size - JSON.stringify({ text: '' }).length) });
    await bodyOf(test.api.patch(`${path}${id}/`, body(10_000)));
    expect(await changesNothing(test, () => bodyOf(test.api.patch(`${path}${id}/`, body(10_001)), 413))).toEqual({
      detail: expect.any(String),
    });
  });

  it('is rejected above the limit even without Content-Length, and keeps the connection usable', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { Authorization: `Token ${test.organization.admin.token}`, 'Content-Type': 'application/json' };
    const statusOf = (method: string, pieces: readonly string[]): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request(`${test.origin}/api/v2${path}?page_size=1`, { agent, method, headers }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        });
        sent.once('error', reject);
        for (const piece of pieces) sent.write(piece);
        sent.end();
      });
    try {
      expect(await statusOf('POST', ['{"title": "', 'x'.repeat(6000), 'x'.repeat(2_000_000), '"}'])).toBe(413);
      expect(await statusOf('GET', [])).toBe(200);
    } finally {
      agent.destroy();
    }
  });

  it('gets an error response even if the client sends all of it first over a closing connection', async () => {
    const body = 'x'.repeat(8_000_000);
    const answerTo = async (type: string, to = path): Promise<string> => {
      const socket = connect(Number(new URL(test.origin).port), '127.0.0.1');
      const head = [
        `POST /api/v2${to} HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        `Authorization: Token ${test.organization.admin.token}`,
        `Content-Type: ${type}`,
        `Content-Length: ${body.length}`,
      ];
      const written = promisify(socket.end.bind(socket) as (text: string, done: () => void) => void);
      await written(`${head.join('\r\n')}\r\n\r\n${body}`);
      return text(socket);
    };
    expect(await answerTo('application/json')).toMatch(/^HTTP\/1.1 413 [^]*The request body is larger/);
    for (const to of [path, '/library/import/'])
      expect(await answerTo('text/plain', to)).toMatch(/^HTTP\/1.1 415 [^]*Unsupported media type/);
  });

  it('is optional if no field is required, even with Content-Type: application/json', async () => {
    const { id } = await makeCountermeasure(test.api);
    const headers = { 'Content-Type': 'application/json' };
    await bodyOf(test.api.patch(`${path}${id}/`, undefined, { headers }));
    await bodyOf(test.api.get(`${path}${id}/`, {}, headers));
    await bodyOf(test.api.delete(`${path}${id}/`, undefined, { headers }), 204);
    expect(await rejectedFields(test.api.post(path, undefined, { headers }))).toContain('title');
  });

  it('may contain duplicate and hostile keys without causing harm', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const raw =
      '{"__proto__": {"priority": 9}, "constructor": {"prototype": {}}, "toString": 1, "priority": 1, "priority": 2}';
    const { id } = await makeCountermeasure(test.api);
    expect(await bodyOf(test.api.patch(`${path}${id}/`, undefined, { raw, headers }))).toMatchObject({ priority: 2 });
    expect(({} as { priority?: number }).priority).toBeUndefined();
  });
});

describe('Content negotiation by Accept', () => {
  it.each([
    'text/html',
    'application/xml',
    'image/png, audio/*',
    'text/plain, text/xml',
    'application/json;q=0, text/html',
    'application/json; q=0, text/html',
    'application/vnd.api+json',
  ])('returns 406 for "%s"', async (accept) => {
    expect(await bodyOf(test.api.get(path, { page_size: 1 }, { Accept: accept }), 406)).toEqual({
      detail: expect.any(String),
    });
    await changesNothing(test, () =>
      bodyOf(test.api.post(path, countermeasureBody(), { headers: { Accept: accept } }), 406),
    );
  });

  it.each([
    'application/json',
    '*/*',
    'application/*',
    'text/html, */*;q=0.1',
    'application/json; indent=4',
    'text/html, application/json;q=0.5',
    '',
  ])('returns JSON for "%s"', async (accept) => {
    const answer = await test.api.get(path, { page_size: 1 }, { Accept: accept });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
  });
});
