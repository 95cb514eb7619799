import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApi, type TestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { type Receiver, startReceiver, trustReceivers } from '#test/support/receiver.js';
import { activitiesOf } from '#test/support/records.js';
import { redisIsThere, startRedis, type TestRedis } from '#test/support/redis.js';
import {
  allAre,
  deliveriesWhere,
  deliverySettings,
  makeDelivering,
  tellOfProject,
  type Webhook,
} from '#test/support/webhooks.js';
import { startTestWorker, temporaryFolder, type TestWorker } from '#test/support/worker.js';

const backends = (['postgresql', 'redis'] as const).filter((backend) => backend === 'postgresql' || redisIsThere);

describe.each(backends)('Deliveries, with the queues on %s,', (backend) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let redis: TestRedis | undefined;
  let receiver: Receiver;
  let test: TestApi;
  let workers: TestWorker[] = [];

  const makeWorker = (settings: Readonly<Record<string, string>> = {}): Promise<TestWorker> =>
    startTestWorker({
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      ...deliverySettings(receiver),
      ...(redis && { REDIS_URL: redis.url }),
      ...settings,
    });
  /** A worker of one test's own, which ends with it. */
  const startWorker = async (settings?: Readonly<Record<string, string>>): Promise<TestWorker> => {
    const worker = await makeWorker(settings);
    workers.push(worker);
    return worker;
  };
  const stopWorkers = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
  };
  const at = ({ name }: Webhook) => receiver.at(encodeURIComponent(name));
  const texts = (webhook: Webhook): string[] =>
    at(webhook).map(({ text }) => /\|(\w+)>/.exec((JSON.parse(text) as { text: string }).text)?.[1] ?? '');

  beforeAll(async () => {
    trustReceivers();
    receiver = await startReceiver();
    folder = await temporaryFolder();
    if (backend === 'redis') redis = await startRedis();
    test = await startTestApi({ DATA_DIR: folder.path, ...deliverySettings(receiver) });
  }, 60_000);
  beforeEach(() => receiver.answer(() => 200));
  afterEach(async () => {
    await stopWorkers();
    await test.database.query('DELETE FROM webhook');
  }, 30_000);
  afterAll(async () => {
    await test.close();
    await redis?.stop();
    await receiver.stop();
    await folder.remove();
  });

  describe('while a worker runs,', () => {
    let worker: TestWorker;
    beforeAll(async () => void (worker = await makeWorker()), 30_000);
    afterAll(() => worker.stop(), 30_000);

    it('bring a message that people like to read, escaped, with an absolute link', async () => {
      const webhook = await makeDelivering(test.api, receiver);
      await tellOfProject(test, 'A <!channel> & <b>');
      const [delivery] = await deliveriesWhere(test.api, webhook.id, allAre('delivered'));
      expect(delivery).toEqual({
        id: expect.any(Number),
        status: 'delivered',
        attempts: 1,
        response_status: 200,
        error: null,
        created: expect.stringMatching(/\.\d{3}Z$/),
        delivered: expect.stringMatching(/\.\d{3}Z$/),
        next_attempt: null,
        activity: expect.any(Number),
      });
      const [message] = at(webhook);
      expect(message).toMatchObject({
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      const link = '<https://merlon.example.com/projects/7/|A &lt;!channel&gt; &amp; &lt;b&gt;>';
      const { text, blocks } = JSON.parse(message?.text ?? '') as { text: string; blocks: unknown[] };
      expect(text).toBe(`New project: ${link} in Shop, created by Ada Admin`);
      expect(blocks).toMatchObject([
        { type: 'header', text: { type: 'plain_text', text: 'New project' } },
        {
          type: 'section',
          fields: [
            { type: 'mrkdwn', text: `*Project*\n${link}` },
            { type: 'mrkdwn', text: '*Application*\nShop' },
            { type: 'mrkdwn', text: '*Business unit*\nSales' },
            { type: 'mrkdwn', text: '*Created by*\nAda Admin' },
          ],
        },
        { type: 'context' },
      ]);
    });

    it('keep the order of what was told, also where an earlier transaction commits later', async () => {
      const webhook = await makeDelivering(test.api, receiver);
      const written = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const first = tellOfProject(test, 'first', {
        after: () => {
          written.resolve();
          return gate.promise;
        },
      });
      try {
        await written.promise;
        await tellOfProject(test, 'second');
        await sleep(500);
        expect(texts(webhook)).toEqual([]);
      } finally {
        // Whatever came of it: a transaction that stays open would hold up every suite.
        gate.resolve();
      }
      await first;
      await deliveriesWhere(test.api, webhook.id, allAre('delivered', 2));
      expect(texts(webhook)).toEqual(['first', 'second']);
    });

    it('are not made for a change that was rolled back', async () => {
      const webhook = await makeDelivering(test.api, receiver);
      await expect(
        tellOfProject(test, 'never', { after: () => Promise.reject(new Error('rolled back')) }),
      ).rejects.toThrow('rolled back');
      await tellOfProject(test, 'made');
      await deliveriesWhere(test.api, webhook.id, allAre('delivered'));
      expect(texts(webhook)).toEqual(['made']);
    });

    it('are tried again after 5xx, silence and broken connections, always with the same id', async () => {
      const webhook = await makeDelivering(test.api, receiver);
      const answers = [500, 'hang', 'reset', 503] as const;
      receiver.answer((_, earlier) => answers[earlier.length] ?? 200);
      await tellOfProject(test, 'stubborn');
      const [delivery] = await deliveriesWhere(test.api, webhook.id, allAre('delivered'));
      expect(delivery).toMatchObject({ attempts: 5, response_status: 200, error: null });
      expect(new Set(at(webhook).map(({ id }) => id)).size).toBe(1);
      expect(at(webhook)).toHaveLength(5);
    });

    it.each([400, 403, 404, 410])('fail at once after %i', async (status) => {
      const webhook = await makeDelivering(test.api, receiver);
      receiver.answer(() => status);
      await tellOfProject(test, 'refused');
      const [delivery] = await deliveriesWhere(test.api, webhook.id, allAre('failed'));
      expect(delivery).toMatchObject({ attempts: 1, response_status: status });
    });

    it('do not follow a redirect, and try again', async () => {
      const webhook = await makeDelivering(test.api, receiver);
      receiver.answer((_, { length }) =>
        length ? 200 : { status: 307, headers: { Location: receiver.url('other') } },
      );
      await tellOfProject(test, 'moved');
      await deliveriesWhere(test.api, webhook.id, allAre('delivered'));
      expect(receiver.at('other')).toEqual([]);
    });

    it('are made for each active webhook of the organization, and for nobody else', async () => {
      const other = await test.newOrganization();
      const [mine, theirs] = [await makeDelivering(test.api, receiver), await makeDelivering(other.api, receiver)];
      const idle = await makeDelivering(test.api, receiver);
      await bodyOf(test.api.patch(`/webhooks/${idle.id}/`, { active: false }));
      await tellOfProject(test, 'mine');
      await deliveriesWhere(test.api, mine.id, allAre('delivered'));
      for (const [api, webhook] of [
        [other.api, theirs],
        [test.api, idle],
      ] as const)
        await deliveriesWhere(api, webhook.id, (all) => all.length === 0);
      expect(at(theirs)).toEqual([]);
    });

    it('are sent once more where somebody asks, outside of the order and with the same id', async () => {
      const webhook = await makeDelivering(test.api, receiver);
      await tellOfProject(test, 'again');
      const [first] = await deliveriesWhere(test.api, webhook.id, allAre('delivered'));
      const path = `/webhooks/${webhook.id}/deliveries/${first?.id}/redeliver/`;
      expect(await bodyOf(test.api.post(path), 202)).toMatchObject({
        id: first?.id,
        status: 'pending',
        next_attempt: expect.any(String),
      });
      const [second] = await deliveriesWhere(test.api, webhook.id, allAre('delivered'));
      expect(second).toMatchObject({ attempts: 2 });
      expect(at(webhook)).toHaveLength(2);
      expect(new Set(at(webhook).map(({ id }) => id)).size).toBe(1);
    });
  });

  it('are in order, one after the other, in the pace of their webhook', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    const names = Array.from({ length: 12 }, (_, place) => `p${place}`);
    for (const name of names) await tellOfProject(test, name);
    await startWorker({ WEBHOOK_PACE_MILLISECONDS: '100' });
    await deliveriesWhere(test.api, webhook.id, allAre('delivered', 12));
    expect(texts(webhook)).toEqual(names);
    const times = at(webhook).map((message) => message.at);
    for (const [place, time] of times.slice(1).entries()) expect(time - (times[place] ?? 0)).toBeGreaterThanOrEqual(99);
  });

  it('fail after the last try of the schedule, and say why', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    receiver.answer(() => ({ status: 500, text: 'server_error' }));
    await startWorker({ WEBHOOK_RETRY_SECONDS: '0.05,0.05' });
    await tellOfProject(test, 'lost');
    const [delivery] = await deliveriesWhere(test.api, webhook.id, allAre('failed'));
    expect(delivery).toMatchObject({
      attempts: 3,
      response_status: 500,
      error: 'The chat service answered 500: server_error.',
      delivered: null,
      next_attempt: null,
    });
  });

  it('wait as long as Retry-After says after 429, with everything behind them', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    receiver.answer((_, { length }) => (length === 0 ? { status: 429, headers: { 'Retry-After': '2' } } : 200));
    await startWorker({ WEBHOOK_RETRY_SECONDS: '0.01' });
    for (const name of ['one', 'two', 'three']) await tellOfProject(test, name);
    await deliveriesWhere(test.api, webhook.id, allAre('delivered', 3));
    expect(texts(webhook)).toEqual(['one', 'one', 'two', 'three']);
    const [refused, again] = at(webhook);
    expect((again?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThan(1900);
  });

  it('step aside after three failures, and those behind them get through', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    receiver.answer(({ text }) => (text.includes('|poison>') ? 500 : 200));
    await startWorker({ WEBHOOK_RETRY_SECONDS: '0.1,0.1,3' });
    for (const name of ['poison', 'one', 'two']) await tellOfProject(test, name);
    const deliveries = await deliveriesWhere(test.api, webhook.id, (all) => all[2]?.status === 'delivered');
    expect(deliveries.map(({ status }) => status)).toEqual(['pending', 'delivered', 'delivered']);
    expect(texts(webhook)).toEqual(['poison', 'poison', 'poison', 'one', 'two']);
    receiver.answer(() => 200);
    await deliveriesWhere(test.api, webhook.id, allAre('delivered', 3));
  });

  it('that get nothing through for as long as is configured switch their webhook off, and an activity says so', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    receiver.answer(() => 500);
    await startWorker({
      WEBHOOK_DISABLE_AFTER_SECONDS: '1',
      WEBHOOK_RETRY_SECONDS: '0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,9',
    });
    const activities = await activitiesOf(test, async () => {
      await tellOfProject(test, 'one');
      await tellOfProject(test, 'two');
      await deliveriesWhere(test.api, webhook.id, allAre('cancelled', 2));
    });
    expect(await bodyOf(test.api.get(`/webhooks/${webhook.id}/`))).toMatchObject({ active: false });
    expect(activities).toHaveLength(3);
    expect(activities[2]).toMatchObject({
      name: 'DisabledWebhookActivity',
      actor_id: null,
      text: expect.stringMatching(/^\*Merlon\* disabled webhook \*/),
      data: { webhook: webhook.id, webhook_desc: webhook.name },
      icon: 'webhook',
    });
    // Switched on again, it has a new start.
    receiver.answer(() => 200);
    await bodyOf(test.api.patch(`/webhooks/${webhook.id}/`, { active: true }));
    await tellOfProject(test, 'three');
    await deliveriesWhere(test.api, webhook.id, (all) => all[2]?.status === 'delivered');
  });

  it('are cancelled where their webhook or its event is switched off before', async () => {
    const [one, two, three] = [
      await makeDelivering(test.api, receiver),
      await makeDelivering(test.api, receiver),
      await makeDelivering(test.api, receiver),
    ];
    await tellOfProject(test, 'late');
    await bodyOf(test.api.patch(`/webhooks/${one.id}/`, { active: false }));
    const { results } = await bodyOf(test.api.get<{ results: { id: number }[] }>(`/webhooks/${two.id}/configs/`));
    await bodyOf(test.api.delete(`/webhooks/${two.id}/configs/${results[0]?.id}/`), 204);
    await startWorker();
    await deliveriesWhere(test.api, three.id, allAre('delivered'));
    for (const { id } of [one, two]) await deliveriesWhere(test.api, id, allAre('cancelled'));
    // And nothing new is made for them.
    await tellOfProject(test, 'later');
    await deliveriesWhere(test.api, three.id, allAre('delivered', 2));
    for (const { id } of [one, two]) await deliveriesWhere(test.api, id, allAre('cancelled'));
    expect(at(one)).toEqual([]);
    expect(at(two)).toEqual([]);
  });

  it('are not made while the flag Webhooks is off, and what waits then is cancelled', async () => {
    const other = await test.newOrganization();
    const webhook = await makeDelivering(other.api, receiver);
    await tellOfProject(test, 'before', { organization: other });
    await bodyOf(other.api.delete('/flags/Webhooks/'), 204);
    await tellOfProject(test, 'while', { organization: other });
    await startWorker();
    await sleep(1500);
    await bodyOf(other.api.post('/flags/', { name: 'Webhooks' }), 201);
    await deliveriesWhere(other.api, webhook.id, allAre('cancelled'));
    expect(at(webhook)).toEqual([]);
  });

  it('survive a queue that is emptied, and a worker that comes later', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    await tellOfProject(test, 'patient');
    await redis?.empty();
    await startWorker();
    await deliveriesWhere(test.api, webhook.id, allAre('delivered'));
  });

  it('are sent once by several workers', async () => {
    const webhooks = await Promise.all(Array.from({ length: 5 }, () => makeDelivering(test.api, receiver)));
    await Promise.all([startWorker(), startWorker(), startWorker()]);
    for (let place = 0; place < 10; place += 1) await tellOfProject(test, `p${place}`);
    for (const webhook of webhooks) {
      await deliveriesWhere(test.api, webhook.id, allAre('delivered', 10));
      expect(texts(webhook)).toEqual(Array.from({ length: 10 }, (_, place) => `p${place}`));
    }
  });

  it('of a worker that died are taken up by another one, after its lease', async () => {
    const webhook = await makeDelivering(test.api, receiver);
    await tellOfProject(test, 'left');
    await test.database.query(
      `UPDATE webhook_delivery_queue SET lease_owner = 'dead', lease_until = now() + interval '1 second', fence = fence + 1
       WHERE webhook_id = $1`,
      [webhook.id],
    );
    await startWorker();
    await sleep(300);
    expect(at(webhook)).toEqual([]);
    await deliveriesWhere(test.api, webhook.id, allAre('delivered'));
  });

  it('leave no secret in the log', async () => {
    const webhook = await makeDelivering(test.api, receiver, 'hush-hush');
    receiver.answer(() => 'reset');
    const worker = await startWorker({ LOG_LEVEL: 'trace', WEBHOOK_RETRY_SECONDS: '0.05' });
    await tellOfProject(test, 'quiet');
    const [delivery] = await deliveriesWhere(test.api, webhook.id, allAre('failed'));
    expect(JSON.stringify([worker.log, test.log, delivery])).not.toContain('hush-hush');
    expect(delivery?.error).toContain('connection failed');
  });
});
