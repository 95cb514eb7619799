import { sql } from 'kysely';
import { utcTimestampField } from '#query/expressions.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { INTEGRATION_TYPE, WEBHOOK_FORMATS, WEBHOOK_URL_PURPOSE } from './webhook.rules.js';

export const webhookProjection = projection({
  name: 'Webhook',
  source: ({ organization }) => [{ table: sql.table('webhook'), where: sql`item.organization_id = ${organization}` }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: { sql: sql`item.id`, schema: schema.integer({ example: 3 }) },
    name: { sql: sql`item.name`, schema: schema.string({ example: 'Security channel' }) },
    url: {
      sql: sql`item.sealed_url`,
      sealed: WEBHOOK_URL_PURPOSE,
      schema: schema.string({
        description: 'The URL that it posts to, which is a secret. Empty if its encryption key is no longer available.',
        example: 'https://hooks.slack.com/services/T000/B000/XXXX',
      }),
    },
    description: { sql: sql`item.description`, schema: schema.string({ example: 'New projects' }) },
    integration_type: {
      sql: sql`${INTEGRATION_TYPE}::text`,
      schema: schema.string({ enum: [INTEGRATION_TYPE], description: 'Always `slack`; see `format`.' }),
    },
    format: {
      sql: sql`item.format`,
      schema: schema.string({ enum: WEBHOOK_FORMATS, description: 'How messages are written.', example: 'slack' }),
    },
    active: { sql: sql`item.active`, schema: schema.boolean({ description: 'Whether it is active.' }) },
    created: utcTimestampField(sql`item.created_at`, 'When it was created.'),
    updated: utcTimestampField(sql`item.updated_at`, 'When it was last changed.'),
  },
  orderings: { id: [sql`item.id`] },
  defaultOrdering: 'id',
  paging: { defaultSize: 20, maximumSize: 100 },
});
