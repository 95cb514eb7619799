import { sql } from 'kysely';
import { jsonList, nullableTimestampField, timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { Reading, Sql } from '#query/reading.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../item-id.js';
import { identitiesByItemId } from '../overlay/overlay.sql.js';
import { roleId, roleObject, roleObjectSchema } from '../role/role.projection.js';

const inGroup = (ids: readonly string[] | null, reading: Reading): Sql =>
  sql`EXISTS (SELECT 1 FROM group_member m WHERE m.user_id = item.id
    ${ids === null ? sql`` : sql`AND m.group_id IN (${identitiesByItemId('user_group')(ids, reading)})`})`;

/** The read side of users. */
export const userProjection = projection({
  name: 'User',
  source: ({ organization }) => [
    { table: sql.table('user_account'), where: sql`item.organization_id = ${organization}` },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: { sql: sql`item.id`, schema: schema.integer({ example: 7 }) },
    email: { sql: sql`item.email`, schema: schema.string({ example: 'ada@example.com' }) },
    first_name: { sql: sql`item.first_name`, schema: schema.string({ example: 'Ada' }) },
    last_name: { sql: sql`item.last_name`, schema: schema.string({ example: 'Lovelace' }) },
    role: {
      sql: roleId(sql`item.role_id`),
      schema: schema.string({ description: 'The global role; an object with `expand=role`.', example: 'UR1' }),
    },
    is_active: { sql: sql`item.is_active`, schema: schema.boolean({ description: 'Inactive users can do nothing.' }) },
    is_superuser: { sql: sql`item.is_superuser`, schema: schema.boolean({ description: 'Has every permission.' }) },
    groups: {
      sql: jsonList(sql`SELECT g.item_id AS entry FROM group_member m JOIN user_group g ON g.id = m.group_id
        WHERE m.user_id = item.id ORDER BY g.number`),
      schema: schema.list(schema.string({ example: 'G1' }), { description: 'Ids of the groups that the user is in.' }),
    },
    last_login: nullableTimestampField(sql`item.last_login_at`, 'When the user last logged in with their password.'),
    date_joined: timestampField(sql`item.joined_at`, 'When the user was made.'),
  },
  expands: { role: { role: { sql: roleObject(sql`item.role_id`), schema: roleObjectSchema } } },
  filters: {
    id: filters.integer(sql`item.id`, 'The id.'),
    email: filters.text(sql`item.email`, 'The e-mail.'),
    first_name: filters.text(sql`item.first_name`, 'The first name.'),
    last_name: filters.text(sql`item.last_name`, 'The last name.'),
    is_active: filters.boolean(sql`item.is_active`, 'Whether the user is active.'),
    is_superuser: filters.boolean(sql`item.is_superuser`, 'Whether the user is a super-user.'),
    role: filters.reference(sql`item.role_id`, 'The global role.', identitiesByItemId('global_role')),
    group: filters.related('Users in this group.', inGroup),
  },
  orderings: {
    id: [sql`item.id`],
    email: [sql`lower(item.email)`],
    first_name: [sql`lower(item.first_name)`],
    last_name: [sql`lower(item.last_name)`],
    last_login: [sql`item.last_login_at`],
    date_joined: [sql`item.joined_at`],
  },
  defaultOrdering: 'id',
  search: {
    text: sql`item.email || E'\\n' || item.first_name || E'\\n' || item.last_name`,
    fields: ['email', 'first_name', 'last_name'],
  },
});
