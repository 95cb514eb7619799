import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, timestamp, updatedAt } from '../../kernel/schema/columns.js';
import { ownRows, rowsOf } from '../../kernel/schema/policies.js';
import { WEBHOOK_FORMATS } from './webhook.rules.js';

/** A channel of a chat service, or another service, that an organization's events are delivered to. */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    name: p.text(),
    /** The encrypted URL: anyone who knows it can write to the channel. */
    sealedUrl: p.text(),
    format: p.enum(WEBHOOK_FORMATS).default('slack'),
    /** The encrypted secret that signs messages, and the one before it, which signs as well until its time is over. */
    sealedSecret: p.text().nullable(),
    sealedPreviousSecret: p.text().nullable(),
    previousSecretUntil: timestamp().nullable(),
    description: p.text().default(''),
    active: p.boolean().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'webhook_list', properties: ['organizationId', 'id'] }],
});

export type Webhook = InferEntity<typeof Webhook>;

/** One event that a webhook delivers. */
export const WebhookConfig = defineEntity({
  name: 'WebhookConfig',
  tableName: 'webhook_config',
  ...rowsOf({ webhook_id: 'webhook' }),
  properties: {
    id: key(),
    webhookId: references('webhook', { onDelete: 'cascade' }),
    eventSource: p.text(),
    active: p.boolean().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ properties: ['webhookId', 'eventSource'] }],
});

export type WebhookConfig = InferEntity<typeof WebhookConfig>;
