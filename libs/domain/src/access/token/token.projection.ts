import { sql } from 'kysely';
import { column } from '#query/column.js';
import { nullableTimestampField, timestampField } from '#query/expressions.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID, numericIdOrNull } from '../../kernel/item-id.js';
import { TOKEN_SCOPES } from '../../kernel/token-scopes.js';

/** The read side of tokens: those of the user in the path, else the caller's own. Neither text nor hash can be read. */
export const tokenProjection = projection({
  name: 'Token',
  source: ({ user, within, organization }) => [
    {
      table: sql.table('api_token'),
      where:
        within === ''
          ? sql`item.user_id = ${user}`
          : sql`item.user_id = ${numericIdOrNull(within)}::bigint AND EXISTS (
              SELECT 1 FROM user_account u WHERE u.id = item.user_id AND u.organization_id = ${organization})`,
    },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: column(schema.integer({ example: 3 }), { filter: 'Its id.', sortable: true }),
    name: column(schema.string({ example: 'CI pipeline' }), { filter: 'Its name.', sortable: true }),
    prefix: column(
      schema.nullable(
        schema.string({
          description: 'The first characters of the token; null if it was not generated here.',
          example: 'mrl_k3v7q2ab',
        }),
      ),
    ),
    scopes: {
      sql: sql`to_json(item.scopes)`,
      schema: schema.list(schema.string({ enum: TOKEN_SCOPES }), {
        description: 'What it may be used for; `*` is everything.',
        example: ['projects:read', 'projects:write'],
      }),
    },
    projects: {
      sql: sql`to_json(item.project_ids)`,
      schema: schema.nullable(
        schema.list(schema.integer(), {
          description: 'The only projects that it gives access to; null: all.',
          example: [1],
        }),
      ),
    },
    created: timestampField(sql`item.created_at`, 'When it was created.'),
    expires: nullableTimestampField(sql`item.expires_at`, 'When it expires; null: never.'),
    last_used: nullableTimestampField(sql`item.last_used_at`, 'When it was last used, to the minute.'),
    last_used_address: column(
      schema.nullable(schema.string({ description: "The client's address at that time.", example: '203.0.113.7' })),
    ),
  },
  orderings: {
    created: [sql`item.created_at`],
    expires: [sql`item.expires_at`],
    last_used: [sql`item.last_used_at`],
  },
  defaultOrdering: 'id',
  search: { text: sql`item.name`, fields: ['name'] },
});
