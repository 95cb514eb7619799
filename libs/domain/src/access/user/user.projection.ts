import { sql } from 'kysely';
import { column } from '#query/column.js';
import { isoTime, jsonList } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { type Expression, type QueryContext, resolve, type Sql } from '#query/query-context.js';
import { type Field, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape, NUMERIC_ID } from '../../kernel/item-id.js';
import { roleId, roleObject, roleObjectSchema, maySeeEveryFieldOf } from '../role/role.projection.js';
import { identitiesByItemId } from '../../kernel/built-in.sql.js';

/** Only visible to callers who may see every field of the user; null for others, also in filters and orderings. */
const confidential =
  (value: Sql): Expression =>
  (context) =>
    sql`CASE WHEN ${maySeeEveryFieldOf(sql`item.id`, context)} THEN ${value} END`;

const lastLogin = confidential(sql`item.last_login_at`);
const dateJoined = confidential(sql`item.joined_at`);
const isSuperUser = confidential(sql`item.is_superuser`);

const HIDDEN = 'Null for other users without the permission `manage_users`.';

const confidentialTime = (value: Expression, description: string): Field => ({
  sql: (context) => isoTime(resolve(value, context)),
  schema: schema.nullable(schema.timestamp({ description: `${description} ${HIDDEN}` })),
});

const inGroup = (ids: readonly string[] | null, context: QueryContext): Sql =>
  sql`EXISTS (SELECT 1 FROM group_member m WHERE m.user_id = item.id AND ${maySeeEveryFieldOf(sql`item.id`, context)}
    ${ids === null ? sql`` : sql`AND m.group_id IN (${identitiesByItemId('user_group')(ids, context)})`})`;

/** The read side of users. Everyone in the organization sees them; some fields are confidential. */
export const userProjection = projection({
  name: 'User',
  source: ({ organization }) => [
    { table: sql.table('user_account'), where: sql`item.organization_id = ${organization}` },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: column(schema.integer({ example: 7 }), { filter: 'The id.', sortable: true }),
    email: column(schema.string({ example: 'ada@example.com' }), { filter: 'The e-mail.', sortable: true }),
    first_name: column(schema.string({ example: 'Ada' }), { filter: 'The first name.', sortable: true }),
    last_name: column(schema.string({ example: 'Lovelace' }), { filter: 'The last name.', sortable: true }),
    role: {
      sql: roleId(sql`item.role_id`),
      schema: schema.string({ description: 'The global role; an object with `expand=role`.', example: 'UR1' }),
    },
    is_active: column(schema.boolean({ description: 'Inactive users have no access.' }), {
      filter: 'Whether the user is active.',
    }),
    is_superuser: {
      sql: isSuperUser,
      schema: schema.nullable(schema.boolean({ description: `Has every permission. ${HIDDEN}` })),
    },
    is_service_account: column(schema.boolean({ description: 'A program: it has tokens, but cannot sign in.' }), {
      filter: 'Whether it is a program.',
    }),
    groups: {
      sql: confidential(
        jsonList(sql`SELECT g.item_id AS entry FROM group_member m JOIN user_group g ON g.id = m.group_id
          WHERE m.user_id = item.id ORDER BY g.number`),
      ),
      schema: schema.nullable(
        schema.list(schema.string({ example: 'G1' }), {
          description: `Ids of the groups that the user is in. ${HIDDEN}`,
        }),
      ),
    },
    last_login: confidentialTime(lastLogin, 'When the user last logged in with their password.'),
    date_joined: confidentialTime(dateJoined, 'When the user was created.'),
  },
  expands: { role: { role: { sql: roleObject(sql`item.role_id`), schema: roleObjectSchema } } },
  filters: {
    is_superuser: filters.boolean(isSuperUser, 'Whether the user is a super-user.'),
    role: filters.reference(
      sql`item.role_id`,
      'The global role.',
      identitiesByItemId('global_role'),
      idShape('global_role'),
    ),
    group: filters.related('Users in this group.', inGroup, { shape: idShape('user_group') }),
  },
  orderings: {
    last_login: [lastLogin],
    date_joined: [dateJoined],
  },
  defaultOrdering: 'id',
  search: {
    text: sql`item.email || E'\\n' || item.first_name || E'\\n' || item.last_name`,
    fields: ['email', 'first_name', 'last_name'],
  },
});
