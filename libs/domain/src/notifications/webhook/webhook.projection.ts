import { sql } from 'kysely';
import { column } from '#query/column.js';
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
    id: column(schema.integer({ example: 3 }), { sortable: true }),
    name: column(schema.string({ example: 'Security channel' })),
    url: {
      sql: sql`item.sealed_url`,
      sealed: WEBHOOK_URL_PURPOSE,
      schema: schema.string({
        description: 'The URL that it posts to, which is a secret. Empty if its encryption key is no longer available.',
        example: 'https://hooks.slack.com/services/T000/B000/XXXX',
      }),
    },
    description: column(schema.string({ example: 'New projects' })),
    integration_type: {
      sql: sql`${INTEGRATION_TYPE}::text`,
      schema: schema.string({ enum: [INTEGRATION_TYPE], description: 'Always `slack`; see `format`.' }),
    },
    format: column(
      schema.string({ enum: WEBHOOK_FORMATS, description: 'How messages are written.', example: 'slack' }),
    ),
    active: column(schema.boolean({ description: 'Whether it is active.' })),
    created: utcTimestampField(sql`item.created_at`, 'When it was created.'),
    updated: utcTimestampField(sql`item.updated_at`, 'When it was last changed.'),
  },
  orderings: {},
  defaultOrdering: 'id',
  paging: { defaultSize: 20, maximumSize: 100 },
});
