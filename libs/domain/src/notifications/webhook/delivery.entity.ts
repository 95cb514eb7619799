import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, timestamp } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';
import { deliveryMachine } from './delivery.machine.js';

/** The one delivery queue that a webhook’s deliveries go through, in sequence. */
export const WebhookQueue = defineEntity({
  name: 'WebhookQueue',
  tableName: 'webhook_delivery_queue',
  ...rowsOf({ webhook_id: 'webhook' }),
  properties: {
    webhookId: references('webhook', { onDelete: 'cascade' }).primary(),
    /** When the relay may queue it again, and when the next message may be sent. */
    dueAt: timestamp().defaultRaw('clock_timestamp()'),
    nextSendAt: timestamp().defaultRaw('clock_timestamp()'),
    /** Who works on it and until when. The fence counts every attempt: a worker that wakes up late holds an old one. */
    leaseOwner: p.text().nullable(),
    leaseUntil: timestamp().nullable(),
    fence: p.integer().default(0),
    /** Since when nothing has got through; null where the last message did. */
    failingSince: timestamp().nullable(),
  },
});

/** A message of a webhook: docs/webhooks.md. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  ...rowsOf({ webhook_id: 'webhook' }),
  properties: {
    id: key(),
    webhookId: references('webhook', { onDelete: 'cascade' }),
    activityId: p.bigint('number'),
    eventSource: p.text(),
    /** Tells the receiver which tries are the same message. */
    messageId: p.text().columnType('uuid').defaultRaw('gen_random_uuid()'),
    status: p.enum(deliveryMachine.states).default(deliveryMachine.definition.initial),
    attempts: p.integer().default(0),
    /** Tries that failed, since the first or since it was asked for again: the place in the schedule. */
    failures: p.integer().default(0),
    /** Outside of the order: it has failed too often, or was asked for again. */
    aside: p.boolean().default(false),
    dueAt: timestamp().defaultRaw('clock_timestamp()'),
    /** Transactions that may still bring an earlier activity are below this. */
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
