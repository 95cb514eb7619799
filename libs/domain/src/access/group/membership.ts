import type { EntityManager } from '@mikro-orm/postgresql';
import { type InferResult, sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { recordActivity } from '../../activity/activity.js';
import { type Actor, fullName } from '../../kernel/actor.js';
import { idShape, userItemId } from '../../kernel/item-id.js';
import { raise } from '../../kernel/domain-events.js';
import { clockTime, oneOf, tables } from '../../kernel/tables.js';
import { assertAuthority } from '../role/authority.js';
import { Role } from '../role/role.entity.js';
import { projectAccessGranted } from '../events/access.events.js';
import type { Permission } from '../../kernel/permissions.js';
import { Group, GroupMember } from './group.entity.js';

/** A group with the permissions that it gives its members. */
export type GroupRow = InferResult<ReturnType<typeof selectGroups>>[number];

/** The columns of a user that memberships need. */
export interface Member {
  readonly id: number;
  readonly name: string;
}

/** A user in a group. */
interface Membership {
  readonly group: GroupRow;
  readonly member: Member;
}

const selectGroups = (em: EntityManager) =>
  tables(em, Group, GroupMember, Role)
    .selectFrom('user_group as g')
    .leftJoin('global_role as r', 'r.id', 'g.role_id')
    .select(['g.id', 'g.item_id as itemId', 'g.name'])
    .select(({ fn }) => fn.coalesce('r.permissions', sql<Permission[]>`'{}'`).as('permissions'))
    .orderBy('g.number');

/** The groups of the memberships `m` that meet a condition. */
export const groupsWhere = (em: EntityManager, condition: Sql): Promise<GroupRow[]> =>
  selectGroups(em)
    .where('g.id', 'in', (query) =>
      query.selectFrom('group_member as m').select('m.group_id').where(condition.$castTo<boolean>()),
    )
    .execute();

/** The memberships of a user in these groups. */
export const membershipsOf = (member: Member, groups: readonly GroupRow[]): Membership[] =>
  groups.map((group) => ({ group, member }));

/** The memberships `m` that meet a condition. */
export async function membershipsWhere(em: EntityManager, condition: Sql): Promise<Membership[]> {
  const groups = await groupsWhere(em, condition);
  const memberships = await Promise.all(
    groups.map(async (group) => {
      const inGroup = sql`EXISTS (
        SELECT 1 FROM group_member m WHERE m.user_id = u.id AND m.group_id = ${group.id} AND ${condition})`;
      return (await membersWhere(em, inGroup)).map((member) => ({ group, member }));
    }),
  );
  return memberships.flat();
}

async function membersWhere(em: EntityManager, condition: Sql): Promise<Member[]> {
  const { rows } = await sql<{ id: number; first_name: string; last_name: string }>`
    SELECT u.id, u.first_name, u.last_name FROM user_account u WHERE ${condition} ORDER BY u.id`.execute(
    em.getKysely(),
  );
  return rows.map((row) => ({ id: row.id, name: fullName(row.first_name, row.last_name) }));
}

/** The groups of the actor's organization with these public ids; unknown ones are left out. */
export async function findGroups(em: EntityManager, actor: Actor, ids: readonly string[]): Promise<GroupRow[]> {
  const validIds = ids.filter((id) => idShape('user_group').test(id));
  if (!validIds.length) return [];
  return selectGroups(em)
    .where('g.organization_id', '=', actor.organizationId)
    .where('g.item_id', '=', oneOf(validIds))
    .execute();
}

/** The users of the actor's organization with these ids; unknown ones are left out. */
export async function findMembers(em: EntityManager, actor: Actor, ids: readonly number[]): Promise<Member[]> {
  if (!ids.length) return [];
  return membersWhere(em, sql`u.organization_id = ${actor.organizationId} AND u.id = ANY(${ids}::bigint[])`);
}

export const without = <T extends { readonly id: number }>(all: readonly T[], others: readonly T[]): T[] => {
  const ids = new Set(others.map((other) => other.id));
  return all.filter((one) => !ids.has(one.id));
};

/**
 * Replaces the groups of a user. The caller must hold the lock of `lockAccess`. Throws `Forbidden` for groups with more
 * permissions than the actor.
 */
export async function replaceGroupsOf(
  em: EntityManager,
  actor: Actor,
  member: Member,
  newGroups: readonly GroupRow[],
): Promise<void> {
  const currentGroups = await groupsWhere(em, sql`m.user_id = ${member.id}`);
  await changeMemberships(em, actor, {
    added: membershipsOf(member, without(newGroups, currentGroups)),
    removed: membershipsOf(member, without(currentGroups, newGroups)),
  });
}

/**
 * Replaces the users of a group. The caller must hold the lock of `lockAccess`. Throws `Forbidden` for a group with
 * more permissions than the actor.
 */
export async function replaceMembersOf(
  em: EntityManager,
  actor: Actor,
  groupId: number,
  newMembers: readonly Member[],
): Promise<void> {
  const group = await selectGroups(em).where('g.id', '=', groupId).executeTakeFirst();
  if (!group) throw new Error('The group no longer exists.');
  const currentMembers = await membersWhere(
    em,
    sql`u.id IN (SELECT m.user_id FROM group_member m WHERE m.group_id = ${groupId})`,
  );
  const memberships = (members: readonly Member[]): Membership[] => members.map((member) => ({ group, member }));
  await changeMemberships(em, actor, {
    added: memberships(without(newMembers, currentMembers)),
    removed: memberships(without(currentMembers, newMembers)),
  });
}

const columns = (memberships: readonly Membership[]): Sql =>
  sql`unnest(${memberships.map(({ group }) => group.id)}::bigint[],
    ${memberships.map(({ member }) => member.id)}::bigint[])`;

interface MembershipChanges {
  readonly added: readonly Membership[];
  readonly removed: readonly Membership[];
  /** The identity provider that gives the added ones; undefined if a person does. */
  readonly providerId?: number;
}

/** Adds and removes memberships. Throws `Forbidden` for groups with more permissions than the actor. */
export async function changeMemberships(
  em: EntityManager,
  actor: Actor,
  { added, removed, providerId }: MembershipChanges,
): Promise<void> {
  const all = [...added, ...removed];
  if (!all.length) return;
  const groups = new Map(all.map(({ group }) => [group.id, group]));
  for (const { id, name, permissions } of groups.values()) {
    const what = `The group "${name}"`;
    assertAuthority(actor, permissions, what);
    await raise(em, actor, projectAccessGranted, { holder: 'group', id, what });
  }
  await sql`INSERT INTO group_member (group_id, user_id, identity_provider_id)
    SELECT *, ${providerId ?? null}::bigint FROM ${columns(added)}`.execute(em.getKysely());
  await sql`
    DELETE FROM group_member m USING ${columns(removed)} AS gone (group_id, user_id)
    WHERE m.group_id = gone.group_id AND m.user_id = gone.user_id`.execute(em.getKysely());
  await tables(em, Group)
    .updateTable('user_group')
    .set({ updated_at: clockTime })
    .where('id', '=', oneOf([...groups.keys()]))
    .execute();
  const activityOf =
    (verb: 'AddedUserTo' | 'RemovedUserFrom') =>
    ({ group, member }: Membership) => ({
      subject: 'group_member' as const,
      verb,
      id: group.itemId,
      title: group.name,
      also: { user: { id: userItemId(member.id), description: member.name } },
    });
  await recordActivity(
    em,
    actor,
    ...added.map(activityOf('AddedUserTo')),
    ...removed.map(activityOf('RemovedUserFrom')),
  );
}
