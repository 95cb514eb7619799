import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A place in a chat service that an organization's events are delivered to. */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number'),
    name: p.text(),
    /** The URL, sealed: who has it can write to the channel. */
    sealedUrl: p.text(),
    description: p.text(),
    active: p.boolean(),
    updatedAt: p.datetime().defaultRaw('statement_timestamp()').lazy(),
  },
});

export type Webhook = InferEntity<typeof Webhook>;

/** One event that a webhook delivers. */
export const WebhookConfig = defineEntity({
  name: 'WebhookConfig',
  tableName: 'webhook_config',
  properties: {
    id: p.bigint('number').primary(),
    webhookId: p.bigint('number'),
    eventSource: p.text(),
    active: p.boolean(),
    updatedAt: p.datetime().defaultRaw('statement_timestamp()').lazy(),
  },
});

export type WebhookConfig = InferEntity<typeof WebhookConfig>;
