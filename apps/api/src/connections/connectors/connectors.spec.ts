import { useTestApi } from '#test/support/api.js';
import { bodyOf, type ErrorBody, type Json, rowsOf } from '#test/support/client.js';
import { type Connector, CONNECTOR_PARAMS, CONNECTOR_PATHS, makeConnector } from '#test/support/connectors.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import { systemIdsOf } from '#domain/connections/connector/connector.rules.js';
import { reencryptSecrets } from '#domain/operations/reencrypt.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { EntityManager } from '@mikro-orm/postgresql';

const test = useTestApi();

const ANALYSIS = '/connectors/analysis/';
const TRACKERS = '/connectors/issue-tracker/';
const FORM = ['Expected an object of the form {"id": "…"}.'];
const MASK = '********';
const SONARQUBE = { system: { id: 'sonarqube' }, params: { url: 'https://sonar.example.com', token: 'hush-1' } };

const secretsOf = async (id: number, key = 'k'.repeat(40)): Promise<unknown> => {
  const [row] = await test.database.query<{ sealed_secrets: string }>(
    'SELECT sealed_secrets FROM connector WHERE id = $1',
    [id],
  );
  return JSON.parse(new SecretBox(key).open(row?.sealed_secrets ?? '', 'connector.secrets') ?? 'null');
};
const patch = (id: number, changes: object, status = 200, path = ANALYSIS): Promise<Connector> =>
  bodyOf(test.api.patch<Connector>(`${path}${id}/`, changes), status);
const patchTracker = (id: number, changes: object): Promise<Connector> => patch(id, changes, 200, TRACKERS);

describe.each(CONNECTOR_PATHS)('Connectors at %s', (path, system) => {
  it('creates a connector with id, name, system, params and inaccessible', async () => {
    const body = { name: ' Main ', system: { id: system }, params: CONNECTOR_PARAMS };
    const created = await bodyOf(test.api.post<Connector>(path, body), 201);
    const params = { ...CONNECTOR_PARAMS, token: MASK };
    expect(created).toEqual({ id: created.id, name: 'Main', system: { id: system }, params, inaccessible: false });
  });

  it.each([['github'], [7], [true], [['github']], [[{ id: 'github' }]]])(
    'rejects the system %j, which is not an object, with a 400 that shows the form',
    async (bare) => {
      const { id } = await makeConnector(test.api, path);
      await changesNothing(test, async () => {
        expect(await bodyOf(test.api.post(path, { name: 'x', system: bare }), 400)).toEqual({ system: FORM });
        expect(await bodyOf(test.api.patch(`${path}${id}/`, { system: bare }), 400)).toEqual({ system: FORM });
      });
    },
  );

  it.each<[object, Json]>([
    [{ system: { id: 'nonsense' } }, { system: { id: [expect.stringContaining('nonsense') as string] } }],
    [{ system: { id: '__proto__' } }, { system: { id: [expect.any(String) as string] } }],
    [{ system: { id: null } }, { system: { id: [expect.any(String) as string] } }],
    [{ system: {} }, { system: { id: ['This field is required.'] } }],
    [{ system: null }, { system: ['This field may not be null.'] }],
    [{ name: '' }, { name: [expect.any(String) as string] }],
    [{ name: 'x'.repeat(256) }, { name: [expect.any(String) as string] }],
    [{ name: 'a\0' }, { name: [expect.any(String) as string] }],
    [{ inaccessible: 'maybe' }, { inaccessible: [expect.any(String) as string] }],
    [{ params: 'x' }, { params: [expect.any(String) as string] }],
    [{ params: ['x'] }, { params: [expect.any(String) as string] }],
    [{ params: { a: { b: 1 } } }, { params: { a: [expect.any(String) as string] } }],
    [{ params: { a: '\ud800', b: 1 } }, { params: { a: [expect.any(String) as string] } }],
    [{ params: { a: {}, ' ': 1 } }, { params: [expect.stringContaining('blank') as string] }],
    [{ params: { token: 'x', url: 'ftp://x.example.com' } }, { params: { url: [expect.any(String) as string] } }],
    [
      { params: { token: 'x', url: 'https://user:hush@x.example.com' } },
      { params: { url: [expect.any(String) as string] } },
    ],
    [
      { params: { token: 'x', url: 'https://x.example.com/?token=hush' } },
      { params: { url: [expect.any(String) as string] } },
    ],
    [{ params: { token: 'x', url: 5 } }, { params: { url: [expect.any(String) as string] } }],
  ])('rejects %j without repeating a secret, and changes nothing', async (fields, errors) => {
    const body = { name: 'x', system: { id: system }, ...fields };
    const rejected = await changesNothing(test, () => bodyOf(test.api.post<ErrorBody>(path, body), 400));
    expect(rejected).toEqual(errors);
    expect(JSON.stringify(rejected)).not.toContain('hush');
  });

  it('rejects an invalid URL with a message that mentions no system', async () => {
    const body = { name: 'x', system: { id: system }, params: { url: 'x' } };
    const rejected = await bodyOf(test.api.post<{ params: { url: string[] } }>(path, body), 400);
    for (const id of [...systemIdsOf('analysis'), ...systemIdsOf('issue_tracker')])
      expect(rejected.params.url[0]).not.toContain(id);
  });

  it('returns 404 at the path of the other kind of connector', async () => {
    const other = CONNECTOR_PATHS.find(([one]) => one !== path)?.[0] ?? '';
    const { id } = await makeConnector(test.api, path);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      await bodyOf(test.api.send(method, `${other}${id}/`, method === 'PATCH' ? { name: 'x' } : undefined), 404);
  });
});

