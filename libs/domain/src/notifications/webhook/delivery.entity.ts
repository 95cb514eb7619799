import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, timestamp } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';
import { deliveryMachine } from './delivery.machine.js';

/** The delivery queue of a webhook: its deliveries are sent in sequence. */
export const WebhookQueue = defineEntity({
  name: 'WebhookQueue',
  tableName: 'webhook_delivery_queue',
  ...rowsOf({ webhook_id: 'webhook' }),
  properties: {
    webhookId: references('webhook', { onDelete: 'cascade' }).primary(),
    /** When the relay may enqueue it again, and when the next message may be sent. */
    dueAt: timestamp().defaultRaw('clock_timestamp()'),
    nextSendAt: timestamp().defaultRaw('clock_timestamp()'),
    /** The lease on the queue. Each lease increments the fence, so that an expired one is recognized. */
    leaseOwner: p.text().nullable(),
    leaseUntil: timestamp().nullable(),
    fence: p.integer().default(0),
    /** The time of the first failure since the last delivered message; null if the last message was delivered. */
    failingSince: timestamp().nullable(),
  },
});

/** A message of a webhook: docs/integrate/webhooks.md. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  ...rowsOf({ webhook_id: 'webhook' }),
  properties: {
    id: key(),
    webhookId: references('webhook', { onDelete: 'cascade' }),
    activityId: p.bigint('number'),
    eventSource: p.text(),
    /** Lets the receiver recognize repeated attempts of the same message. */
    messageId: p.text().columnType('uuid').defaultRaw('gen_random_uuid()'),
    status: p.enum(deliveryMachine.states).default(deliveryMachine.definition.initial),
    attempts: p.integer().default(0),
    /** Failed attempts since the first or since it was redelivered: the position in the retry schedule. */
    failures: p.integer().default(0),
    /** Sent outside of the order, because it has failed too often or was redelivered. */
    aside: p.boolean().default(false),
    dueAt: timestamp().defaultRaw('clock_timestamp()'),
    /** Transactions below this id may still insert an earlier activity. */
    horizon: p
      .text()
      .columnType('xid8')
      .defaultRaw(`greatest(
      pg_snapshot_xmax(pg_current_snapshot()), (pg_current_xact_id()::text::bigint + 1)::text::xid8)`)
      .lazy(),
    responseStatus: p.integer().nullable(),
    error: p.text().nullable(),
    createdAt: createdAt(),
    deliveredAt: timestamp().nullable(),
  },
  uniques: [{ properties: ['webhookId', 'activityId'] }],
  indexes: [
    { name: 'webhook_delivery_aside', properties: ['webhookId', 'dueAt'], where: "status = 'pending' AND aside" },
    {
      name: 'webhook_delivery_line',
      properties: ['webhookId', 'activityId'],
      where: "status = 'pending' AND NOT aside",
    },
    { name: 'webhook_delivery_list', properties: ['webhookId', 'id'] },
    { name: 'webhook_delivery_old', properties: ['createdAt'], where: "status <> 'pending'" },
  ],
});
