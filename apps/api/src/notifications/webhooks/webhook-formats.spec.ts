import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import { makeConfig, makeWebhook, type Webhook, WEBHOOK_URL } from '#test/support/webhooks.js';

const test = useTestApi();

const OTHERS = ['mattermost', 'teams', 'standard'];
const ELSEWHERE = 'https://chat.example.com/hooks/abc?key=1';

describe('The format of a webhook', () => {
  it('is chosen when the webhook is created, and cannot be changed', async () => {
    const { id } = await makeWebhook(test.api, { format: 'teams' });
    expect(await bodyOf(test.api.patch(`/webhooks/${id}/`, { format: 'teams', name: 'Kept' }))).toMatchObject({
      format: 'teams',
      integration_type: 'slack',
    });
    const changed = () => bodyOf(test.api.patch(`/webhooks/${id}/`, { format: 'slack' }), 400);
    expect(await changesNothing(test, changed)).toEqual({ format: [expect.any(String)] });
  });

  it.each(['discord', '', null, 7])('rejects %j', async (format) => {
    const rejected = () => bodyOf(test.api.post('/webhooks/', { name: 'x', url: WEBHOOK_URL, format }), 400);
    expect(await changesNothing(test, rejected)).toEqual({ format: [expect.any(String)] });
  });

  it.each(OTHERS)('%s allows any https host, since the address decides when a message is sent', async (format) => {
    const { id } = await makeWebhook(test.api, { format, url: ELSEWHERE });
    const url = 'https://127.0.0.1:1/hook';
    expect(await bodyOf(test.api.patch(`/webhooks/${id}/`, { url }))).toMatchObject({ url });
    expect(await bodyOf(test.api.post(`/webhooks/${id}/test/`))).toMatchObject({
      success: false,
      error: expect.stringMatching(/not allowed|private|public/i),
    });
    for (const wrong of ['http://chat.example.com/x', 'https://me:x@chat.example.com/x', 'https://chat.example.com/#x'])
      expect(await bodyOf(test.api.patch(`/webhooks/${id}/`, { url: wrong }), 400)).toEqual({
        url: [expect.any(String)],
      });
  });

  it('slack keeps to the listed hosts, also when the URL changes', async () => {
    const { id } = await makeWebhook(test.api);
    for (const rejected of [
      () => bodyOf(test.api.post('/webhooks/', { name: 'x', url: ELSEWHERE, format: 'slack' }), 400),
      () => bodyOf(test.api.patch(`/webhooks/${id}/`, { url: ELSEWHERE }), 400),
    ])
      expect(await changesNothing(test, rejected)).toEqual({ url: [expect.any(String)] });
  });

  it('slack reports only new projects, and the others all events', async () => {
    const events = [
      'CreatedProjectActivity',
      'ProjectStatusChanged',
      'CountermeasureStatusChanged',
      'SurveyCompleted',
      'RiskPolicyComplianceChanged',
      'LibraryUpgraded',
    ];
    const slack = await makeWebhook(test.api);
    const config = await makeConfig(test.api, slack.id);
    const error = { event_source: ['Webhooks of the format slack report only CreatedProjectActivity.'] };
    for (const event_source of events.slice(1)) {
      const [path, body] = [`/webhooks/${slack.id}/configs/`, { event_source }];
      expect(await changesNothing(test, () => bodyOf(test.api.post(path, body), 400))).toEqual(error);
      const changed = () => bodyOf(test.api.patch(`${path}${config.id}/`, body), 400);
      expect(await changesNothing(test, changed)).toEqual(error);
    }
    for (const format of OTHERS) {
      const { id } = await makeWebhook(test.api, { format });
      for (const event_source of events) await makeConfig(test.api, id, { event_source });
    }
  });
});

describe('The secret of a webhook', () => {
  it('exists only in the format standard, and is shown only by the request that makes it', async () => {
    for (const format of ['slack', 'mattermost', 'teams']) {
      const { id, secret } = await makeWebhook(test.api, { format });
      expect(secret).toBeUndefined();
      const rejected = () => bodyOf(test.api.post(`/webhooks/${id}/rotate-secret/`), 400);
      expect(await changesNothing(test, rejected)).toEqual({
        non_field_errors: ['Only webhooks of the format standard have a secret.'],
      });
    }
    let made: Webhook | undefined;
    const activities = await activitiesOf(test, async () => {
      made = await makeWebhook(test.api, { format: 'standard', name: 'Signed' });
      const rotated = await bodyOf(test.api.post<Webhook>(`/webhooks/${made.id}/rotate-secret/`));
      expect(rotated).toMatchObject({ id: made.id, secret: expect.stringMatching(/^whsec_/) });
    });
    expect(activities.map(({ name }) => name)).toEqual(['CreatedWebhookActivity', 'RegeneratedWebhookSecretActivity']);
    expect(activities[1]?.text).toBe('*Ada Admin* regenerated the secret of webhook *Signed*');
    const secret = made?.secret ?? '';
    expect(secret).toMatch(/^whsec_/);
    for (const path of ['/webhooks/', `/webhooks/${made?.id}/`])
      expect(JSON.stringify(await bodyOf(test.api.get(path, { page_size: 100 })))).not.toContain('whsec_');
    const dump = JSON.stringify(await test.database.query('SELECT w, a FROM webhook w, activity a'));
    expect(dump).not.toContain(secret.slice('whsec_'.length));
  });

  it('can be replaced only by super-users of the organization', async () => {
    const { id } = await makeWebhook(test.api, { format: 'standard' });
    const { api } = await test.newUser({ role: 'UR4' });
    const other = await test.newOrganization();
    await changesNothing(test, async () => {
      await bodyOf(api.post(`/webhooks/${id}/rotate-secret/`), 403);
      await bodyOf(other.api.post(`/webhooks/${id}/rotate-secret/`), 404);
    });
  });
});
