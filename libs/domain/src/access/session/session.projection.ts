import { sql } from 'kysely';
import { column } from '#query/column.js';
import { timestampField } from '#query/expressions.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID, numericIdOrNull } from '../../kernel/item-id.js';
import { SESSION_CREDENTIALS } from './session.rules.js';

/** The read side of sessions: those of the user in the path, else the caller's own. No id can be read. */
export const sessionProjection = projection({
  name: 'Session',
  source: ({ user, within, organization }) => [
    {
      table: sql.table('user_session'),
      where:
        within === ''
          ? sql`item.user_id = ${user} AND item.expires_at > now()`
          : sql`item.user_id = ${numericIdOrNull(within)}::bigint AND item.expires_at > now() AND EXISTS (
              SELECT 1 FROM user_account u WHERE u.id = item.user_id AND u.organization_id = ${organization})`,
    },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: column(schema.integer({ example: 12 }), { filter: 'Its id.', sortable: true }),
    created: timestampField(sql`item.created_at`, 'When the person signed in.'),
    last_used: timestampField(sql`item.last_used_at`, 'When it was last used, to the minute.'),
    expires: timestampField(sql`item.expires_at`, 'When it ends, unless it is used before.'),
    address: column(schema.string({ description: 'The address at the sign-in.', example: '203.0.113.7' })),
    user_agent: column(
      schema.string({
        description: 'The `User-Agent` at the sign-in.',
        example: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      }),
    ),
    credential: column(
      schema.string({
        enum: SESSION_CREDENTIALS,
        description: 'How the person has signed in.',
        example: 'password',
      }),
    ),
    current: {
      sql: ({ session }) => sql`(item.id = ${session}::bigint)`,
      schema: schema.boolean({ description: 'Whether it is the session of this request.' }),
    },
  },
  orderings: {
    created: [sql`item.created_at`],
    last_used: [sql`item.last_used_at`],
    expires: [sql`item.expires_at`],
  },
  defaultOrdering: 'id',
  search: { text: sql`item.user_agent || E'\\n' || item.address`, fields: ['user_agent', 'address'] },
});