describe('Secrets of a connector', () => {
  it('stores secrets encrypted, and includes them in no response and no activity', async () => {
    const params = {
      url: 'https://tools.example.com/base',
      username: 'ada',
      repository: 'https://ada:hush-1@git.example.com/x',
      password: 'hush-2',
      whatever: ['hush-3', 4],
      __proto: 'hush-4',
    };
    const activities = await activitiesOf(test, async () => {
      const created = await makeConnector(test.api, TRACKERS, { params });
      expect(created.params).toEqual({
        url: params.url,
        username: 'ada',
        repository: MASK,
        password: MASK,
        whatever: MASK,
        __proto: MASK,
      });
      const { url: _, username: __, ...secrets } = params;
      expect(await secretsOf(created.id)).toEqual(secrets);
      const answers = [await test.api.get(TRACKERS), await test.api.get(`${TRACKERS}${created.id}/`)];
      expect(answers.map(({ text }) => text).join()).not.toContain('hush');
    });
    expect(activities).toMatchObject([{ name: 'CreatedConnectorActivity', icon: 'plug' }]);
    const dump = JSON.stringify(await test.database.query('SELECT c, a FROM connector c, activity a'));
    expect(dump).not.toContain('hush');
  });

  it('keeps secrets that are omitted or sent back masked, and deletes a secret set to null', async () => {
    const { id } = await makeConnector(test.api, TRACKERS, {
      params: { url: 'https://a.example.com', a: '1', b: '2' },
    });
    expect(await patchTracker(id, { params: { url: 'https://a.example.com', a: MASK, c: '3' } })).toMatchObject({
      params: { url: 'https://a.example.com', a: MASK, b: MASK, c: MASK },
    });
    expect(await secretsOf(id)).toEqual({ a: '1', b: '2', c: '3' });
    await patchTracker(id, { params: { b: null, a: '4' } });
    expect(await secretsOf(id)).toEqual({ a: '4', c: '3' });
    await patchTracker(id, { name: 'Renamed' });
    expect(await secretsOf(id)).toEqual({ a: '4', c: '3' });
  });

  it('requires secrets again for another URL', async () => {
    const { id } = await makeConnector(test.api, ANALYSIS, SONARQUBE);
    const elsewhere = { url: 'https://evil.example.com' };
    for (const params of [elsewhere, { ...elsewhere, token: MASK }])
      expect(await changesNothing(test, () => patch(id, { params }, 400))).toEqual({
        params: { token: ['This field is required.'] },
      });
    await patch(id, { params: { ...elsewhere, token: 'hush-2' } });
    expect(await secretsOf(id)).toEqual({ token: 'hush-2' });
  });

  it('deletes secrets if the system changes', async () => {
    const { id } = await makeConnector(test.api, TRACKERS, { params: CONNECTOR_PARAMS });
    expect((await patchTracker(id, { system: { id: 'gitlab' } })).params).toEqual({});
    expect(await secretsOf(id)).toEqual({});
  });

  it('re-encrypts secrets with a new key, and requires them again if no key fits', async () => {
    const { id } = await makeConnector(test.api, ANALYSIS, SONARQUBE);
    const next = 'n'.repeat(40);
    const em = test.running.app.get(EntityManager);
    const count = await acrossOrganizations(em, 'seal secrets anew', (one) =>
      reencryptSecrets(one, new SecretBox(next, 'k'.repeat(40))),
    );
    expect(count).toBeGreaterThan(0);
    expect(await secretsOf(id, next)).toEqual({ token: 'hush-1' });
    // With neither key there is no secret left, and the connector can be given a new one.
    expect(await patch(id, { params: { url: 'https://sonar.example.com' } }, 400)).toEqual({
      params: { token: ['This field is required.'] },
    });
    await patch(id, { params: { token: 'hush-2' } });
    expect(await secretsOf(id)).toEqual({ token: 'hush-2' });
  });
});

describe('Parameters of a connector', () => {
  it('stores a text with very many URL-like parts within 5 seconds', async () => {
    const texts = Array.from({ length: 100 }, () => '://'.repeat(3333));
    const startedAt = performance.now();
    const created = await makeConnector(test.api, TRACKERS, { params: { user: texts } });
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(created.params).toEqual({ user: texts });
  });
});

describe('A connector with a system that is no longer supported', () => {
  it.each([
    [ANALYSIS, 'checkmarx'],
    [TRACKERS, 'servicenow'],
  ])('is shown at %s, can be renamed and deleted, and no new one can be created', async (path, system) => {
    const { id } = await makeConnector(test.api, path);
    await test.database.query('UPDATE connector SET system = $2, params = $3 WHERE id = $1', [id, system, '{}']);
    const shown = { id, system: { id: system }, params: {} };
    expect(await rowsOf(test.api.get(path))).toContainEqual(expect.objectContaining(shown));
    expect(await patch(id, { name: 'Renamed' }, 200, path)).toMatchObject({ ...shown, name: 'Renamed' });
    const body = { name: 'x', system: { id: system }, params: CONNECTOR_PARAMS };
    expect(await bodyOf(test.api.post(path, body), 400)).toEqual({ system: { id: [expect.any(String)] } });
    await bodyOf(test.api.delete(`${path}${id}/`), 204);
  });
});

describe('A connector to SonarQube', () => {
  it('requires a URL and a token', async () => {
    for (const params of [undefined, {}, { url: null, token: MASK }])
      expect(await bodyOf(test.api.post(ANALYSIS, { name: 'x', system: { id: 'sonarqube' }, params }), 400)).toEqual({
        params: { url: ['This field is required.'], token: ['This field is required.'] },
      });
    expect(await makeConnector(test.api, ANALYSIS, SONARQUBE)).toMatchObject({
      params: { url: 'https://sonar.example.com', token: MASK },
    });
  });
});
