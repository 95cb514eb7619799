import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { column } from '#query/column.js';
import { jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { identityOrder, builtInAndCustom } from '../../kernel/built-in.sql.js';
import { PERMISSIONS } from '../../kernel/permissions.js';

/** Whether the caller may see every field of this user: user managers, and the user themselves. */
export const maySeeEveryFieldOf = (userId: Sql, { may, user }: QueryContext): Sql =>
  may('manage_users') ? sql`true` : sql`${userId} = ${user}`;

const isCustom = sql`(item.organization_id IS NOT NULL)`;

/** The public id of a role; null without one. */
export const roleId = (id: Sql): Sql => sql`(SELECT r.item_id FROM global_role r WHERE r.id = ${id})`;

/** A role as `{id, name}`, for expands. */
export const roleObject = (id: Sql): Sql =>
  sql`(SELECT ${jsonObject({ id: sql`r.item_id`, name: sql`r.name` })} FROM global_role r WHERE r.id = ${id})`;

export const roleObjectSchema = schema.object({
  id: schema.string({ example: 'UR4' }),
  name: schema.string({ example: 'Administrator' }),
});

export const roleProjection = projection({
  name: 'GlobalRole',
  source: builtInAndCustom('global_role'),
  key: { shape: idShape('global_role'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'UR4' }) },
    name: column(schema.string({ example: 'Administrator' }), { filter: 'Its name.', sortable: true }),
    description: column(schema.string({ example: 'Has every permission.' })),
    permissions: {
      sql: sql`to_json(item.permissions)`,
      schema: schema.list(schema.string({ enum: PERMISSIONS }), { description: 'Short names, sorted.' }),
    },
    is_custom: { sql: isCustom, schema: schema.boolean({ description: 'Whether the organization created it.' }) },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('global_role')),
    is_custom: filters.boolean(isCustom, 'Whether the organization created it.'),
  },
  orderings: { id: identityOrder },
  defaultOrdering: 'id',
  search: { text: sql`item.name || E'\\n' || item.description`, fields: ['name', 'description'] },
});
