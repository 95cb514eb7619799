import { type TestApi, startTestApi, useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, type Json } from '#test/support/client.js';
import { type FakeSonarQube, SONARQUBE_TOKEN, startFakeSonarQube } from '#test/support/fake-sonarqube.js';
import { type RawServer, startRawServer } from '#test/support/raw-server.js';
import { changesNothing } from '#test/support/records.js';

const ANALYSIS = '/connections/test-analysis/';
const TRACKER = '/connectors/issue-tracker/test/';
const STATUS = '/api/system/status';
const VALIDATE = '/api/authentication/validate';

interface Result {
  success: boolean;
  error: string | null;
}

const test = useTestApi({ CONNECTION_ALLOW_PRIVATE: 'true', CONNECTION_TIMEOUT_SECONDS: '1' });
let sonarQube: FakeSonarQube;

const ask = (params: object, api: ApiClient = test.api): Promise<Result> =>
  bodyOf(api.post<Result>(ANALYSIS, { system: { id: 'sonarqube' }, params }));
const askWith = (token: string, url = sonarQube.url): Promise<Result> => ask({ url, token });
const rejected = (error: string) => ({ success: false, error: expect.stringContaining(error) as string });

beforeAll(async () => {
  sonarQube = await startFakeSonarQube();
});
beforeEach(() => sonarQube.answer({}));
afterAll(() => sonarQube.stop());

describe('A connection test for SonarQube', () => {
  it('requests the status, validates the token and changes nothing', async () => {
    const count = sonarQube.requests.length;
    await changesNothing(test, async () => {
      for (const url of [sonarQube.url, `${sonarQube.url}/`])
        expect(await askWith(SONARQUBE_TOKEN, url)).toEqual({ success: true, error: null });
    });
    expect(sonarQube.requests.slice(count).sort()).toEqual([VALIDATE, VALIDATE, STATUS, STATUS]);
  });

  it('reports why SonarQube failed, without other content of its response', async () => {
    expect(await askWith('hush')).toEqual(rejected('does not accept the token'));
    for (const [path, answer, error] of [
      [VALIDATE, { status: 401, body: {} }, 'does not accept the token'],
      [VALIDATE, { status: 500, body: { inside: 'hush' } }, 'returned 500'],
      [VALIDATE, { body: { valid: 'true' } }, 'not from SonarQube'],
      [STATUS, { body: { status: 'STARTING' } }, 'STARTING'],
      [STATUS, { body: { status: 'hush' } }, 'not from SonarQube'],
      [STATUS, { body: null }, 'not from SonarQube'],
      [STATUS, { text: '<html>hush</html>' }, 'not from SonarQube'],
      [STATUS, { status: 503, body: {} }, 'returned 503'],
      [STATUS, { status: 302, body: {} }, 'returned 302'],
      [STATUS, { text: `{"status": "UP", "hush": "${'x'.repeat(100_000)}"}` }, 'not from SonarQube'],
    ] as const) {
      sonarQube.answer({ [path]: answer });
      const result = await askWith(SONARQUBE_TOKEN);
      expect([path, result]).toEqual([path, rejected(error)]);
      expect(JSON.stringify(result)).not.toContain('hush');
    }
  });

  it('fails if SonarQube does not respond in time or cannot be reached', async () => {
    for (const path of [STATUS, VALIDATE]) {
      sonarQube.answer({ [path]: 'hang' });
      const startedAt = performance.now();
      expect(await askWith(SONARQUBE_TOKEN)).toEqual(rejected('did not respond in time'));
      expect(performance.now() - startedAt).toBeLessThan(5000);
    }
    expect(await askWith('x', 'http://127.0.0.1:9')).toEqual(rejected('connection failed'));
    expect(await askWith('x', 'http://nowhere.invalid')).toEqual(rejected('SonarQube could not be reached'));
  });

  it('rejects invalid parameters without sending a request', async () => {
    const errors = (params: unknown): Promise<Json> =>
      bodyOf(test.api.post(ANALYSIS, { system: { id: 'sonarqube' }, params }), 400);
    const count = sonarQube.requests.length;
    expect(await errors(undefined)).toEqual({ params: { url: [expect.any(String)], token: [expect.any(String)] } });
    expect(await errors({ url: sonarQube.url })).toEqual({ params: { token: ['This field is required.'] } });
    expect(await errors({ url: sonarQube.url, token: 7 })).toEqual({ params: { token: [expect.any(String)] } });
    for (const url of ['', 'x', 'file:///etc/passwd', 'http://a@b.example.com', 'http://b.example.com/#x', 7, ['x']])
      expect(await errors({ url, token: 'x' })).toEqual({ params: { url: [expect.any(String)] } });
    expect(await errors('x')).toEqual({ params: [expect.any(String)] });
    expect(sonarQube.requests).toHaveLength(count);
  });
});

