import { raw } from '@mikro-orm/core';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { nextNumber } from '../../kernel/items/id-counter.js';
import { customId, idShape, numberOf } from '../../kernel/item-id.js';
import { projectAccessGranted, groupRemoved } from '../events/access.events.js';
import { type FieldErrors, Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { assertAuthority, lockAccess } from '../role/authority.js';
import { findRole } from '../role/find-role.js';
import { Role } from '../role/role.entity.js';
import { equalsIgnoringCase, tables } from '../../kernel/tables.js';
import { Group } from './group.entity.js';
import { raise } from '../../kernel/domain-events.js';
import { findMembers, type Member, replaceMembersOf } from './membership.js';
import type { GroupInput } from './group.fields.js';

interface References {
  readonly role?: Role | null;
  readonly members?: readonly Member[];
}

/**
 * Finds the role and users that the input names, and checks that its name is unused. Throws `Invalid` with all errors.
 */
async function resolveReferences(
  em: EntityManager,
  actor: Actor,
  input: Partial<GroupInput>,
  groupId = 0,
): Promise<References> {
  const errors: FieldErrors = {};
  if (input.name !== undefined) {
    const other = await tables(em, Group)
      .selectFrom('user_group')
      .select('id')
      .where('organization_id', '=', actor.organizationId)
      .where(equalsIgnoringCase('user_group.name', input.name))
      .where('id', '<>', groupId)
      .executeTakeFirst();
    if (other) errors.name = ['A group with this name already exists.'];
  }
  const role = typeof input.role === 'string' ? await findRole(em, actor, input.role) : input.role;
  if (typeof input.role === 'string' && !role) errors.role = missingMessages(input.role);
  const members = input.users && (await findMembers(em, actor, input.users));
  const memberIds = new Set(members?.map((member) => member.id));
  const unknown = (input.users ?? []).filter((id) => !memberIds.has(id));
  if (unknown.length) errors.users = [...new Set(unknown)].flatMap((id) => missingMessages(String(id)));
  if (Object.keys(errors).length) throw new Invalid(errors);
  return { ...(role !== undefined && { role }), ...(members && { members }) };
}

const assertRole = (actor: Actor, role: Role): void =>
  assertAuthority(actor, role.permissions, `The role "${role.name}"`);

/**
 * Creates a group; returns its public id. Throws `Invalid`, and `Forbidden` for a role with more permissions than the
 * actor.
 */
export async function createGroup(em: EntityManager, actor: Actor, input: GroupInput): Promise<string> {
  await lockAccess(em, actor);
  const { role, members } = await resolveReferences(em, actor, input);
  if (role) assertRole(actor, role);
  const number = await nextNumber(em, actor, 'user_group');
  const { organizationId } = actor;
  const roleId = role?.id ?? null;
  const group = em.create(Group, {
    organizationId,
    number,
    name: input.name,
    description: input.description ?? '',
    roleId,
  });
  await em.flush();
  const id = customId('user_group', number);
  await recordActivity(em, actor, { subject: 'group', verb: 'Created', id, title: input.name });
  if (members) await replaceMembersOf(em, actor, group.id, members);
  return id;
}

/** Finds and locks a group of the actor's organization. Throws `NotFound`. */
async function findGroup(em: EntityManager, actor: Actor, id: string): Promise<Group> {
  if (!idShape('user_group').test(id)) throw new NotFound();
  const where = { organizationId: actor.organizationId, number: numberOf(id) };
  const group = await em.findOne(Group, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!group) throw new NotFound();
  return group;
}

/** Throws `Forbidden` if the group's current role has more permissions than the actor. */
async function assertCurrentRole(em: EntityManager, actor: Actor, group: Group): Promise<void> {
  const role =
    group.roleId === null || group.roleId === undefined ? null : await em.findOne(Role, { id: group.roleId });
  if (role) assertRole(actor, role);
}

/** Changes a group. Throws `NotFound`, `Invalid`, and `Forbidden` for a role with more permissions than the actor. */
export async function updateGroup(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<GroupInput>,
): Promise<void> {
  await lockAccess(em, actor);
  const group = await findGroup(em, actor, id);
  if (!Object.keys(changes).length) return;
  const { role, members } = await resolveReferences(em, actor, changes, group.id);
  if (role !== undefined && (role?.id ?? null) !== group.roleId) {
    await assertCurrentRole(em, actor, group);
    if (role) assertRole(actor, role);
  }
  em.assign(group, {
    ...(changes.name !== undefined && { name: changes.name }),
    ...(changes.description !== undefined && { description: changes.description }),
    ...(role !== undefined && { roleId: role?.id ?? null }),
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  const { users: _users, ...others } = changes;
  // If only the users change, the activities are about who was added and removed.
  if (Object.keys(others).length)
    await recordActivity(em, actor, { subject: 'group', verb: 'Updated', id, title: group.name });
  if (members) await replaceMembersOf(em, actor, group.id, members);
}

/**
 * Deletes a group but not its users; activities record which projects and other items it was removed from. Throws
 * `NotFound`, and `Forbidden` for a group with more permissions than the actor.
 */
export async function removeGroup(em: EntityManager, actor: Actor, id: string): Promise<void> {
  await lockAccess(em, actor);
  const group = await findGroup(em, actor, id);
  await assertCurrentRole(em, actor, group);
  const title = group.name;
  await raise(em, actor, projectAccessGranted, { holder: 'group', id: group.id, what: `The group "${title}"` });
  await replaceMembersOf(em, actor, group.id, []);
  await raise(em, actor, groupRemoved, { id: group.id, itemId: id, name: title });
  await em.remove(group).flush();
  await recordActivity(em, actor, { subject: 'group', verb: 'Deleted', id, title });
}
