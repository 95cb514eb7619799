import { useTestApi } from '#test/support/api.js';
import { makeCountermeasure, seedCountermeasures } from '#test/support/factories.js';

const test = useTestApi();

beforeAll(() => seedCountermeasures(test, test.organization, 1100));

/** An answer of the API to a client that reads these encodings. */
async function answerTo(path: string, accepted: string): Promise<Response> {
  const headers = { Authorization: `Token ${test.organization.admin.token}`, 'Accept-Encoding': accepted };
  const answer = await fetch(`${test.origin}/api/v2${path}`, { headers });
  expect(answer.status).toBe(200);
  return answer;
}

/** How it is encoded, and what caches are told. */
async function encodingOf(path: string, accepted = 'gzip, br'): Promise<(string | null)[]> {
  const { headers } = await answerTo(path, accepted);
  return [headers.get('content-encoding'), headers.get('vary')];
}

describe('Compression', () => {
  it.each([
    ['br', 'gzip, br'],
    ['gzip', 'gzip'],
    [null, 'identity'],
  ])('is %s for a client that reads "%s"', async (encoding, accepted) => {
    expect(await encodingOf('/library/tasks/?page_size=50', accepted)).toEqual([
      encoding,
      expect.stringContaining('Accept-Encoding'),
    ]);
  });

  it('leaves small answers as they are', async () => {
    expect((await encodingOf('/users/me/'))[0]).toBeNull();
  });

  it('leaves lists as they are that are sent while they are read', async () => {
    expect((await encodingOf('/library/tasks/'))[0]).toBeNull();
  });

  it('changes nothing of what is answered', async () => {
    const { id } = await makeCountermeasure(test.api, { text: 'é😀'.repeat(5000) });
    const path = `/library/tasks/${id}/?include=tags`;
    const [plain, packed] = await Promise.all(['identity', 'gzip'].map((accepted) => answerTo(path, accepted)));
    expect([plain, packed].map((answer) => answer?.headers.get('content-encoding'))).toEqual([null, 'gzip']);
    expect(await packed?.text()).toBe(await plain?.text());
  });
});

describe('The document of the API', () => {
  it.each(['/openapi.json', '/docs', '/docs/swagger-ui-init.js', '/docs/swagger-ui-bundle.js'])(
    'and its pages are not sent again to those who have them: %s',
    async (path) => {
      const first = await test.api.as(null).get(`${test.origin}${path}`);
      expect([first.status, first.headers['etag']]).toEqual([200, expect.stringMatching(/^(W\/)?".+"$/)]);
      const known = test.api.as(null).with({ 'If-None-Match': String(first.headers['etag']) });
      expect((await known.get(`${test.origin}${path}`)).status).toBe(304);
    },
  );
});
