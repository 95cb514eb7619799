import { sql } from 'kysely';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';

/** What the caller's organization requires of new tokens. */
export const tokenPolicyProjection = projection({
  name: 'TokenPolicy',
  source: ({ organization }) => [{ table: sql.table('organization'), where: sql`item.id = ${organization}` }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    max_days: {
      sql: sql`item.token_max_days`,
      schema: schema.nullable(
        schema.integer({
          description: 'New tokens must expire within so many days. Null: they need not expire.',
          example: 90,
        }),
      ),
    },
    scopes_required: {
      sql: sql`item.token_scopes_required`,
      schema: schema.boolean({ description: 'Whether new tokens need scopes other than `*`.' }),
    },
  },
  filters: {},
  orderings: { id: [sql`item.id`] },
  defaultOrdering: 'id',
});
