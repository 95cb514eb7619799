import { useTestApi } from '#test/support/api.js';
import { bodyOf, type ErrorBody, type Json } from '#test/support/client.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Page } from '#test/support/resources.js';
import { makeConfig, makeWebhook, type Webhook, WEBHOOK_URL } from '#test/support/webhooks.js';
import { SecretBox } from '#platform/crypto/secret-box.js';

const test = useTestApi({
  WEBHOOK_HOSTS: 'hooks.slack.com,hooks.slack-gov.com,chat.example.com:8443,same.example.com:443',
});
const body = (fields: object = {}): Json => ({ name: 'Security', url: WEBHOOK_URL, ...fields });
const rejected = (fields: object): Promise<ErrorBody> =>
  changesNothing(test, () => bodyOf(test.api.post<ErrorBody>('/webhooks/', body(fields)), 400));

describe('Webhooks', () => {
  it('have default values, and times in UTC with milliseconds', async () => {
    const created = await bodyOf(test.api.post<Webhook>('/webhooks/', body()), 201);
    expect(created).toEqual({
      id: expect.any(Number),
      name: 'Security',
      url: WEBHOOK_URL,
      description: '',
      integration_type: 'slack',
      format: 'slack',
      active: true,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect(Object.keys(created)).toEqual([
      'id',
      'name',
      'url',
      'description',
      'integration_type',
      'format',
      'active',
      'created',
      'updated',
    ]);
    expect(Math.abs(Date.parse(created.created) - Date.now())).toBeLessThan(60_000);
  });

  it('can be changed field by field, which sets updated', async () => {
    const created = await makeWebhook(test.api);
    const url = 'https://hooks.slack-gov.com/services/x';
    for (const change of [{ name: 'Other' }, { url }, { description: 'd' }, { active: false }, { active: 'true' }]) {
      const before = await bodyOf(test.api.get<Webhook>(`/webhooks/${created.id}/`));
      const after = await bodyOf(test.api.patch<Webhook>(`/webhooks/${created.id}/`, change));
      const expected = 'active' in change ? { active: String(change.active) === 'true' } : change;
      expect(after).toEqual({ ...before, ...expected, updated: expect.any(String) });
      expect(after.updated >= before.updated).toBe(true);
    }
  });

  it('are returned 20 per page by default and 100 at most', async () => {
    const other = await test.newOrganization();
    await test.database.query(
      `INSERT INTO webhook (organization_id, name, sealed_url) SELECT $1, 'W', '' FROM generate_series(1, 105)`,
      [other.id],
    );
    for (const [size, expected] of [
      [undefined, 20],
      [50, 50],
      [100, 100],
      [101, 100],
      [5000, 100],
    ] as const)
      expect(
        await bodyOf(other.api.get<Page<Webhook>>('/webhooks/', { page_size: size })).then(({ count, results }) => [
          count,
          results.length,
        ]),
      ).toEqual([105, expected]);
    expect((await bodyOf(other.api.get<Page<Webhook>>('/webhooks/', { page: 6 }))).results).toHaveLength(5);
    expect(await bodyOf(other.api.get('/webhooks/', { page: 7 }), 404)).toEqual({ detail: 'Invalid page.' });
  });

  it('require a name and a URL', async () => {
    expect(await changesNothing(test, () => bodyOf(test.api.post('/webhooks/', {}), 400))).toEqual({
      name: ['This field is required.'],
      url: ['This field is required.'],
    });
  });

  it('have names of at most 140 characters and descriptions of at most 1024', async () => {
    const [name, description] = ['🔔'.repeat(140), '🔔'.repeat(1024)];
    expect(await makeWebhook(test.api, { name, description })).toMatchObject({ name, description });
    expect(await rejected({ name: `${name}x` })).toEqual({ name: [expect.stringContaining('140')] });
    expect(await rejected({ description: `${description}x` })).toEqual({
      description: [expect.stringContaining('1024')],
    });
  });

  it.each<[string, unknown]>([
    ['name', ''],
    ['name', '  '],
    ['name', null],
    ['name', 7],
    ['name', ['x']],
    ['name', { x: 1 }],
    ['name', 'a\0b'],
    ['name', 'a\ud800b'],
    ['description', null],
    ['description', 7],
    ['active', 'maybe'],
    ['active', null],
    ['active', 2],
    ['url', null],
    ['url', ''],
    ['url', 7],
    ['url', ['x']],
  ])('reject %s = %j with an error for that field', async (field, value) => {
    expect(await rejected({ [field]: value })).toEqual({ [field]: [expect.any(String)] });
  });

  it.each(['slack', 'teams', '', null, 7])(
    'reject integration_type %j, except the current value in a PATCH',
    async (value) => {
      expect(await rejected({ integration_type: value })).toEqual({ integration_type: [expect.any(String)] });
      const { id, integration_type: current } = await makeWebhook(test.api);
      const patched = bodyOf(
        test.api.patch(`/webhooks/${id}/`, { integration_type: value }),
        value === current ? 200 : 400,
      );
      // An unchanged value is accepted.
      expect(await patched).toMatchObject({ integration_type: value === current ? value : [expect.any(String)] });
    },
  );

  it('ignore other read-only fields', async () => {
    const created = await makeWebhook(test.api, { id: 7, created: 'x', updated: null });
    expect(created.id).not.toBe(7);
  });

  it.each([
    'https://hooks.slack.com/services/T000/B000/XXXX',
    'https://hooks.slack-gov.com/services/T000/B000/XXXX',
    'https://hooks.slack.com:443/services/x',
    'https://HOOKS.slack.com/services/x',
    'https://chat.example.com:8443/services/x',
    'https://same.example.com/services/x',
    ' https://hooks.slack.com/services/x ',
  ])('accept the URL %j', async (url) => {
    expect(await makeWebhook(test.api, { url })).toMatchObject({ url: url.trim() });
  });

  it.each([
    'http://hooks.slack.com/services/x',
    'ftp://hooks.slack.com/services/x',
    'hooks.slack.com/services/x',
    '//hooks.slack.com/services/x',
    'https:hooks.slack.com/services/x',
    'https:\\\\hooks.slack.com\\services\\x',
    'https://hooks.slack.com',
    'https://hooks.slack.com/',
    'https://hooks.slack.com/services',
    'https://hooks.slack.com/services/',
    'https://hooks.slack.com/services//',
    'https://hooks.slack.com/services?x',
    'https://hooks.slack.com/Services/x',
    'https://hooks.slack.com/other/x',
    'https://hooks.slack.com/servicesx/x',
    'https://hooks.slack.com/services/../x',
    'https://hooks.slack.com/x/../services/x',
    'https://hooks.slack.com/services/%2e%2e/x',
    'https://hooks.slack.com//services/x',
    'https://hooks.slack.com:8443/services/x',
    'https://chat.example.com/services/x',
    'https://chat.example.com:443/services/x',
    'https://example.com/services/x',
    'https://evil.hooks.slack.com/services/x',
    'https://hooks.slack.com.evil.com/services/x',
    'https://hooks.slack.com./services/x',
    'https://hooks.slack.com@evil.com/services/x',
    'https://evil.com@hooks.slack.com/services/x',
    'https://user:password@hooks.slack.com/services/x',
    'https://@hooks.slack.com/services/x',
    'https://evil.com#@hooks.slack.com/services/x',
    'https://evil.com\\@hooks.slack.com/services/x',
    'https://hooks.slack.com/services/a b',
    'https://hooks.slack.com/services/a\nb',
    'https://127.0.0.1/services/x',
    'https://[::1]/services/x',
    'https://hooks.slack.com:99999/services/x',
    'javascript:alert(1)',
    `https://hooks.slack.com/services/${'x'.repeat(3000)}`,
  ])('reject the URL %j', async (url) => {
    expect(await rejected({ url })).toEqual({ url: [expect.any(String)] });
  });

  it('do not repeat a rejected URL in the error', async () => {
    for (const url of ['http://hooks.slack.com/services/hush', 'https://example.com/services/hush'])
      expect(JSON.stringify(await rejected({ url }))).not.toContain('hush');
  });

  it('store their URL encrypted', async () => {
    const { id } = await makeWebhook(test.api);
    const sealed = async (): Promise<string> =>
      (await test.database.query<{ sealed_url: string }>('SELECT sealed_url FROM webhook WHERE id = $1', [id]))[0]
        ?.sealed_url ?? '';
    const box = new SecretBox('k'.repeat(40));
    expect(await sealed()).not.toContain('T000');
    expect(box.open(await sealed(), 'webhook.url')).toBe(WEBHOOK_URL);
    const dump = JSON.stringify(await test.database.query('SELECT w, a FROM webhook w, activity a'));
    expect(dump).not.toContain('T000/B000');
  });

  it('have an empty URL if its key is lost, and accept a new URL', async () => {
    const { id } = await makeWebhook(test.api);
    const lost = new SecretBox('x'.repeat(40)).seal(WEBHOOK_URL, 'webhook.url');
    await test.database.query('UPDATE webhook SET sealed_url = $2 WHERE id = $1', [id, lost]);
    expect(await bodyOf(test.api.get<Webhook>(`/webhooks/${id}/`))).toMatchObject({ url: '' });
    expect(await bodyOf(test.api.patch(`/webhooks/${id}/`, { url: WEBHOOK_URL }))).toMatchObject({ url: WEBHOOK_URL });
  });

  it('can be read, tested and changed only by super-users, regardless of permissions', async () => {
    const { id } = await makeWebhook(test.api);
    const { api } = await test.newUser({ role: 'UR4' });
    await changesNothing(test, async () => {
      for (const path of ['/webhooks/', `/webhooks/${id}/`, `/webhooks/${id}/configs/`, `/webhooks/${id}/deliveries/`])
        await bodyOf(api.get(path), 403);
      await bodyOf(api.post('/webhooks/', body()), 403);
      await bodyOf(api.patch(`/webhooks/${id}/`, { active: false }), 403);
      await bodyOf(api.post(`/webhooks/${id}/test/`), 403);
      await bodyOf(api.delete(`/webhooks/${id}/`), 403);
    });
  });

  it('require the flag Webhooks, even for super-users', async () => {
    const { id } = await makeWebhook(test.api);
    await bodyOf(test.api.delete('/flags/Webhooks/'), 204);
    try {
      for (const [method, path] of [
        ['GET', '/webhooks/'],
        ['POST', '/webhooks/'],
        ['GET', `/webhooks/${id}/`],
        ['PATCH', `/webhooks/${id}/`],
        ['DELETE', `/webhooks/${id}/`],
        ['GET', `/webhooks/${id}/configs/`],
        ['POST', `/webhooks/${id}/configs/`],
      ] as const) {
        const answer = await changesNothing(test, () => test.api.send(method, path, method === 'GET' ? undefined : {}));
        expect([method, path, answer.status, answer.body]).toEqual([
          method,
          path,
          403,
          { detail: expect.stringContaining('Webhooks') },
        ]);
      }
    } finally {
      await bodyOf(test.api.post('/flags/', { name: 'Webhooks' }), 201);
    }
  });

  it('record each change as an activity without the URL', async () => {
    let id = 0;
    const activities = await activitiesOf(test, async () => {
      ({ id } = await makeWebhook(test.api, { name: 'Told' }));
      await bodyOf(test.api.patch(`/webhooks/${id}/`, { name: 'Told again', active: false }));
      await bodyOf(test.api.patch(`/webhooks/${id}/`, {}));
      await bodyOf(test.api.delete(`/webhooks/${id}/`), 204);
    });
    expect(activities.map(({ name }) => name)).toEqual([
      'CreatedWebhookActivity',
      'UpdatedWebhookActivity',
      'DeletedWebhookActivity',
    ]);
    expect(activities[1]).toMatchObject({
      text: '*Ada Admin* updated webhook *Told again*',
      data: { webhook: id, webhook_desc: 'Told again' },
      icon: 'webhook',
      log_level: 'admin',
    });
    expect(JSON.stringify(activities)).not.toMatch(/hooks\.slack|services/);
  });

  it('return 404 to other organizations for every method', async () => {
    const { id } = await makeWebhook(test.api);
    const config = await makeConfig(test.api, id);
    const { api } = await test.newOrganization();
    for (const [method, path] of [
      ['GET', `/webhooks/${id}/`],
      ['PATCH', `/webhooks/${id}/`],
      ['DELETE', `/webhooks/${id}/`],
      ['GET', `/webhooks/${id}/configs/`],
      ['POST', `/webhooks/${id}/configs/`],
      ['PATCH', `/webhooks/${id}/configs/${config.id}/`],
      ['DELETE', `/webhooks/${id}/configs/${config.id}/`],
    ] as const)
      expect(
        await changesNothing(test, () => bodyOf(api.send(method, path, method === 'GET' ? undefined : {}), 404)),
      ).toEqual({ detail: 'Not found.' });
  });
});
