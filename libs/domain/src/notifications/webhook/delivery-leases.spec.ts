import { EntityManager } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { useTestApi } from '#test/support/api.js';
import { changesNothing } from '#test/support/records.js';
import { deliveriesOf, makeConfig, makeWebhook, recordNewProject } from '#test/support/webhooks.js';
import { acrossOrganizations } from '../../kernel/across-organizations.js';
import { inTransaction } from '../../kernel/transaction.js';
import { type LeasedDeliveryQueue, leaseDeliveryQueue, releaseDeliveryQueue } from './delivery-queue.js';
import { type DeliveryAttempt, finishAttempt, type NextStep, nextStep } from './delivery.work.js';

const test = useTestApi();
const emOf = (): EntityManager => test.running.app.get(EntityManager);

const LEASE_SECONDS = 20;
const QUEUE_SETTINGS = { leaseSeconds: LEASE_SECONDS, paceMilliseconds: 0 };
const POLICY = { paceMilliseconds: 0, retrySeconds: [0], disableAfterSeconds: 60, timeoutSeconds: 1 };

const lease = (id: number, owner: string): Promise<LeasedDeliveryQueue | undefined> =>
  acrossOrganizations(emOf(), 'claim a job', (em) => leaseDeliveryQueue(em, { id }, owner, LEASE_SECONDS));

const step = (queue: LeasedDeliveryQueue): Promise<NextStep> =>
  inTransaction(emOf(), queue, (em) => nextStep(em, queue, QUEUE_SETTINGS));

const finish = (queue: LeasedDeliveryQueue, delivery: DeliveryAttempt): Promise<boolean> =>
  inTransaction(emOf(), queue, (em) => finishAttempt(em, queue, delivery, { status: 200, text: 'ok' }, POLICY));

const leaseEnds = (id: number, when: string) =>
  test.database.query(
    `UPDATE webhook_delivery_queue SET lease_until = now() + interval '${when}' WHERE webhook_id = $1`,
    [id],
  );

const secondsLeft = async (id: number): Promise<number> => {
  const [row] = await test.database.query<{ left: string }>(
    'SELECT extract(epoch FROM lease_until - now()) AS left FROM webhook_delivery_queue WHERE webhook_id = $1',
    [id],
  );
  return Number(row?.left);
};

/** A webhook with one pending delivery, and the first worker's lease on its queue. */
async function leased(): Promise<{ id: number; first: LeasedDeliveryQueue }> {
  const { id } = await makeWebhook(test.api);
  await makeConfig(test.api, id);
  await recordNewProject(test, 'new');
  const first = await lease(id, 'first');
  if (!first) throw new Error('The delivery queue could not be leased.');
  return { id, first };
}

/** Repeats steps until one sends a delivery. */
async function sendsNext(queue: LeasedDeliveryQueue): Promise<DeliveryAttempt> {
  for (;;) {
    const next = await step(queue);
    if (next.step === 'send') return next.delivery;
    if (next.step !== 'wait') throw new Error(`The next step is ${next.step}.`);
  }
}

describe('A delivery', () => {
  it('waits for open transactions that may insert an earlier one, but for at most 30 s', async () => {
    const client = new Client({ connectionString: test.database.url });
    await client.connect();
    try {
      await client.query('BEGIN; SELECT pg_current_xact_id()');
      const { id, first } = await leased();
      expect((await step(first)).step).toBe('wait');
      const age = (seconds: number) =>
        test.database.query(
          `UPDATE webhook_delivery SET created_at = now() - make_interval(secs => $2) WHERE webhook_id = $1`,
          [id, seconds],
        );
      await age(20);
      expect((await step(first)).step).toBe('wait');
      await age(31);
      expect((await step(first)).step).toBe('send');
    } finally {
      await client.end();
    }
  });
});

describe('A lease on the delivery queue of a webhook', () => {
  it('excludes other workers while it is valid, and is extended by each step', async () => {
    const { id, first } = await leased();
    expect(await lease(id, 'second')).toBeUndefined();
    await leaseEnds(id, '1 second');
    expect((await step(first)).step).not.toBe('stop');
    expect(await secondsLeft(id)).toBeGreaterThan(LEASE_SECONDS - 5);
  });

  it('is lost once another worker has the queue, and then cannot send, record or release anything', async () => {
    const { id, first } = await leased();
    const delivery = await sendsNext(first);
    await leaseEnds(id, '-1 ms');
    const second = await lease(id, 'second');
    expect(second?.fence).toBeGreaterThan(first.fence);
    await changesNothing(test, async () => {
      expect(await step(first)).toEqual({ step: 'stop' });
      expect(await finish(first, delivery)).toBe(false);
      await inTransaction(emOf(), first, (em) => releaseDeliveryQueue(em, first));
    });
    expect(await deliveriesOf(test.api, id)).toMatchObject([{ status: 'pending', delivered: null }]);
    // The second worker cannot know that the message was sent, so it sends it again with the same id.
    const again = await sendsNext(second!);
    expect(again.messageId).toBe(delivery.messageId);
    expect(await finish(second!, again)).toBe(true);
    expect(await deliveriesOf(test.api, id)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  it('can be taken over immediately after its release', async () => {
    const { id, first } = await leased();
    await inTransaction(emOf(), first, (em) => releaseDeliveryQueue(em, first));
    const second = await lease(id, 'second');
    expect(second?.fence).toBeGreaterThan(first.fence);
    expect(await step(first)).toEqual({ step: 'stop' });
  });
});
