import { sql } from 'kysely';
import { column } from '#query/column.js';
import { timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { roleId, roleObject, roleObjectSchema, maySeeEveryFieldOf } from '../role/role.projection.js';
import { identitiesByItemId } from '../../kernel/built-in.sql.js';

const idOrder = [sql`item.number`];

/** Ids of a group's users, in order, limited to users whose groups the caller may see. */
const users = (context: QueryContext): Sql => sql`ARRAY(SELECT m.user_id FROM group_member m
  WHERE m.group_id = item.id AND ${maySeeEveryFieldOf(sql`m.user_id`, context)} ORDER BY m.user_id)`;

export const groupProjection = projection({
  name: 'Group',
  source: ({ organization }) => [
    { table: sql.table('user_group'), where: sql`item.organization_id = ${organization}` },
  ],
  key: { shape: idShape('user_group'), column: sql`item.item_id`, order: idOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'G1' }) },
    name: column(schema.string({ example: 'Security champions' }), { filter: 'Its name.', sortable: true }),
    description: column(schema.string({ example: 'One of every team.' })),
    role: {
      sql: roleId(sql`item.role_id`),
      schema: schema.nullable(
        schema.string({
          description: 'Global role that its users have in addition to their own; an object with `expand=role`.',
          example: 'UR2',
        }),
      ),
    },
    users: {
      sql: (context) => sql`to_json(${users(context)})`,
      schema: schema.list(schema.integer({ example: 7 }), {
        description: 'Ids of its users; without the permission `manage_users`, at most the caller.',
      }),
    },
    updated: timestampField(sql`item.updated_at`, 'When it or its users last changed.'),
  },
  // Null belongs to the first of the two schemas that the document has for this field.
  expands: { role: { role: { sql: roleObject(sql`item.role_id`), schema: roleObjectSchema } } },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('user_group')),
    role: filters.reference(
      sql`item.role_id`,
      'Its global role.',
      identitiesByItemId('global_role'),
      idShape('global_role'),
    ),
    user: filters.element(users, 'Groups that this user is in, by id.', { type: 'integer' }),
    updated: filters.timestamp(sql`item.updated_at`, 'When it was last changed.'),
  },
  orderings: { id: idOrder, updated: [sql`item.updated_at`] },
  defaultOrdering: 'id',
  search: { text: sql`item.name || E'\\n' || item.description`, fields: ['name', 'description'] },
});
