import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { Sql } from '#query/query-context.js';
import type { Field } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { PROJECT_ROLES } from '../../kernel/permissions.js';

const roleSchema = schema.string({ enum: PROJECT_ROLES, description: 'Their role in the project.', example: 'PR4' });

const person = {
  id: schema.integer({ example: 7 }),
  email: schema.string(),
  first_name: schema.string(),
  last_name: schema.string(),
};
const group = { id: schema.string({ example: 'G1' }), name: schema.string({ example: 'Security champions' }) };

interface Membership {
  /** The table of memberships `m`, and the condition for the rows that belong to the item. */
  readonly table: string;
  readonly where: Sql;
  /** The column of the role; absent if members have no role. */
  readonly role?: string;
}

const roleOf = ({ role }: Membership): Record<string, Sql> =>
  role === undefined ? {} : { role: sql.ref(`m.${role}`) };

/** The users among the members, ordered by id. */
export const userMembers = (membership: Membership, description: string): Field => ({
  sql: jsonList(sql`SELECT ${jsonObject({
    id: sql`u.id`,
    email: sql`u.email`,
    first_name: sql`u.first_name`,
    last_name: sql`u.last_name`,
    ...roleOf(membership),
  })} AS entry FROM ${sql.table(membership.table)} m JOIN user_account u ON u.id = m.user_id
    WHERE ${membership.where} ORDER BY u.id`),
  schema: schema.list(schema.object({ ...person, ...(membership.role !== undefined && { role: roleSchema }) }), {
    description,
  }),
});

/** The groups among the members, ordered by id. */
export const groupMembers = (membership: Membership, description: string): Field => ({
  sql: jsonList(sql`SELECT ${jsonObject({ id: sql`g.item_id`, name: sql`g.name`, ...roleOf(membership) })} AS entry
    FROM ${sql.table(membership.table)} m JOIN user_group g ON g.id = m.group_id
    WHERE ${membership.where} ORDER BY g.number`),
  schema: schema.list(schema.object({ ...group, ...(membership.role !== undefined && { role: roleSchema }) }), {
    description,
  }),
});
