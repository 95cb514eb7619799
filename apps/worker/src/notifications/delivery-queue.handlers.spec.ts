import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf } from '#test/support/client.js';
import { useDeliveries } from '#test/support/deliveries.js';
import { describeOnQueues } from '#test/support/redis.js';
import { allAre, deliveriesWhere, makeDeliveringWebhook, recordNewProject } from '#test/support/webhooks.js';
import type { TestWorker } from '#test/support/worker.js';

describeOnQueues('Deliveries, with queues on %s', (backend) => {
  const running = useDeliveries(backend);

  describe('with a running worker', () => {
    let worker: TestWorker;
    beforeAll(async () => void (worker = await running.makeWorker({ WEBHOOK_TIMEOUT_SECONDS: '2' })));
    afterAll(() => worker.stop());

    it('send a readable, escaped message with an absolute link', async () => {
      const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
      await recordNewProject(running.test, 'A <!channel> & <b>');
      const [delivery] = await deliveriesWhere(running.test.api, webhook.id, allAre('delivered'));
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
      const [message] = running.at(webhook);
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

    it('link to pages of the console', async () => {
      const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
      await recordNewProject(running.test, 'linked');
      await deliveriesWhere(running.test.api, webhook.id, allAre('delivered'));
      const [message] = running.at(webhook);
      const links = [...(message?.text ?? '').matchAll(/<(https:[^|]+)\|/g)].map(([, link = '']) => new URL(link));
      expect(links.length).toBeGreaterThan(1);
      for (const { pathname } of links) {
        // PUBLIC_URL replaces the API's own origin.
        const page = await fetch(`${running.test.origin}${pathname}`);
        expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
        expect(await page.text()).toContain('<div id="root"></div>');
      }
    });

    it('keep the order of activities, even if an earlier transaction commits later', async () => {
      const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
      const written = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const first = recordNewProject(running.test, 'first', {
        after: () => {
          written.resolve();
          return gate.promise;
        },
      });
      try {
        await written.promise;
        await recordNewProject(running.test, 'second');
        await sleep(500);
        expect(running.texts(webhook)).toEqual([]);
      } finally {
        // In any case: a transaction that stays open would block every suite.
        gate.resolve();
      }
      await first;
      await deliveriesWhere(running.test.api, webhook.id, allAre('delivered', 2));
      expect(running.texts(webhook)).toEqual(['first', 'second']);
    });

    it('are not created for a change that is rolled back', async () => {
      const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
      await expect(
        recordNewProject(running.test, 'never', { after: () => Promise.reject(new Error('rolled back')) }),
      ).rejects.toThrow('rolled back');
      await recordNewProject(running.test, 'made');
      await deliveriesWhere(running.test.api, webhook.id, allAre('delivered'));
      expect(running.texts(webhook)).toEqual(['made']);
    });

    it('are retried with the same id after 5xx responses, timeouts and broken connections', async () => {
      const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
      const answers = [500, 'hang', 'reset', 503] as const;
      running.receiver.answer((_, earlier) => answers[earlier.length] ?? 200);
      await recordNewProject(running.test, 'stubborn');
      const [delivery] = await deliveriesWhere(running.test.api, webhook.id, allAre('delivered'));
      expect(delivery).toMatchObject({ attempts: 5, response_status: 200, error: null });
      expect(new Set(running.at(webhook).map(({ id }) => id)).size).toBe(1);
      expect(running.at(webhook)).toHaveLength(5);
    });

    it('are not held up by a response that never ends, however slowly or fast it arrives', async () => {
      const [endless, healthy] = await Promise.all([
        makeDeliveringWebhook(running.test.api, running.receiver),
        makeDeliveringWebhook(running.test.api, running.receiver),
      ]);
      const answers = ['trickle', 'flood'] as const;
      running.receiver.answer((message, earlier) =>
        endless.url.endsWith(message.path) ? (answers[earlier.length] ?? 200) : 200,
      );
      const before = process.memoryUsage.rss();
      await recordNewProject(running.test, 'endless');
      await deliveriesWhere(running.test.api, healthy.id, allAre('delivered'));
      const [delivery] = await deliveriesWhere(running.test.api, endless.id, allAre('delivered'));
      expect(running.at(endless).map(({ answer }) => answer)[0]).toBe('trickle');
      expect(delivery?.response_status).toBe(200);
      expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 2 ** 20);
    });

    it.each([400, 403, 404, 410])('fail without a retry after %i', async (status) => {
      const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
      running.receiver.answer(() => status);
      await recordNewProject(running.test, 'refused');
      const [delivery] = await deliveriesWhere(running.test.api, webhook.id, allAre('failed'));
      expect(delivery).toMatchObject({ attempts: 1, response_status: status });
    });

    it('do not follow a redirect, and are retried', async () => {
      const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
      running.receiver.answer((_, { length }) =>
        length ? 200 : { status: 307, headers: { Location: running.receiver.url('other') } },
      );
      await recordNewProject(running.test, 'moved');
      await deliveriesWhere(running.test.api, webhook.id, allAre('delivered'));
      expect(running.receiver.at('other')).toEqual([]);
    });

    it('are created for each active webhook of the organization, and for no other', async () => {
      const other = await running.test.newOrganization();
      const [mine, theirs] = [
        await makeDeliveringWebhook(running.test.api, running.receiver),
        await makeDeliveringWebhook(other.api, running.receiver),
      ];
      const idle = await makeDeliveringWebhook(running.test.api, running.receiver);
      await bodyOf(running.test.api.patch(`/webhooks/${idle.id}/`, { active: false }));
      await recordNewProject(running.test, 'mine');
      await deliveriesWhere(running.test.api, mine.id, allAre('delivered'));
      for (const [api, webhook] of [
        [other.api, theirs],
        [running.test.api, idle],
      ] as const)
        await deliveriesWhere(api, webhook.id, (all) => all.length === 0);
      expect(running.at(theirs)).toEqual([]);
    });

    it('are sent again on request, with the same id', async () => {
      const webhook = await makeDeliveringWebhook(running.test.api, running.receiver);
      await recordNewProject(running.test, 'again');
      const [first] = await deliveriesWhere(running.test.api, webhook.id, allAre('delivered'));
      const path = `/webhooks/${webhook.id}/deliveries/${first?.id}/redeliver/`;
      expect(await bodyOf(running.test.api.post(path), 202)).toMatchObject({
        id: first?.id,
        status: 'pending',
        next_attempt: expect.any(String),
      });
      const [second] = await deliveriesWhere(running.test.api, webhook.id, allAre('delivered'));
      expect(second).toMatchObject({ attempts: 2 });
      expect(running.at(webhook)).toHaveLength(2);
      expect(new Set(running.at(webhook).map(({ id }) => id)).size).toBe(1);
    });
  });
});
