import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf } from '#test/support/client.js';
import { FAKE_TRACKERS, type FakeTracker, startFakeTracker, TRACKER_TOKEN } from '#test/support/fake-trackers.js';
import { changesNothing } from '#test/support/records.js';
import { github } from '#trackers/github/github.js';

const PATH = '/connectors/issue-tracker/test/';
const SUCCESS = { success: true, error: null };

const test = useTestApi({ CONNECTION_ALLOW_PRIVATE: 'true', CONNECTION_TIMEOUT_SECONDS: '1' });
let editor: ApiClient;
beforeAll(async () => {
  const role = { name: 'Connections', permissions: ['edit_connections'] };
  const { id } = await bodyOf(test.api.post<{ id: string }>('/global-roles/', role), 201);
  editor = (await test.newUser({ role: id })).api;
});

const failing = (error: string) => ({ success: false, error: expect.stringContaining(error) as string });

describe.each(Object.entries(FAKE_TRACKERS))('A connection test for %s', (variant, product) => {
  const [system] = variant.split(' ');
  let tracker: FakeTracker;
  beforeAll(async () => {
    tracker = await startFakeTracker(product);
  });
  afterAll(() => tracker.stop());

  const ask = (params: object, api: ApiClient = test.api): Promise<object> =>
    bodyOf(
      api.post<object>(PATH, {
        system: { id: system },
        params: { url: tracker.url, token: TRACKER_TOKEN, ...product.params, ...params },
      }),
    );

  it('reads the account of the token and the project, and writes nothing, here or there', async () => {
    const count = tracker.requests.length;
    await changesNothing(test, async () => {
      for (const api of [test.api, editor]) {
        expect(await ask({}, api)).toEqual(SUCCESS);
        expect(await ask({ url: `${tracker.url}/`, project_key: product.project }, api)).toEqual(SUCCESS);
      }
    });
    const requests = tracker.requests.slice(count);
    expect(requests).toHaveLength(6);
    expect(requests.filter((request) => !request.startsWith('GET /'))).toEqual([]);
  });

  it('reports a project that the tracker does not show, or that has no issues', async () => {
    for (const project_key of ['acme/secret', 'nothing', '..', '../user', 'acme/..', '/'])
      for (const api of [test.api, editor])
        expect(await ask({ project_key }, api)).toEqual(failing('does not show the project'));
    if (product.withoutIssues !== undefined)
      expect(await ask({ project_key: product.withoutIssues })).toEqual(failing('has no issues'));
  });

  it('shows only super-users that the token was rejected, or that another server responded', async () => {
    expect(await ask({ token: 'wrong' })).toEqual(failing('does not accept the token'));
    const startedAt = performance.now();
    const hidden = failing('is not reachable, or does not accept the token');
    expect(await ask({ token: 'wrong' }, editor)).toEqual(hidden);
    expect(performance.now() - startedAt).toBeGreaterThan(950);
    const account = Object.keys(product.answers)[0] ?? '';
    for (const [response, error] of [
      [{ status: 200, body: '<html>hush</html>' }, 'not from'],
      [{ status: 200, body: null }, 'not from'],
      [{ status: 503, body: 'hush' }, 'returned 503'],
    ] as const) {
      tracker.answer(account, response);
      const seen = await ask({});
      expect(seen).toEqual(failing(error));
      expect(JSON.stringify(seen)).not.toContain('hush');
      expect(await ask({}, editor)).toEqual(hidden);
    }
    tracker.answer(account, undefined);
    expect(await ask({ url: 'http://127.0.0.1:9' })).toEqual(failing('The connection failed'));
    expect(await ask({ url: 'http://127.0.0.1:9' }, editor)).toEqual(hidden);
  });

  it('says which parameters are missing, and sends nothing without them', async () => {
    const count = tracker.requests.length;
    for (const params of [{ url: null }, { token: null }, { token: ' ' }, { token: 7 }])
      expect(await ask(params)).toEqual(failing('needs the `url` and a `token`'));
    expect(tracker.requests).toHaveLength(count);
  });
});

describe('The API of GitHub', () => {
  it.each([
    ['https://github.com', 'https://api.github.com'],
    ['https://api.github.com', 'https://api.github.com'],
    ['https://git.example.com', 'https://git.example.com/api/v3'],
    ['https://git.example.com/api/v3', 'https://git.example.com/api/v3'],
  ])('of %s is at %s', (url, api) => {
    expect(github.apiOf({ url, token: 'x' })).toBe(api);
  });
});
