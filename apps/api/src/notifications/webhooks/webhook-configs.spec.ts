import { useTestApi } from '#test/support/api.js';
import { bodyOf, type ErrorBody } from '#test/support/client.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import { makeConfig, makeWebhook } from '#test/support/webhooks.js';

const test = useTestApi({
  WEBHOOK_HOSTS: 'hooks.slack.com,hooks.slack-gov.com,chat.example.com:8443,same.example.com:443',
});

describe('Webhook configurations', () => {
  const at = (webhook: number, id?: number): string =>
    `/webhooks/${webhook}/configs/${id === undefined ? '' : `${id}/`}`;

  it('are active by default and can be deactivated', async () => {
    const { id } = await makeWebhook(test.api);
    const created = await makeConfig(test.api, id);
    expect(created).toMatchObject({ webhook: id, event_source: 'CreatedProjectActivity', active: true });
    expect(await bodyOf(test.api.patch(at(id, created.id), { active: false }))).toEqual({
      ...created,
      active: false,
      updated: expect.any(String),
    });
    expect(await bodyOf(test.api.patch(at(id, created.id), { event_source: created.event_source }))).toMatchObject({
      active: false,
    });
    expect(await bodyOf(test.api.get(at(id)))).toMatchObject({ results: [{ id: created.id, active: false }] });
  });

  it.each([
    'ModifiedProjectAttributeSourceReasonActivity',
    'UpdatedProjectActivity',
    'createdprojectactivity',
    'CreatedProjectActivity ',
    '',
    null,
    7,
    ['CreatedProjectActivity'],
    undefined,
  ])('reject the event source %j', async (value) => {
    const { id } = await makeWebhook(test.api);
    const rejected = () => bodyOf(test.api.post(at(id), { event_source: value }), 400);
    expect(await changesNothing(test, rejected)).toEqual({ event_source: [expect.any(String)] });
  });

  it('are unique per webhook and event, even if they are created concurrently', async () => {
    const { id } = await makeWebhook(test.api);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => test.api.post<ErrorBody>(at(id), { event_source: 'CreatedProjectActivity' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 201) expect(body).toEqual({ event_source: [expect.stringContaining('already')] });
    await makeConfig(test.api, (await makeWebhook(test.api)).id);
  });

  it('are deleted with their webhook and found only under it', async () => {
    const [one, two] = [await makeWebhook(test.api), await makeWebhook(test.api)];
    const config = await makeConfig(test.api, one.id);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      await bodyOf(test.api.send(method, at(two.id, config.id), method === 'GET' ? undefined : {}), 404);
    await bodyOf(test.api.delete(`/webhooks/${one.id}/`), 204);
    await bodyOf(test.api.get(at(one.id, config.id)), 404);
  });

  it('record each change as an activity', async () => {
    const webhook = await makeWebhook(test.api, { name: 'Channel' });
    let id = 0;
    const activities = await activitiesOf(test, async () => {
      ({ id } = await makeConfig(test.api, webhook.id));
      await bodyOf(test.api.patch(at(webhook.id, id), { active: false }));
      await bodyOf(test.api.patch(at(webhook.id, id), {}));
      await bodyOf(test.api.delete(at(webhook.id, id)), 204);
    });
    expect(activities.map(({ name }) => name)).toEqual([
      'CreatedWebhookConfigActivity',
      'UpdatedWebhookConfigActivity',
      'DeletedWebhookConfigActivity',
    ]);
    expect(activities[0]).toMatchObject({
      text: '*Ada Admin* created an event of webhook *Channel*',
      data: { webhook: webhook.id, webhook_desc: 'Channel' },
      icon: 'webhook',
    });
  });
});
