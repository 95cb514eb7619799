import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf } from '#test/support/client.js';
import { useDeliveries } from '#test/support/deliveries.js';
import { eventually } from '#test/support/eventually.js';
import { describeOnQueues } from '#test/support/redis.js';
import { activitiesOf } from '#test/support/records.js';
import { allAre, deliveriesWhere, makeDeliveringWebhook, recordNewProject } from '#test/support/webhooks.js';

describeOnQueues('Scheduling of deliveries, with queues on %s', (backend) => {
  const running = useDeliveries(backend);

  it('sends them in order, one at a time, at the pace of their webhook', async () => {
    const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    for (const name of names) await recordNewProject(running.test, name);
    await running.startWorker({ WEBHOOK_PACE_MILLISECONDS: '100' });
    await deliveriesWhere(running.test.api, webhook.id, allAre('delivered', 12));
    expect(running.texts(webhook)).toEqual(names);
    const times = running.at(webhook).map((message) => message.at);
    for (const [earlier, time] of times.slice(1).entries())
      expect(time - (times[earlier] ?? 0)).toBeGreaterThanOrEqual(99);
  });

  it('marks them as failed after the last retry, with the error', async () => {
    const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
    running.receiver.answer(() => ({ status: 500, text: 'server_error' }));
    await running.startWorker({ WEBHOOK_RETRY_SECONDS: '0.05,0.05' });
    await recordNewProject(running.test, 'lost');
    const [delivery] = await deliveriesWhere(running.test.api, webhook.id, allAre('failed'));
    expect(delivery).toMatchObject({
      attempts: 3,
      response_status: 500,
      error: 'The receiver returned 500: server_error.',
      delivered: null,
      next_attempt: null,
    });
  });

  it('delays them and all later deliveries by Retry-After after a 429', async () => {
    const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
    running.receiver.answer((_, { length }) => (length === 0 ? { status: 429, headers: { 'Retry-After': '2' } } : 200));
    await running.startWorker({ WEBHOOK_RETRY_SECONDS: '0.01' });
    for (const name of ['one', 'two', 'three']) await recordNewProject(running.test, name);
    await deliveriesWhere(running.test.api, webhook.id, allAre('delivered', 3));
    expect(running.texts(webhook)).toEqual(['one', 'one', 'two', 'three']);
    const [rejected, again] = running.at(webhook);
    expect((again?.at ?? 0) - (rejected?.at ?? 0)).toBeGreaterThan(1900);
  });

  it('lets later deliveries proceed after three failures', async () => {
    const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
    running.receiver.answer(({ text }) => (text.includes('|poison>') ? 500 : 200));
    await running.startWorker({ WEBHOOK_RETRY_SECONDS: '0.1,0.1,3' });
    for (const name of ['poison', 'one', 'two']) await recordNewProject(running.test, name);
    const deliveries = await deliveriesWhere(running.test.api, webhook.id, (all) => all[2]?.status === 'delivered');
    expect(deliveries.map(({ status }) => status)).toEqual(['pending', 'delivered', 'delivered']);
    expect(running.texts(webhook)).toEqual(['poison', 'poison', 'poison', 'one', 'two']);
    running.receiver.answer(() => 200);
    await deliveriesWhere(running.test.api, webhook.id, allAre('delivered', 3));
  });

  it('disables a webhook without a successful delivery for the configured time, and records an activity', async () => {
    const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
    running.receiver.answer(() => 500);
    await running.startWorker({
      WEBHOOK_DISABLE_AFTER_SECONDS: '1',
      WEBHOOK_RETRY_SECONDS: '0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,9',
    });
    const activities = await activitiesOf(running.test, async () => {
      await recordNewProject(running.test, 'one');
      await recordNewProject(running.test, 'two');
      await deliveriesWhere(running.test.api, webhook.id, allAre('cancelled', 2));
    });
    expect(await bodyOf(running.test.api.get(`/webhooks/${webhook.id}/`))).toMatchObject({ active: false });
    expect(activities).toHaveLength(3);
    expect(activities[2]).toMatchObject({
      name: 'DisabledWebhookActivity',
      actor_id: null,
      text: expect.stringMatching(/^\*Merlon\* disabled webhook \*/),
      data: { webhook: webhook.id, webhook_desc: webhook.name },
      icon: 'webhook',
    });
    // When it is enabled again, its failure count starts anew.
    running.receiver.answer(() => 200);
    await bodyOf(running.test.api.patch(`/webhooks/${webhook.id}/`, { active: true }));
    await recordNewProject(running.test, 'three');
    await deliveriesWhere(running.test.api, webhook.id, (all) => all[2]?.status === 'delivered');
  });

  it('cancels pending deliveries if their webhook or its event configuration is removed or disabled', async () => {
    const [one, two, three] = [
      await makeDeliveringWebhook(running.test.api, running.receiver),
      await makeDeliveringWebhook(running.test.api, running.receiver),
      await makeDeliveringWebhook(running.test.api, running.receiver),
    ];
    await recordNewProject(running.test, 'late');
    await bodyOf(running.test.api.patch(`/webhooks/${one.id}/`, { active: false }));
    const { results } = await bodyOf(
      running.test.api.get<{ results: { id: number }[] }>(`/webhooks/${two.id}/configs/`),
    );
    await bodyOf(running.test.api.delete(`/webhooks/${two.id}/configs/${results[0]?.id}/`), 204);
    await running.startWorker();
    await deliveriesWhere(running.test.api, three.id, allAre('delivered'));
    for (const { id } of [one, two]) await deliveriesWhere(running.test.api, id, allAre('cancelled'));
    // And no new deliveries are created for them.
    await recordNewProject(running.test, 'later');
    await deliveriesWhere(running.test.api, three.id, allAre('delivered', 2));
    for (const { id } of [one, two]) await deliveriesWhere(running.test.api, id, allAre('cancelled'));
    expect(running.at(one)).toEqual([]);
    expect(running.at(two)).toEqual([]);
  });

  it('creates no deliveries while the flag Webhooks is off, and cancels pending ones', async () => {
    const other = await running.test.newOrganization();
    const webhook = await makeDeliveringWebhook(other.api, running.receiver);
    await recordNewProject(running.test, 'before', { organization: other });
    await bodyOf(other.api.delete('/flags/Webhooks/'), 204);
    await recordNewProject(running.test, 'while', { organization: other });
    await running.startWorker();
    const cancelled = `SELECT 1 FROM webhook_delivery WHERE webhook_id = $1 AND status = 'cancelled'`;
    await eventually(async () => (await running.test.database.query(cancelled, [webhook.id])).length > 0);
    await sleep(1500); // in which a worker would create the other delivery
    await bodyOf(other.api.post('/flags/', { name: 'Webhooks' }), 201);
    await deliveriesWhere(other.api, webhook.id, allAre('cancelled'));
    expect(running.at(webhook)).toEqual([]);
  });

  it('keeps deliveries if the queue is emptied or a worker starts later', async () => {
    const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
    await recordNewProject(running.test, 'patient');
    await running.redis?.empty();
    await running.startWorker();
    await deliveriesWhere(running.test.api, webhook.id, allAre('delivered'));
  });

  it('sends each delivery once with several workers', async () => {
    const webhooks = await Promise.all(
      Array.from({ length: 5 }, () => makeDeliveringWebhook(running.test.api, running.receiver)),
    );
    await Promise.all([1, 2, 3].map(() => running.startWorker()));
    for (let index = 0; index < 10; index += 1) await recordNewProject(running.test, `p${index}`);
    for (const webhook of webhooks) {
      await deliveriesWhere(running.test.api, webhook.id, allAre('delivered', 10));
      expect(running.texts(webhook)).toEqual(Array.from({ length: 10 }, (_, index) => `p${index}`));
    }
  });

  it('sends a delivery of a crashed worker after the lease expires', async () => {
    const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
    await recordNewProject(running.test, 'left');
    const [lease] = await running.test.database.query<{ until: Date }>(
      `UPDATE webhook_delivery_queue
        SET lease_owner = 'dead', lease_until = clock_timestamp() + interval '3 seconds', fence = fence + 1
       WHERE webhook_id = $1 RETURNING lease_until AS until`,
      [webhook.id],
    );
    await running.startWorker();
    await deliveriesWhere(running.test.api, webhook.id, allAre('delivered'));
    expect(running.at(webhook)).toHaveLength(1);
    expect(running.at(webhook)[0]?.at).toBeGreaterThanOrEqual(lease?.until.getTime() ?? Infinity);
  });

  it('writes no secret to the log', async () => {
    const webhook = await makeDeliveringWebhook(running.test.api, running.receiver, 'hush-hush');
    running.receiver.answer(() => 'reset');
    const worker = await running.startWorker({ LOG_LEVEL: 'trace', WEBHOOK_RETRY_SECONDS: '0.05' });
    await recordNewProject(running.test, 'quiet');
    const [delivery] = await deliveriesWhere(running.test.api, webhook.id, allAre('failed'));
    expect(JSON.stringify([worker.log, running.test.log, delivery])).not.toContain('hush-hush');
    expect(delivery?.error).toContain('connection failed');
  });
});
