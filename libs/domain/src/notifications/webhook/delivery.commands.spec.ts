import { SecretBox } from '#platform/crypto/secret-box.js';
import { useDomain } from '#test/support/domain.js';
import { recordActivity } from '../../activity/activity.js';
import { cancelDeliveries, redeliver } from './delivery.commands.js';
import { leaseDeliveryQueue, releaseDeliveryQueue } from './delivery-queue.js';
import { finishAttempt, nextStep } from './delivery.work.js';
import { createWebhookConfig } from './webhook-config.commands.js';
import { createWebhook } from './webhook.commands.js';
import { TEST_EVENT } from './webhook.rules.js';

const domain = useDomain();

const dependencies = { hosts: ['hooks.slack.com'], secrets: new SecretBox('k'.repeat(40)) };
const url = 'https://hooks.slack.com/services/T000/B000/XXXX';

const PROJECT_CREATED = 'CreatedProjectActivity';

let made = 0;

/** A webhook for new projects. */
const makeWebhook = (): Promise<string> =>
  domain.run(async (em, actor) => {
    const { id } = await createWebhook(em, actor, { name: `Webhook ${(made += 1)}`, url }, dependencies);
    await createWebhookConfig(em, actor, id, { event_source: PROJECT_CREATED });
    return id;
  });

/** Adds two deliveries to each webhook. */
const makeDeliveries = (): Promise<void> =>
  domain.run((em, actor) => {
    const activity = (id: number) => ({ subject: 'project', verb: 'Created', id, title: 'New' }) as const;
    return recordActivity(em, actor, activity(1), activity(2));
  });

interface Row {
  readonly id: string;
  readonly event: string;
  readonly status: string;
  readonly attempts: number;
  readonly failures: number;
  readonly aside: boolean;
  readonly error: string | null;
  readonly response_status: number | null;
  readonly delivered_at: Date | null;
  readonly seconds: number;
}

/** The deliveries of a webhook, oldest first, with the seconds until they are due. */
const deliveriesOf = (webhook: string): Promise<Row[]> =>
  domain.database.query<Row>(
    `SELECT id, event_source AS event, status, attempts, failures, aside, error, response_status, delivered_at,
       extract(epoch FROM due_at - now())::float AS seconds
     FROM webhook_delivery WHERE webhook_id = $1 ORDER BY id`,
    [webhook],
  );

/** Ends the deliveries of a webhook after all retries. */
const exhaust = (webhook: string, status: string) =>
  domain.database.query(
    `UPDATE webhook_delivery SET status = $2, attempts = 6, failures = 6, response_status = 500, error = 'No.',
       delivered_at = now(), due_at = now() + interval '1 day' WHERE webhook_id = $1`,
    [webhook, status],
  );

const again = (webhook: string, delivery: string | undefined): Promise<void> =>
  domain.run((em, actor) => redeliver(em, actor, webhook, delivery ?? ''));

describe('A redelivery', () => {
  it.each(['pending', 'delivered', 'failed', 'cancelled'])(
    'resets all but the number of attempts of a delivery that was %s, and no other delivery',
    async (status) => {
      const webhook = await makeWebhook();
      await makeDeliveries();
      await exhaust(webhook, status);
      const [first, second] = await deliveriesOf(webhook);
      await again(webhook, first?.id);
      const [reset, other] = await deliveriesOf(webhook);
      expect(reset).toEqual({
        id: first?.id,
        event: PROJECT_CREATED,
        status: 'pending',
        attempts: 6,
        failures: 0,
        aside: true,
        error: null,
        response_status: null,
        delivered_at: null,
        seconds: expect.any(Number),
      });
      expect(reset?.seconds).toBeLessThanOrEqual(0);
      expect({ ...other, seconds: 0 }).toEqual({ ...second, seconds: 0 });
    },
  );

  it('that fails is retried after each of the delays, and fails after the last one', async () => {
    const webhook = await makeWebhook();
    await makeDeliveries();
    await exhaust(webhook, 'failed');
    const [first] = await deliveriesOf(webhook);
    await again(webhook, first?.id);
    const settings = { leaseSeconds: 60, paceMilliseconds: 0 };
    const policy = { paceMilliseconds: 0, retrySeconds: [100, 1000], disableAfterSeconds: 3600, timeoutSeconds: 1 };
    const states: (string | number | undefined)[][] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await domain.run(async (em) => {
        const queue = await leaseDeliveryQueue(em, { id: Number(webhook) }, 'worker', 60);
        if (!queue) throw new Error('The queue is leased.');
        const next = await nextStep(em, queue, settings);
        if (next.step !== 'send') throw new Error(`The next step is ${next.step}.`);
        await finishAttempt(em, queue, next.delivery, { status: 500, text: 'Broken.' }, policy);
        await releaseDeliveryQueue(em, queue);
      });
      const [row] = await deliveriesOf(webhook);
      states.push([row?.status, row?.attempts, row?.failures, Math.log10(row?.seconds ?? 0)]);
      await domain.database.query('UPDATE webhook_delivery SET due_at = now() WHERE id = $1', [first?.id]);
    }
    // Delays vary by 20 %.
    expect(states).toEqual([
      ['pending', 7, 1, expect.closeTo(2, 0)],
      ['pending', 8, 2, expect.closeTo(3, 0)],
      ['failed', 9, 3, expect.anything()],
    ]);
  });
});

describe('Cancelling deliveries', () => {
  it('cancels the pending ones of one event of a webhook, or all of them, but none of another webhook', async () => {
    const [one, two] = [await makeWebhook(), await makeWebhook()];
    await makeDeliveries();
    await exhaust(one, 'delivered');
    await makeDeliveries();
    await domain.database.query(
      `UPDATE webhook_delivery SET event_source = $1
       WHERE id IN (SELECT max(id) FROM webhook_delivery GROUP BY webhook_id)`,
      [TEST_EVENT],
    );
    const statuses = async (webhook: string) => (await deliveriesOf(webhook)).map(({ status }) => status);
    await domain.run((em) => cancelDeliveries(em, Number(one), TEST_EVENT));
    expect(await statuses(one)).toEqual(['delivered', 'delivered', 'pending', 'cancelled']);
    await domain.run((em) => cancelDeliveries(em, Number(one)));
    expect(await statuses(one)).toEqual(['delivered', 'delivered', 'cancelled', 'cancelled']);
    expect(await statuses(two)).toEqual(['pending', 'pending', 'pending', 'pending']);
  });
});
