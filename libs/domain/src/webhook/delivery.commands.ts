import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { deliveryMachine } from './delivery.machine.js';

/** Cancels what a webhook has not delivered yet: all of it, or what comes of one event. */
export async function cancelDeliveries(em: EntityManager, webhookId: number, eventSource?: string): Promise<void> {
  const ofEvent = eventSource === undefined ? sql`true` : sql`item.event_source = ${eventSource}`;
  await deliveryMachine.tryMove(em, 'cancel', { where: sql`item.webhook_id = ${webhookId} AND ${ofEvent}` });
}
