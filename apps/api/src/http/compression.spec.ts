import { useTestApi } from '#test/support/api.js';
import { makeCountermeasure, seedCountermeasures } from '#test/support/factories.js';

const test = useTestApi();

beforeAll(() => seedCountermeasures(test, test.organization, 1100));

/** A response of the API to a client that accepts these encodings. */
async function answerTo(path: string, accepted: string): Promise<Response> {
  const headers = { Authorization: `Token ${test.organization.admin.token}`, 'Accept-Encoding': accepted };
  const answer = await fetch(`${test.origin}/api/v2${path}`, { headers });
  expect(answer.status).toBe(200);
  return answer;
}

/** The encoding of a response, and the `Vary` header for caches. */
async function encodingOf(path: string, accepted = 'gzip, br'): Promise<(string | null)[]> {
  const { headers } = await answerTo(path, accepted);
  return [headers.get('content-encoding'), headers.get('vary')];
}

describe('Compression', () => {
  it.each([
    ['br', 'gzip, br'],
    ['gzip', 'gzip'],
    [null, 'identity'],
  ])('uses %s for a client that accepts "%s"', async (encoding, accepted) => {
    expect(await encodingOf('/library/tasks/?page_size=50', accepted)).toEqual([
      encoding,
      expect.stringContaining('Accept-Encoding'),
    ]);
  });

  it('does not compress small responses', async () => {
    expect((await encodingOf('/users/me/'))[0]).toBeNull();
  });

  it('does not compress streamed lists', async () => {
    expect((await encodingOf('/library/tasks/'))[0]).toBeNull();
  });

  it('does not compress a response with a token, also as a part of a composite response', async () => {
    const body = { name: 'x'.repeat(100) };
    const composite = (path: string, method: string) => ({
      composite_request: [
        { method, path, reference_id: 'a', ...(method === 'POST' && { body }) },
        { method: 'GET', path: 'library/tasks/?page_size=50', reference_id: 'b' },
      ],
    });
    const sent = async (path: string, value: object): Promise<[number, string | null, boolean]> => {
      const answer = await fetch(`${test.origin}/api/v2${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Token ${test.organization.admin.token}`,
          'Accept-Encoding': 'gzip',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(value),
      });
      return [answer.status, answer.headers.get('content-encoding'), (await answer.text()).includes('"token"')];
    };
    expect(await sent('/composite/', composite('flags/', 'GET'))).toEqual([200, 'gzip', false]);
    expect(await sent('/composite/', composite('users/me/tokens/', 'POST'))).toEqual([200, null, true]);
    expect(await sent('/composite/', composite('users/me/auth-token/', 'GET'))).toEqual([200, null, true]);
    for (let count = 0; count < 10; count += 1)
      expect(await sent('/users/me/tokens/', body)).toEqual([201, null, true]);
    const list = await answerTo('/users/me/tokens/', 'gzip');
    expect(list.headers.get('content-encoding')).toBeNull();
    expect((await list.text()).length).toBeGreaterThan(2048);
  });

  it('does not change the content of a response', async () => {
    const { id } = await makeCountermeasure(test.api, { text: 'é😀'.repeat(5000) });
    const path = `/library/tasks/${id}/?include=tags`;
    const [plain, packed] = await Promise.all(['identity', 'gzip'].map((accepted) => answerTo(path, accepted)));
    expect([plain, packed].map((answer) => answer?.headers.get('content-encoding'))).toEqual([null, 'gzip']);
    expect(await packed?.text()).toBe(await plain?.text());
  });
});

describe('The OpenAPI document and the documentation pages', () => {
  it.each(['/openapi.json', '/docs', '/docs/swagger-ui-init.js', '/docs/swagger-ui-bundle.js'])(
    'returns 304 to a client that has the current version: %s',
    async (path) => {
      const first = await test.api.as(null).get(`${test.origin}${path}`);
      expect([first.status, first.headers['etag']]).toEqual([200, expect.stringMatching(/^(W\/)?".+"$/)]);
      const known = test.api.as(null).with({ 'If-None-Match': String(first.headers['etag']) });
      expect((await known.get(`${test.origin}${path}`)).status).toBe(304);
    },
  );
});
