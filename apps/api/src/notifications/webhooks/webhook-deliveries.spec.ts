import { EntityManager } from '@mikro-orm/postgresql';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { deleteOldDeliveries } from '#domain/notifications/webhook/delivery.commands.js';
import { startTestApi, type TestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { type Receiver, startReceiver, trustReceivers } from '#test/support/receiver.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import {
  deliveriesOf,
  deliverySettings,
  makeDeliveringWebhook,
  makeWebhook,
  recordNewProject,
  type Webhook,
} from '#test/support/webhooks.js';

let receiver: Receiver;
let test: TestApi;

beforeAll(async () => {
  trustReceivers();
  receiver = await startReceiver();
  test = await startTestApi(deliverySettings(receiver));
});
beforeEach(() => receiver.answer(() => 200));
afterAll(async () => {
  await test.close();
  await receiver.stop();
});

describe('Testing a webhook', () => {
  const trial = ({ id }: Webhook): Promise<unknown> => bodyOf(test.api.post(`/webhooks/${id}/test/`));
  const success = { success: true, response_status: 200, error: null };

  it('sends a message immediately and records no delivery and no activity', async () => {
    const webhook = await makeDeliveringWebhook(test.api, receiver, 'Tried <out>');
    const activities = await activitiesOf(test, async () => expect(await trial(webhook)).toEqual(success));
    expect(activities).toEqual([]);
    expect(await deliveriesOf(test.api, webhook.id)).toEqual([]);
    const [message] = receiver.at(encodeURIComponent('Tried <out>'));
    expect(message).toMatchObject({ method: 'POST', id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(JSON.parse(message?.text ?? '')).toMatchObject({
      text: 'This is a test of the webhook Tried &lt;out&gt;, sent by Ada Admin.',
      blocks: expect.any(Array),
    });
  });

  it('returns 200 with the error if the message cannot be delivered', async () => {
    const webhook = await makeDeliveringWebhook(test.api, receiver);
    receiver.answer(() => ({ status: 404, text: 'no_service' }));
    expect(await trial(webhook)).toEqual({
      success: false,
      response_status: 404,
      error: 'The receiver returned 404: no_service.',
    });
    receiver.answer(() => 'reset');
    expect(await trial(webhook)).toEqual({
      success: false,
      response_status: null,
      error: expect.stringContaining('connection failed'),
    });
    receiver.answer(() => 'hang');
    expect(await trial(webhook)).toEqual({
      success: false,
      response_status: null,
      error: 'It did not respond in time.',
    });
  });

  it('works if the webhook is inactive', async () => {
    const webhook = await makeDeliveringWebhook(test.api, receiver);
    await bodyOf(test.api.patch(`/webhooks/${webhook.id}/`, { active: false }));
    expect(await trial(webhook)).toEqual(success);
  });

  it('waits for the next send time of the webhook, but not if it is too far away', async () => {
    const webhook = await makeDeliveringWebhook(test.api, receiver);
    await test.database.query(
      `UPDATE webhook_delivery_queue SET next_send_at = now() + interval '1 second' WHERE webhook_id = $1`,
      [webhook.id],
    );
    const startedAt = Date.now();
    expect(await trial(webhook)).toEqual(success);
    expect(Date.now() - startedAt).toBeGreaterThan(800);
    await test.database.query(
      `UPDATE webhook_delivery_queue SET next_send_at = now() + interval '1 hour' WHERE webhook_id = $1`,
      [webhook.id],
    );
    expect(await changesNothing(test, () => trial(webhook))).toEqual({
      success: false,
      response_status: null,
      error: expect.stringContaining('Try again later'),
    });
  });

  it('reports an error if the URL can no longer be decrypted', async () => {
    const webhook = await makeDeliveringWebhook(test.api, receiver);
    await test.database.query(`UPDATE webhook SET sealed_url = 'v1.00000000.AAAA' WHERE id = $1`, [webhook.id]);
    expect(await trial(webhook)).toMatchObject({ success: false, error: expect.stringContaining('decrypted') });
  });

  it('returns 404 to other organizations, 403 to non-super-users and 400 for a body in strict mode', async () => {
    const webhook = await makeDeliveringWebhook(test.api, receiver);
    const other = await test.newOrganization();
    await bodyOf(other.api.post(`/webhooks/${webhook.id}/test/`), 404);
    await bodyOf(other.api.post(`/webhooks/${webhook.id}/test/`, { x: 1 }), 404);
    await bodyOf(test.api.post('/webhooks/nonsense/test/'), 404);
    await bodyOf(test.api.strict.post(`/webhooks/${webhook.id}/test/`, { x: 1 }), 400);
    await bodyOf((await test.newUser({ role: 'UR4' })).api.post(`/webhooks/${webhook.id}/test/`), 403);
  });
});

describe('Testing a webhook when private addresses are not allowed', () => {
  it('does not connect to a private address and reports an error', async () => {
    const strict = await startTestApi({ ...deliverySettings(receiver), WEBHOOK_ALLOW_PRIVATE: 'false' });
    try {
      const webhook = await makeDeliveringWebhook(strict.api, receiver, 'private');
      expect(await bodyOf(strict.api.post(`/webhooks/${webhook.id}/test/`))).toEqual({
        success: false,
        response_status: null,
        error: expect.stringContaining('private or reserved address'),
      });
      expect(receiver.at('private')).toEqual([]);
    } finally {
      await strict.close();
    }
  });
});

describe('Redelivering a webhook message', () => {
  const again = (webhook: number, id: number | string): string => `/webhooks/${webhook}/deliveries/${id}/redeliver/`;

  it.each(['pending', 'delivered', 'failed', 'cancelled'])(
    'resets a delivery that is %s to pending',
    async (status) => {
      const webhook = await makeDeliveringWebhook(test.api, receiver);
      await recordNewProject(test, 'x');
      await test.database.query(
        `UPDATE webhook_delivery SET status = $2::text, failures = 5, attempts = 5, due_at = now() + interval '1 hour',
        delivered_at = CASE WHEN $2 = 'delivered' THEN now() END WHERE webhook_id = $1`,
        [webhook.id, status],
      );
      const [delivery] = await deliveriesOf(test.api, webhook.id);
      const answer = await bodyOf(test.api.post<{ next_attempt: string }>(again(webhook.id, delivery?.id ?? 0)), 202);
      expect(answer).toMatchObject({ id: delivery?.id, status: 'pending', attempts: 5, delivered: null });
      expect(Date.parse(answer.next_attempt)).toBeLessThan(Date.now() + 1000);
    },
  );

  it('is rejected if the webhook is inactive', async () => {
    const webhook = await makeDeliveringWebhook(test.api, receiver);
    await recordNewProject(test, 'x');
    const [delivery] = await deliveriesOf(test.api, webhook.id);
    await bodyOf(test.api.patch(`/webhooks/${webhook.id}/`, { active: false }));
    const answer = changesNothing(test, () => bodyOf(test.api.post(again(webhook.id, delivery?.id ?? 0)), 400));
    expect(await answer).toEqual({ non_field_errors: [expect.stringContaining('is inactive')] });
  });

  it('finds a delivery only under its webhook and in its organization', async () => {
    const [one, two] = [await makeDeliveringWebhook(test.api, receiver), await makeWebhook(test.api)];
    await recordNewProject(test, 'x');
    const [delivery] = await deliveriesOf(test.api, one.id);
    const other = await test.newOrganization();
    await changesNothing(test, async () => {
      await bodyOf(test.api.post(again(two.id, delivery?.id ?? 0)), 404);
      await bodyOf(other.api.post(again(one.id, delivery?.id ?? 0)), 404);
      for (const id of ['0', 'nonsense', '%00', '9'.repeat(18)]) await bodyOf(test.api.post(again(one.id, id)), 404);
    });
  });
});

describe('Cleaning up deliveries', () => {
  it('deletes finished deliveries that are older than 30 days, but no pending ones', async () => {
    await test.database.query('DELETE FROM webhook');
    const ages = ['31 days', '29 days'];
    const statuses = ['pending', 'delivered', 'failed', 'cancelled'];
    const webhook = await makeDeliveringWebhook(test.api, receiver);
    for (const age of ages)
      for (const status of statuses) {
        await recordNewProject(test, 'x');
        await test.database.query(
          `UPDATE webhook_delivery SET status = $1::text, created_at = now() - $2::interval,
            delivered_at = CASE WHEN $1 = 'delivered' THEN now() END
           WHERE id = (SELECT max(id) FROM webhook_delivery WHERE webhook_id = $3)`,
          [status, age, webhook.id],
        );
      }
    const cleanUp = () =>
      acrossOrganizations(test.running.app.get(EntityManager), 'sweep what is over', deleteOldDeliveries);
    expect(await cleanUp()).toBe(3);
    const left = await deliveriesOf(test.api, webhook.id);
    expect(left.map(({ status }) => status)).toEqual(['pending', ...statuses]);
    expect(await cleanUp()).toBe(0);
  });
});
