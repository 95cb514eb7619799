import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { numericId, rowToChange } from '../../kernel/row-to-change.js';
import { wakeRelay } from '../../kernel/lease/wake-relay.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { tables } from '../../kernel/tables.js';
import { WebhookDelivery } from './delivery.entity.js';
import { deliveryMachine } from './delivery.machine.js';
import { Webhook } from './webhook.entity.js';
import { DELIVERY_RETENTION_DAYS } from './webhook.rules.js';

/** Cancels the pending deliveries of a webhook: all of them, or those of one event. */
export async function cancelDeliveries(em: EntityManager, webhookId: number, eventSource?: string): Promise<void> {
  const matchesEvent = eventSource === undefined ? sql`true` : sql`item.event_source = ${eventSource}`;
  await deliveryMachine.tryMove(em, 'cancel', { where: sql`item.webhook_id = ${webhookId} AND ${matchesEvent}` });
}

/**
 * Sends a delivery again as soon as the webhook's pace allows, outside of the order and with a new retry schedule.
 * Throws `NotFound`, and `Invalid` if the webhook is inactive.
 */
export async function redeliver(em: EntityManager, actor: Actor, webhookId: string, id: string): Promise<void> {
  const webhook = await rowToChange(em, actor, Webhook, webhookId);
  const key = numericId(id);
  if (!webhook.active) throw new Invalid({ non_field_errors: ['The webhook is inactive. Activate it first.'] });
  const set = sql`due_at = now(), failures = 0, aside = true, delivered_at = NULL, response_status = NULL,
    error = NULL`;
  const where = sql`item.id = ${key}::bigint AND item.webhook_id = ${webhook.id}`;
  await deliveryMachine.move(em, where, [{ move: 'redeliver', set }]);
  await wakeRelay(em);
}

const BATCH = 5000;

/** Deletes the finished deliveries of all organizations after the retention time; returns how many. */
export async function deleteOldDeliveries(em: EntityManager): Promise<number> {
  const { numDeletedRows } = await tables(em, WebhookDelivery)
    .deleteFrom('webhook_delivery')
    .where('id', 'in', (query) =>
      query
        .selectFrom('webhook_delivery')
        .select('id')
        .where('status', '<>', 'pending')
        .where('created_at', '<', sql<string>`now() - make_interval(days => ${DELIVERY_RETENTION_DAYS})`)
        .limit(BATCH),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
