import { SecretBox } from '#platform/crypto/secret-box.js';
import { useDomain } from '#test/support/domain.js';
import { recordActivity } from '../../activity/activity.js';
import { queueDeliveryQueues, leaseDeliveryQueue, releaseDeliveryQueue } from './delivery-queue.js';
import { finishAttempt, nextStep } from './delivery.work.js';
import { createWebhookConfig } from './webhook-config.commands.js';
import { createWebhook } from './webhook.commands.js';

const domain = useDomain();

const dependencies = { hosts: ['hooks.slack.com'], secrets: new SecretBox('k'.repeat(40)) };
const url = 'https://hooks.slack.com/services/T000/B000/XXXX';

let made = 0;

/** A webhook for new projects. */
const makeWebhook = (): Promise<string> =>
  domain.run(async (em, actor) => {
    const { id } = await createWebhook(em, actor, { name: `Webhook ${(made += 1)}`, url }, dependencies);
    await createWebhookConfig(em, actor, id, { event_source: 'CreatedProjectActivity' });
    return id;
  });

/**
 * Adds deliveries of these projects to each webhook, in this order. They have waited for long enough for transactions
 * that could insert an earlier one, such as those of other suites.
 */
async function makeDeliveries(...projects: number[]): Promise<void> {
  const activity = (id: number) => ({ subject: 'project', verb: 'Created', id, title: 'New' }) as const;
  await domain.run((em, actor) => recordActivity(em, actor, ...projects.map(activity)));
  await domain.database.query(`UPDATE webhook_delivery SET created_at = now() - interval '1 minute'`);
}

const POLICY = {
  paceMilliseconds: 0,
  retrySeconds: [100, 100, 100, 100],
  disableAfterSeconds: 3600,
  timeoutSeconds: 1,
};

/** Sends the next delivery with this response; returns its project, or the step that is taken instead. */
const send = (webhook: string, status: number): Promise<unknown> =>
  domain.run(async (em) => {
    const queue = await leaseDeliveryQueue(em, { id: Number(webhook) }, 'worker', 60);
    if (!queue) throw new Error('The queue is leased.');
    const next = await nextStep(em, queue, { leaseSeconds: 60, paceMilliseconds: 0 });
    if (next.step === 'send') await finishAttempt(em, queue, next.delivery, { status, text: '' }, POLICY);
    await releaseDeliveryQueue(em, queue);
    return next.step === 'send' ? next.delivery.activity?.data['project'] : next.step;
  });

/** Makes the deliveries of projects due this many seconds ago. */
const dueSince = (webhook: string, seconds: Readonly<Record<number, number>>) =>
  domain.database.query(
    `UPDATE webhook_delivery d
     SET due_at = now() - make_interval(secs => ($2::jsonb ->> (a.data ->> 'project'))::integer)
     FROM activity a WHERE a.id = d.activity_id AND d.webhook_id = $1 AND $2::jsonb ? (a.data ->> 'project')`,
    [webhook, JSON.stringify(seconds)],
  );

describe('The deliveries of a webhook', () => {
  it('are sent in the order of their activities, whenever they became due', async () => {
    const webhook = await makeWebhook();
    await makeDeliveries(1, 2, 3);
    await dueSince(webhook, { 1: 10, 2: 30, 3: 20 });
    const sent: unknown[] = [];
    for (let count = 0; count < 4; count += 1) sent.push(await send(webhook, 200));
    expect(sent).toEqual([1, 2, 3, 'rest']);
  });

  it('wait for one that failed, until its third failure sets it aside', async () => {
    const webhook = await makeWebhook();
    await makeDeliveries(1, 2);
    for (const failure of [1, 2]) {
      expect([failure, await send(webhook, 500)]).toEqual([failure, 1]);
      expect(await send(webhook, 200)).toBe('rest');
      await dueSince(webhook, { 1: 0 });
    }
    expect(await send(webhook, 500)).toBe(1);
    expect(await send(webhook, 200)).toBe(2);
    expect(await send(webhook, 200)).toBe('rest');
    await dueSince(webhook, { 1: 0 });
    expect(await send(webhook, 200)).toBe(1);
  });

  it('take turns with those set aside, which are sent in the order in which they became due', async () => {
    const webhook = await makeWebhook();
    await makeDeliveries(1, 2, 3, 4);
    await domain.database.query(
      `UPDATE webhook_delivery d SET aside = true FROM activity a
       WHERE a.id = d.activity_id AND d.webhook_id = $1 AND a.data ->> 'project' IN ('1', '2', '4')`,
      [webhook],
    );
    await dueSince(webhook, { 1: 20, 2: 40, 3: 30, 4: -60 });
    const sent: unknown[] = [];
    for (let count = 0; count < 4; count += 1) sent.push(await send(webhook, 200));
    expect(sent).toEqual([2, 3, 1, 'rest']);
  });
});

describe('The delivery queues of webhooks', () => {
  it('are claimed in the order in which they became due, and those that fail apart from the others', async () => {
    await domain.database.query('DELETE FROM webhook');
    const [first, second, failing, idle] = [
      await makeWebhook(),
      await makeWebhook(),
      await makeWebhook(),
      await makeWebhook(),
    ];
    await makeDeliveries(1);
    await domain.database.query('DELETE FROM webhook_delivery WHERE webhook_id = $1', [idle]);
    await domain.database.query(
      `UPDATE webhook_delivery_queue SET due_at = now() - make_interval(secs => CASE webhook_id WHEN $1 THEN 10
         WHEN $2 THEN 30 ELSE 20 END), failing_since = CASE webhook_id WHEN $3 THEN now() END`,
      [first, second, failing],
    );
    const claim = async (isFailing: boolean) =>
      (await domain.run((em) => queueDeliveryQueues(em, 1, isFailing))).map(({ id }) => String(id));
    expect(await claim(false)).toEqual([second]);
    expect(await claim(false)).toEqual([first]);
    expect(await claim(false)).toEqual([]);
    expect(await claim(true)).toEqual([failing]);
    expect(await claim(true)).toEqual([]);
  });
});
