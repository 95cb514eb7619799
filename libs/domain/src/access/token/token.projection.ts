import { sql } from 'kysely';
import { nullableTimestampField, timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';

/** The read side of tokens: users see their own. Neither text nor hash can be read. */
export const tokenProjection = projection({
  name: 'Token',
  source: ({ user }) => [{ table: sql.table('api_token'), where: sql`item.user_id = ${user}` }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: { sql: sql`item.id`, schema: schema.integer({ example: 3 }) },
    name: { sql: sql`item.name`, schema: schema.string({ example: 'CI pipeline' }) },
    prefix: {
      sql: sql`item.prefix`,
      schema: schema.nullable(
        schema.string({
          description: 'The first characters of the token; null if it was not generated here.',
          example: 'mrl_k3v7q2ab',
        }),
      ),
    },
    created: timestampField(sql`item.created_at`, 'When it was created.'),
    expires: nullableTimestampField(sql`item.expires_at`, 'When it expires; null: never.'),
    last_used: nullableTimestampField(sql`item.last_used_at`, 'When it was last used, to the minute.'),
  },
  filters: {
    id: filters.integer(sql`item.id`, 'Its id.'),
    name: filters.text(sql`item.name`, 'Its name.'),
  },
  orderings: {
    id: [sql`item.id`],
    name: [sql`lower(item.name)`],
    created: [sql`item.created_at`],
    expires: [sql`item.expires_at`],
    last_used: [sql`item.last_used_at`],
  },
  defaultOrdering: 'id',
  search: { text: sql`item.name`, fields: ['name'] },
});
