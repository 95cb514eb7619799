import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';

/** A delivery queue that a worker may take: its webhook, and its fence as it was when the relay saw it. */
export type DueDeliveryQueue = {
  readonly id: number;
  readonly fence: number;
};

/** A delivery queue in the hands of one worker. */
export type LeasedDeliveryQueue = DueDeliveryQueue & { readonly organizationId: number };

/** After this time the relay queues a delivery queue that no worker took once more: the queue may have been emptied. */
const REQUEUE_SECONDS = 4;

const isFree: Sql = sql`(queue.lease_until IS NULL OR queue.lease_until < now())`;
const held = ({ id, fence }: DueDeliveryQueue): Sql => sql`queue.webhook_id = ${id} AND queue.fence = ${fence}`;

/** Whether the first in line is due, or any that stands aside. */
const hasDueDelivery: Sql = sql`((
    SELECT d.due_at FROM webhook_delivery d WHERE d.webhook_id = queue.webhook_id AND d.status = 'pending'
      AND NOT d.aside
    ORDER BY d.activity_id LIMIT 1) <= now()
  OR EXISTS (
    SELECT 1 FROM webhook_delivery d
    WHERE d.webhook_id = queue.webhook_id AND d.status = 'pending' AND d.aside AND d.due_at <= now()))`;

/** Opens the delivery queue of a new webhook. */
export async function openDeliveryQueue(em: EntityManager, webhookId: number): Promise<void> {
  await sql`INSERT INTO webhook_delivery_queue (webhook_id) VALUES (${webhookId})`.execute(em.getKysely());
}

/** Forgets that nothing got through a delivery queue. */
export async function restartDeliveryQueue(em: EntityManager, webhookId: number): Promise<void> {
  await sql`UPDATE webhook_delivery_queue SET failing_since = NULL, next_send_at = least(next_send_at, now())
    WHERE webhook_id = ${webhookId}`.execute(em.getKysely());
}

/**
 * Free delivery queues with something to send; they are not due again for a moment. `failing` tells which: those where
 * the last message got through, or those where it did not, so that these don't hold up the others. Commit, then queue
 * them.
 */
export async function takeDueDeliveryQueues(
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

/** Takes a delivery queue for a worker; undefined where it is gone or held by another worker. */
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
 * Keeps a delivery queue for its worker, and locks it until the transaction ends. Answers how long its pace makes it
 * wait; undefined where it is held by another worker.
 */
export async function keepDeliveryQueue(
  em: EntityManager,
  deliveryQueue: DueDeliveryQueue,
  leaseSeconds: number,
): Promise<{ readonly waitMilliseconds: number } | undefined> {
  const { rows } = await sql<{ wait: string }>`
    UPDATE webhook_delivery_queue AS queue SET lease_until = now() + make_interval(secs => ${leaseSeconds})
    WHERE ${held(deliveryQueue)} RETURNING extract(epoch FROM next_send_at - now()) * 1000 AS wait`.execute(
    em.getKysely(),
  );
  return rows[0] && { waitMilliseconds: Math.max(0, Number(rows[0].wait)) };
}

/** Notes that a message is about to be sent: the next one has to wait. */
export async function beginSending(
  em: EntityManager,
  { id }: DueDeliveryQueue,
  paceMilliseconds: number,
): Promise<void> {
  await sql`UPDATE webhook_delivery_queue SET next_send_at = now() + make_interval(secs => ${paceMilliseconds / 1000})
    WHERE webhook_id = ${id}`.execute(em.getKysely());
}

/**
 * Notes whether a message got through, and how long the delivery queue has to be still. Answers for how many seconds
 * nothing has got through; undefined where the delivery queue is held by another worker.
 */
export async function noteSending(
  em: EntityManager,
  deliveryQueue: DueDeliveryQueue,
  { through, stillSeconds }: { readonly through: boolean; readonly stillSeconds: number },
): Promise<{ readonly failingSeconds: number } | undefined> {
  const { rows } = await sql<{ failing: string | null }>`
    UPDATE webhook_delivery_queue AS queue SET
      failing_since = CASE WHEN NOT ${through}::boolean THEN coalesce(failing_since, now()) END,
      next_send_at = greatest(next_send_at, now() + make_interval(secs => ${stillSeconds}))
    WHERE ${held(deliveryQueue)} RETURNING extract(epoch FROM now() - failing_since) AS failing`.execute(
    em.getKysely(),
  );
  return rows[0] && { failingSeconds: Number(rows[0].failing ?? 0) };
}

/** Gives a delivery queue back: the relay may queue it again. */
export async function releaseDeliveryQueue(em: EntityManager, deliveryQueue: DueDeliveryQueue): Promise<void> {
  await sql`UPDATE webhook_delivery_queue AS queue SET lease_owner = NULL, lease_until = NULL, due_at = now()
    WHERE ${held(deliveryQueue)}`.execute(em.getKysely());
}

/** Whether a delivery queue has something to send now: what was committed while it was given back. */
export async function deliveryQueueIsDue(em: EntityManager, id: number): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM webhook_delivery_queue queue
    WHERE queue.webhook_id = ${id} AND queue.next_send_at <= now() AND ${isFree} AND ${hasDueDelivery}`.execute(
    em.getKysely(),
  );
  return rows.length > 0;
}

/** The longest that someone who tries a webhook out is made to wait. */
const LONGEST_TURN_SECONDS = 5;

/**
 * Takes the next turn to send in a delivery queue, outside of its order; answers how long to wait for it, undefined
 * where that is too long.
 */
export async function takeTurn(
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
    WHERE queue.webhook_id = turn.webhook_id AND turn.at <= now() + make_interval(secs => ${LONGEST_TURN_SECONDS})
    RETURNING extract(epoch FROM turn.at - now()) * 1000 AS wait`.execute(em.getKysely());
  return rows[0] && { waitMilliseconds: Number(rows[0].wait) };
}