describe('A connection test by a user who is not a super-user', () => {
  const TIME = 1000;
  const UNREACHABLE = {
    success: false,
    error: 'SonarQube is not reachable. Super-users can test the connection to see why.',
  };
  /** Accepts connections and never responds. */
  let silent: RawServer;
  let editor: ApiClient;
  beforeAll(async () => {
    silent = await startRawServer();
    const role = { name: 'Connections', permissions: ['edit_connections'] };
    const { id } = await bodyOf(test.api.post<{ id: string }>('/global-roles/', role), 201);
    editor = (await test.newUser({ role: id })).api;
  });
  afterAll(() => silent.stop());

  it('reports the result that SonarQube itself returns', async () => {
    expect(await ask({ url: sonarQube.url, token: SONARQUBE_TOKEN }, editor)).toEqual({ success: true, error: null });
    const params = { url: sonarQube.url, token: 'wrong' };
    expect(await ask(params, editor)).toEqual(rejected('does not accept the token'));
    sonarQube.answer({ [STATUS]: { body: { status: 'STARTING' } } });
    expect(await ask(params, editor)).toEqual(rejected('STARTING'));
    sonarQube.answer({ [VALIDATE]: { status: 500, body: {} } });
    expect(await ask(params, editor)).toEqual(rejected('returned 500'));
  });

  it('fails with the same message after the same time, whatever prevents it from reaching SonarQube', async () => {
    const urls = [
      'http://127.0.0.1:9',
      'http://nowhere.invalid',
      `http://127.0.0.1:${silent.port}`,
      sonarQube.url.replace('http', 'https'),
      `${sonarQube.url}/elsewhere`,
    ];
    for (const url of urls) {
      const startedAt = performance.now();
      const result = await ask({ url, token: 'x' }, editor);
      expect([url, result]).toEqual([url, UNREACHABLE]);
      expect(performance.now() - startedAt).toBeGreaterThan(TIME - 50);
      expect(performance.now() - startedAt).toBeLessThan(TIME + 10_000);
    }
    for (const answer of [{ status: 503, body: {} }, { status: 302, body: {} }, { text: 'SSH-2.0' }, 'hang'] as const) {
      sonarQube.answer({ [STATUS]: answer });
      const startedAt = performance.now();
      const result = await ask({ url: sonarQube.url, token: 'x' }, editor);
      expect([answer, result]).toEqual([answer, UNREACHABLE]);
      expect(performance.now() - startedAt).toBeGreaterThan(TIME - 50);
    }
  });

  it('fails with the same message if the address is private', async () => {
    const closed = await startTestApi({ CONNECTION_TIMEOUT_SECONDS: '1' });
    try {
      const role = { name: 'Connections', permissions: ['edit_connections'] };
      const { id } = await bodyOf(closed.api.post<{ id: string }>('/global-roles/', role), 201);
      const { api } = await closed.newUser({ role: id });
      expect(await ask({ url: sonarQube.url, token: SONARQUBE_TOKEN }, api)).toEqual(UNREACHABLE);
    } finally {
      await closed.close();
    }
  });
});

describe('A connection test', () => {
  it.each(['checkmarx', 'fortify', 'veracode', 'appscan', 'snyk', 'semgrep', 'github'])(
    'rejects %s, whose reports are uploaded, and names the system that can be contacted',
    async (id) => {
      const body = { system: { id }, params: { url: sonarQube.url, token: 'x' } };
      expect(await bodyOf(test.api.post(ANALYSIS, body), 400)).toEqual({
        system: { id: [expect.stringContaining('sonarqube')] },
      });
    },
  );

  it.each(['jira', 'github', 'gitlab', 'azure_devops', 'redmine'])(
    'fails for %s without a URL and a token',
    async (id) => {
      for (const params of [{ token: 'x' }, undefined])
        expect(await bodyOf(test.api.post(TRACKER, { system: { id }, params }))).toMatchObject({ success: false });
    },
  );

  it.each([ANALYSIS, TRACKER])('requires at %s that system is an object with a known id', async (path) => {
    for (const system of ['sonarqube', 'jira', 7, []])
      expect(await bodyOf(test.api.post(path, { system, params: {} }), 400)).toEqual({
        system: ['Expected an object of the form {"id": "…"}.'],
      });
    expect(await bodyOf(test.api.post(path, { system: { id: 'nonsense' } }), 400)).toEqual({
      system: { id: [expect.stringContaining('nonsense')] },
    });
    expect(await bodyOf(test.api.post(path, {}), 400)).toEqual({ system: ['This field is required.'] });
  });

  it.each([ANALYSIS, TRACKER])(
    'requires edit_connections at %s, and is not allowed in a composite request',
    async (path) => {
      const anybody = await test.newUser();
      expect(await bodyOf(anybody.api.post(path, { system: { id: 'github' } }), 403)).toEqual({
        detail: expect.stringContaining('edit_connections'),
      });
      const composite_request = [{ method: 'POST', path, reference_id: 'a', body: { system: { id: 'github' } } }];
      expect(Object.keys(await bodyOf(test.api.post<object>('/composite/', { composite_request }), 400))).toEqual([
        'composite_request',
      ]);
    },
  );
});

describe('A connection test without CONNECTION_ALLOW_PRIVATE', () => {
  let closed: TestApi;
  beforeAll(async () => {
    closed = await startTestApi();
  });
  afterAll(() => closed.close());

  it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254', '10.0.0.1'])(
    'does not connect to %s',
    async (host) => {
      const count = sonarQube.requests.length;
      const { port, pathname } = new URL(sonarQube.url);
      const result = await ask({ url: `http://${host}:${port}${pathname}`, token: SONARQUBE_TOKEN }, closed.api);
      expect(result).toEqual(rejected('private or reserved address'));
      expect(sonarQube.requests).toHaveLength(count);
    },
  );
});
