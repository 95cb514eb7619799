import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { type Fenced, Lease } from '../../kernel/lease/lease.js';

/** A delivery queue that a worker has leased; its id is that of its webhook. */
export type LeasedDeliveryQueue = Fenced & { readonly organizationId: number };

const queueLease = new Lease({
  table: 'webhook_delivery_queue',
  columns: { key: 'webhook_id', queuedUntil: 'due_at' },
  requeueSeconds: 4,
});

/** Whether a queue `item` may send, and its first delivery in order, or any delivery set aside, is due. */
const hasDueDelivery: Sql = sql`item.next_send_at <= now() AND ((
    SELECT d.due_at FROM webhook_delivery d WHERE d.webhook_id = item.webhook_id AND d.status = 'pending'
      AND NOT d.aside
    ORDER BY d.activity_id LIMIT 1) <= now()
  OR EXISTS (
    SELECT 1 FROM webhook_delivery d
    WHERE d.webhook_id = item.webhook_id AND d.status = 'pending' AND d.aside AND d.due_at <= now()))`;

export async function createDeliveryQueue(em: EntityManager, webhookId: number): Promise<void> {
  await sql`INSERT INTO webhook_delivery_queue (webhook_id) VALUES (${webhookId})`.execute(em.getKysely());
}

/** Clears the record of failed attempts, and lets the queue send at once. */
export async function resetDeliveryQueue(em: EntityManager, webhookId: number): Promise<void> {
  await sql`UPDATE webhook_delivery_queue SET failing_since = NULL, next_send_at = least(next_send_at, now())
    WHERE webhook_id = ${webhookId}`.execute(em.getKysely());
}

/**
 * Queues free delivery queues with something to send. `failing` selects the queues whose last message failed, or those
 * whose last message was delivered, so that failing queues do not delay the others.
 */
export const queueDeliveryQueues = (em: EntityManager, limit: number, failing: boolean): Promise<Fenced[]> =>
  queueLease.queue(em, {
    where: sql`(item.failing_since IS NOT NULL) = ${failing} AND ${hasDueDelivery}`,
    orderBy: sql`item.due_at`,
    limit,
  });

/** Leases a delivery queue to a worker. Returns undefined if it does not exist or another worker has leased it. */
export const leaseDeliveryQueue = (
  em: EntityManager,
  { id }: Pick<Fenced, 'id'>,
  owner: string,
  seconds: number,
): Promise<LeasedDeliveryQueue | undefined> =>
  queueLease.take<Pick<LeasedDeliveryQueue, 'organizationId'>>(em, id, {
    seconds,
    owner,
    returning: sql`(SELECT organization_id FROM webhook WHERE id = item.webhook_id) AS "organizationId"`,
  });

/**
 * Extends a worker's lease, and locks the queue's row until the transaction ends. Returns how long to wait before the
 * next message may be sent, or undefined if another worker has leased the queue.
 */
export async function renewDeliveryQueueLease(
  em: EntityManager,
  deliveryQueue: Fenced,
  seconds: number,
): Promise<{ readonly waitMilliseconds: number } | undefined> {
  const row = await queueLease.change<{ wait: string }>(
    em,
    deliveryQueue,
    queueLease.extended(seconds),
    sql`extract(epoch FROM next_send_at - now()) * 1000 AS wait`,
  );
  return row && { waitMilliseconds: Math.max(0, Number(row.wait)) };
}

/** Delays the next message, as the current one is about to be sent. */
export async function beginSending(em: EntityManager, { id }: Fenced, paceMilliseconds: number): Promise<void> {
  await sql`UPDATE webhook_delivery_queue SET next_send_at = now() + make_interval(secs => ${paceMilliseconds / 1000})
    WHERE webhook_id = ${id}`.execute(em.getKysely());
}

/**
 * Records whether a message was delivered, and pauses the queue. Returns for how many seconds no message has been
 * delivered, or undefined if another worker has leased the queue.
 */
export async function recordSendResult(
  em: EntityManager,
  deliveryQueue: Fenced,
  { delivered, pauseSeconds }: { readonly delivered: boolean; readonly pauseSeconds: number },
): Promise<{ readonly failingSeconds: number } | undefined> {
  const row = await queueLease.change<{ failing: string | null }>(
    em,
    deliveryQueue,
    sql`failing_since = CASE WHEN NOT ${delivered}::boolean THEN coalesce(failing_since, now()) END,
      next_send_at = greatest(next_send_at, now() + make_interval(secs => ${pauseSeconds}))`,
    sql`extract(epoch FROM now() - failing_since) AS failing`,
  );
  return row && { failingSeconds: Number(row.failing ?? 0) };
}

/** Ends a lease, so that the relay may enqueue the queue again. */
export const releaseDeliveryQueue = (em: EntityManager, deliveryQueue: Fenced): Promise<unknown> =>
  queueLease.change(em, deliveryQueue, queueLease.ended);

/** Whether a delivery queue has something to send now, such as deliveries committed while it was being released. */
export async function deliveryQueueIsDue(em: EntityManager, id: number): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM webhook_delivery_queue item
    WHERE item.webhook_id = ${id} AND ${queueLease.isFree} AND ${hasDueDelivery}`.execute(em.getKysely());
  return rows.length > 0;
}

/** The longest time that a user waits when testing a webhook. */
const MAX_SLOT_WAIT_SECONDS = 5;

/**
 * Reserves the next time slot of a delivery queue, outside of the order of its deliveries. Returns how long to wait for
 * the slot, or undefined if that is too long.
 */
export async function reserveSendSlot(
  em: EntityManager,
  webhookId: number,
  paceMilliseconds: number,
): Promise<{ readonly waitMilliseconds: number } | undefined> {
  const { rows } = await sql<{ wait: string }>`
    UPDATE webhook_delivery_queue AS queue
      SET next_send_at = turn.at + make_interval(secs => ${paceMilliseconds / 1000})
    FROM (SELECT webhook_id, greatest(next_send_at, now()) AS at FROM webhook_delivery_queue
      WHERE webhook_id = ${webhookId}
      FOR UPDATE) turn
    WHERE queue.webhook_id = turn.webhook_id AND turn.at <= now() + make_interval(secs => ${MAX_SLOT_WAIT_SECONDS})
    RETURNING extract(epoch FROM turn.at - now()) * 1000 AS wait`.execute(em.getKysely());
  return rows[0] && { waitMilliseconds: Number(rows[0].wait) };
}
