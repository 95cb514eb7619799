import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';

/** A delivery queue that a worker may lease: its webhook's id, and the fence that the relay read. */
export type DueDeliveryQueue = {
  readonly id: number;
  readonly fence: number;
};

/** A delivery queue that a worker has leased. */
export type LeasedDeliveryQueue = DueDeliveryQueue & { readonly organizationId: number };

/** If no worker leases a queue within this time, the relay enqueues it again: its job may have been lost. */
const REQUEUE_SECONDS = 4;

const isFree: Sql = sql`(queue.lease_until IS NULL OR queue.lease_until < now())`;
const hasFence = ({ id, fence }: DueDeliveryQueue): Sql => sql`queue.webhook_id = ${id} AND queue.fence = ${fence}`;

/** Whether the first delivery in order, or any delivery set aside, is due. */
const hasDueDelivery: Sql = sql`((
    SELECT d.due_at FROM webhook_delivery d WHERE d.webhook_id = queue.webhook_id AND d.status = 'pending'
      AND NOT d.aside
    ORDER BY d.activity_id LIMIT 1) <= now()
  OR EXISTS (
    SELECT 1 FROM webhook_delivery d
    WHERE d.webhook_id = queue.webhook_id AND d.status = 'pending' AND d.aside AND d.due_at <= now()))`;

export async function createDeliveryQueue(em: EntityManager, webhookId: number): Promise<void> {
  await sql`INSERT INTO webhook_delivery_queue (webhook_id) VALUES (${webhookId})`.execute(em.getKysely());
}

/** Clears the record of failed attempts, and lets the queue send at once. */
export async function resetDeliveryQueue(em: EntityManager, webhookId: number): Promise<void> {
  await sql`UPDATE webhook_delivery_queue SET failing_since = NULL, next_send_at = least(next_send_at, now())
    WHERE webhook_id = ${webhookId}`.execute(em.getKysely());
}

/**
 * Returns free delivery queues with something to send, and postpones when they are next due. `failing` selects the
 * queues whose last message failed, or those whose last message was delivered, so that failing queues do not delay the
 * others. Commit before enqueueing them.
 */
export async function claimDueDeliveryQueues(
  em: EntityManager,
  limit: number,
  failing: boolean,
): Promise<DueDeliveryQueue[]> {
  const { rows } = await sql<{ webhook_id: number; fence: number }>`
    UPDATE webhook_delivery_queue AS taken SET due_at = now() + make_interval(secs => ${REQUEUE_SECONDS})
    FROM (SELECT queue.webhook_id FROM webhook_delivery_queue queue
      WHERE (queue.failing_since IS NOT NULL) = ${failing} AND queue.due_at <= now() AND queue.next_send_at <= now()
        AND ${isFree} AND ${hasDueDelivery}
      ORDER BY queue.due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) due
    WHERE taken.webhook_id = due.webhook_id RETURNING taken.webhook_id, taken.fence`.execute(em.getKysely());
  return rows.map(({ webhook_id: id, fence }) => ({ id, fence }));
}

/** Leases a delivery queue to a worker. Returns undefined if it does not exist or another worker has leased it. */
export async function leaseDeliveryQueue(
  em: EntityManager,
  { id }: Pick<DueDeliveryQueue, 'id'>,
  owner: string,
  leaseSeconds: number,
): Promise<LeasedDeliveryQueue | undefined> {
  const { rows } = await sql<{ fence: number; organization_id: number }>`
    UPDATE webhook_delivery_queue AS queue SET fence = fence + 1, lease_owner = ${owner},
      lease_until = now() + make_interval(secs => ${leaseSeconds})
    WHERE queue.webhook_id = ${id} AND ${isFree}
    RETURNING fence, (SELECT organization_id FROM webhook WHERE id = queue.webhook_id)`.execute(em.getKysely());
  return rows[0] && { id, fence: rows[0].fence, organizationId: rows[0].organization_id };
}

/**
 * Extends a worker's lease, and locks the queue's row until the transaction ends. Returns how long to wait before the
 * next message may be sent, or undefined if another worker has leased the queue.
 */
export async function renewDeliveryQueueLease(
  em: EntityManager,
  deliveryQueue: DueDeliveryQueue,
  leaseSeconds: number,
): Promise<{ readonly waitMilliseconds: number } | undefined> {
  const { rows } = await sql<{ wait: string }>`
    UPDATE webhook_delivery_queue AS queue SET lease_until = now() + make_interval(secs => ${leaseSeconds})
    WHERE ${hasFence(deliveryQueue)} RETURNING extract(epoch FROM next_send_at - now()) * 1000 AS wait`.execute(
    em.getKysely(),
  );
  return rows[0] && { waitMilliseconds: Math.max(0, Number(rows[0].wait)) };
}

/** Delays the next message, as the current one is about to be sent. */
export async function beginSending(
  em: EntityManager,
  { id }: DueDeliveryQueue,
  paceMilliseconds: number,
): Promise<void> {
  await sql`UPDATE webhook_delivery_queue SET next_send_at = now() + make_interval(secs => ${paceMilliseconds / 1000})
    WHERE webhook_id = ${id}`.execute(em.getKysely());
}

/**
 * Records whether a message was delivered, and pauses the queue. Returns for how many seconds no message has been
 * delivered, or undefined if another worker has leased the queue.
 */
export async function recordSendResult(
  em: EntityManager,
  deliveryQueue: DueDeliveryQueue,
  { delivered, pauseSeconds }: { readonly delivered: boolean; readonly pauseSeconds: number },
): Promise<{ readonly failingSeconds: number } | undefined> {
  const { rows } = await sql<{ failing: string | null }>`
    UPDATE webhook_delivery_queue AS queue SET
      failing_since = CASE WHEN NOT ${delivered}::boolean THEN coalesce(failing_since, now()) END,
      next_send_at = greatest(next_send_at, now() + make_interval(secs => ${pauseSeconds}))
    WHERE ${hasFence(deliveryQueue)} RETURNING extract(epoch FROM now() - failing_since) AS failing`.execute(
    em.getKysely(),
  );
  return rows[0] && { failingSeconds: Number(rows[0].failing ?? 0) };
}

/** Ends a lease, so that the relay may enqueue the queue again. */
export async function releaseDeliveryQueue(em: EntityManager, deliveryQueue: DueDeliveryQueue): Promise<void> {
  await sql`UPDATE webhook_delivery_queue AS queue SET lease_owner = NULL, lease_until = NULL, due_at = now()
    WHERE ${hasFence(deliveryQueue)}`.execute(em.getKysely());
}

/** Whether a delivery queue has something to send now, such as deliveries committed while it was being released. */
export async function deliveryQueueIsDue(em: EntityManager, id: number): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM webhook_delivery_queue queue
    WHERE queue.webhook_id = ${id} AND queue.next_send_at <= now() AND ${isFree} AND ${hasDueDelivery}`.execute(
    em.getKysely(),
  );
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
