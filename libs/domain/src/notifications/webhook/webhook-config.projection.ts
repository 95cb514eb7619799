import { sql } from 'kysely';
import { utcTimestampField } from '#query/expressions.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { withinWebhook } from './within-webhook.sql.js';

export const webhookConfigProjection = projection({
  name: 'WebhookConfig',
  source: withinWebhook('webhook_config'),
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: { sql: sql`item.id`, schema: schema.integer({ example: 5 }) },
    webhook: { sql: sql`item.webhook_id`, schema: schema.integer({ description: 'The webhook.', example: 3 }) },
    event_source: {
      sql: sql`item.event_source`,
      schema: schema.string({ description: 'The event that is delivered.', example: 'CreatedProjectActivity' }),
    },
    active: { sql: sql`item.active`, schema: schema.boolean({ description: 'Whether it is delivered.' }) },
    created: utcTimestampField(sql`item.created_at`, 'When it was created.'),
    updated: utcTimestampField(sql`item.updated_at`, 'When it was last changed.'),
  },
  orderings: { id: [sql`item.id`] },
  defaultOrdering: 'id',
  search: { text: sql`item.event_source`, fields: ['event_source'] },
});
