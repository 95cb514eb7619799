import { sql } from 'kysely';
import { column } from '#query/column.js';
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
    id: column(schema.integer({ example: 5 }), { sortable: true }),
    webhook: { sql: sql`item.webhook_id`, schema: schema.integer({ description: 'The webhook.', example: 3 }) },
    event_source: column(
      schema.string({ description: 'The event that is delivered.', example: 'CreatedProjectActivity' }),
    ),
    active: column(schema.boolean({ description: 'Whether it is delivered.' })),
    created: utcTimestampField(sql`item.created_at`, 'When it was created.'),
    updated: utcTimestampField(sql`item.updated_at`, 'When it was last changed.'),
  },
  orderings: {},
  defaultOrdering: 'id',
  search: { text: sql`item.event_source`, fields: ['event_source'] },
});
