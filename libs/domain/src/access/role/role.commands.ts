import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { nextNumber } from '../../kernel/items/id-counter.js';
import { customId } from '../../kernel/item-id.js';
import { equalsIgnoringCase, tables } from '../../kernel/tables.js';
import { countNoun, Forbidden, Invalid, NotFound } from '../../kernel/domain-errors.js';
import { assertAuthority, lockAccess } from './authority.js';
import { findRole } from './find-role.js';
import { Role } from './role.entity.js';
import { cleanPermissions, FIXED_ROLE } from './role.rules.js';
import type { RoleInput } from './role.fields.js';

/** Throws `Invalid` if another role that the organization sees has the name, ignoring case. */
async function assertNameIsFree(em: EntityManager, actor: Actor, name: string, roleId = 0): Promise<void> {
  const other = await tables(em, Role)
    .selectFrom('global_role')
    .select('id')
    .where(equalsIgnoringCase('global_role.name', name))
    .where('id', '<>', roleId)
    .where((row) => row.or([row('organization_id', 'is', null), row('organization_id', '=', actor.organizationId)]))
    .limit(1)
    .executeTakeFirst();
  if (other) throw new Invalid({ name: ['A role with this name already exists.'] });
}

/**
 * Creates a custom role; returns its public id. Throws `Invalid`, and `Forbidden` for permissions that the actor lacks.
 */
export async function createRole(em: EntityManager, actor: Actor, input: RoleInput): Promise<string> {
  await lockAccess(em, actor);
  const permissions = cleanPermissions(input.permissions ?? []);
  assertAuthority(actor, permissions, 'This role');
  await assertNameIsFree(em, actor, input.name);
  const number = await nextNumber(em, actor, 'global_role');
  const { organizationId } = actor;
  em.create(Role, { organizationId, number, name: input.name, description: input.description ?? '', permissions });
  await em.flush();
  const id = customId('global_role', number);
  await recordActivity(em, actor, { subject: 'role', verb: 'Created', id, title: input.name });
  return id;
}

/** Finds a custom role to change or delete. Throws `NotFound`, and `Forbidden` for a built-in one. */
async function customRole(em: EntityManager, actor: Actor, id: string): Promise<Role> {
  const role = await findRole(em, actor, id);
  if (!role) throw new NotFound();
  if (role.organizationId === null) throw new Forbidden(FIXED_ROLE);
  return role;
}

/** Changes a custom role. Throws `NotFound`, `Invalid`, and `Forbidden` for permissions that the actor lacks. */
export async function updateRole(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<RoleInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  await lockAccess(em, actor);
  const role = await customRole(em, actor, id);
  const { permissions: newPermissions, ...plain } = changes;
  const permissions = newPermissions && cleanPermissions(newPermissions);
  if (permissions && permissions.join() !== role.permissions.join())
    assertAuthority(actor, new Set([...role.permissions, ...permissions]), `The role "${role.name}"`);
  if (changes.name !== undefined) await assertNameIsFree(em, actor, changes.name, role.id);
  em.assign(role, { ...plain, ...(permissions && { permissions }) });
  await em.flush();
  await recordActivity(em, actor, { subject: 'role', verb: 'Updated', id, title: role.name });
}

/** Throws `Invalid` if users, groups or identity providers have the role. */
async function assertUnused(em: EntityManager, role: Role): Promise<void> {
  const { rows } = await sql<Record<'user' | 'group' | 'identity provider', number>>`
    SELECT (SELECT count(*)::int FROM user_account WHERE role_id = ${role.id}) AS user,
      (SELECT count(*)::int FROM user_group WHERE role_id = ${role.id}) AS group,
      (SELECT count(*)::int FROM identity_provider WHERE default_role_id = ${role.id}) AS "identity provider"`.execute(
    em.getKysely(),
  );
  const holders = Object.entries(rows[0] ?? {}).flatMap(([noun, count]) => (count ? [countNoun(count, noun)] : []));
  if (!holders.length) return;
  throw new Invalid({
    non_field_errors: [`This role is in use by ${holders.join(' and ')}. Assign them another one first.`],
  });
}

/** Deletes an unused custom role. Throws `NotFound`, `Forbidden`, and `Invalid` if it is in use. */
export async function removeRole(em: EntityManager, actor: Actor, id: string): Promise<void> {
  await lockAccess(em, actor);
  const role = await customRole(em, actor, id);
  assertAuthority(actor, role.permissions, `The role "${role.name}"`);
  await assertUnused(em, role);
  const title = role.name;
  await em.remove(role).flush();
  await recordActivity(em, actor, { subject: 'role', verb: 'Deleted', id, title });
}
