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
  makeDelivering,
  makeWebhook,
  tellOfProject,
  type Webhook,
} from '#test/support/webhooks.js';

let receiver: Receiver;
let test: TestApi;

beforeAll(async () => {
  trustReceivers();
  receiver = await startReceiver();
  test = await startTestApi(deliverySettings(receiver));
}, 60_000);
beforeEach(() => receiver.answer(() => 200));
afterAll(async () => {
  await test.close();
  await receiver.stop();
});

describe('Trying a webhook out', () => {
  const trial = ({ id }: Webhook): Promise<unknown> => bodyOf(test.api.post(`/webhooks/${id}/test/`));
  const success = { success: true, response_status: 200, error: null };

  it('sends a message at once, and leaves no delivery and no activity', async () => {
    const webhook = await makeDelivering(test.api, receiver, 'Tried <out>');
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

  it('answers 200 with what went wrong', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    receiver.answer(() => ({ status: 404, text: 'no_service' }));
    expect(await trial(webhook)).toEqual({
      success: false,
      response_status: 404,
      error: 'The chat service answered 404: no_service.',
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
      error: 'It did not answer in time.',
    });
  });

  it('works where the webhook is switched off', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    await bodyOf(test.api.patch(`/webhooks/${webhook.id}/`, { active: false }));
    expect(await trial(webhook)).toEqual(success);
  });

  it('keeps the pace, and does not wait for ever', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    await test.database.query(
      `UPDATE webhook_delivery_queue SET next_send_at = now() + interval '1 second' WHERE webhook_id = $1`,
      [webhook.id],
    );
    const began = Date.now();
    expect(await trial(webhook)).toEqual(success);
    expect(Date.now() - began).toBeGreaterThan(800);
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

  it('refuses a host that is no longer allowed, and a URL whose key is gone', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    await test.database.query(`UPDATE webhook SET sealed_url = 'v1.00000000.AAAA' WHERE id = $1`, [webhook.id]);
    expect(await trial(webhook)).toMatchObject({ success: false, error: expect.stringContaining('decrypted') });
  });

  it('takes no body, and finds no webhook of another organization', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    const other = await test.newOrganization();
    await bodyOf(other.api.post(`/webhooks/${webhook.id}/test/`), 404);
    await bodyOf(other.api.post(`/webhooks/${webhook.id}/test/`, { x: 1 }), 404);
    await bodyOf(test.api.post('/webhooks/nonsense/test/'), 404);
    await bodyOf(test.api.strict.post(`/webhooks/${webhook.id}/test/`, { x: 1 }), 400);
    await bodyOf((await test.newUser({ role: 'UR4' })).api.post(`/webhooks/${webhook.id}/test/`), 403);
  });
});

describe('Where private addresses are not allowed, trying a webhook out', () => {
  it('reaches none', async () => {
    const strict = await startTestApi({ ...deliverySettings(receiver), WEBHOOK_ALLOW_PRIVATE: 'false' });
    try {
      const webhook = await makeDelivering(strict.api, receiver, 'private');
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

describe('Redelivering', () => {
  const again = (webhook: number, id: number | string): string => `/webhooks/${webhook}/deliveries/${id}/redeliver/`;

  it.each(['pending', 'delivered', 'failed', 'cancelled'])('takes a delivery that is %s', async (status) => {
    const webhook = await makeDelivering(test.api, receiver);
    await tellOfProject(test, 'x');
    await test.database.query(
      `UPDATE webhook_delivery SET status = $2::text, failures = 5, attempts = 5, due_at = now() + interval '1 hour',
        delivered_at = CASE WHEN $2 = 'delivered' THEN now() END WHERE webhook_id = $1`,
      [webhook.id, status],
    );
    const [delivery] = await deliveriesOf(test.api, webhook.id);
    const answer = await bodyOf(test.api.post<{ next_attempt: string }>(again(webhook.id, delivery?.id ?? 0)), 202);
    expect(answer).toMatchObject({ id: delivery?.id, status: 'pending', attempts: 5, delivered: null });
    expect(Date.parse(answer.next_attempt)).toBeLessThan(Date.now() + 1000);
  });

  it('is refused where the webhook is switched off', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    await tellOfProject(test, 'x');
    const [delivery] = await deliveriesOf(test.api, webhook.id);
    await bodyOf(test.api.patch(`/webhooks/${webhook.id}/`, { active: false }));
    const answer = changesNothing(test, () => bodyOf(test.api.post(again(webhook.id, delivery?.id ?? 0)), 400));
    expect(await answer).toEqual({ non_field_errors: [expect.stringContaining('switched off')] });
  });

  it('finds a delivery below its own webhook and in its own organization alone', async () => {
    const [one, two] = [await makeDelivering(test.api, receiver), await makeWebhook(test.api)];
    await tellOfProject(test, 'x');
    const [delivery] = await deliveriesOf(test.api, one.id);
    const other = await test.newOrganization();
    await changesNothing(test, async () => {
      await bodyOf(test.api.post(again(two.id, delivery?.id ?? 0)), 404);
      await bodyOf(other.api.post(again(one.id, delivery?.id ?? 0)), 404);
      for (const id of ['0', 'nonsense', '%00', '9'.repeat(18)]) await bodyOf(test.api.post(again(one.id, id)), 404);
    });
  });
});

describe('The clean-up of deliveries', () => {
  it('deletes those that ended and are older than 30 days, and none that waits', async () => {
    await test.database.query('DELETE FROM webhook');
    const ages = ['31 days', '29 days'];
    const statuses = ['pending', 'delivered', 'failed', 'cancelled'];
    const webhook = await makeDelivering(test.api, receiver);
    for (const age of ages)
      for (const status of statuses) {
        await tellOfProject(test, 'x');
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
