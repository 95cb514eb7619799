import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { changeMemberships, findGroups, groupsWhere, type Member, membershipsWhere } from './membership.js';
import { sql } from 'kysely';

/**
 * Replaces the memberships that a provider has given a user. Memberships that a person has given stay as they are, also
 * in the groups that the provider names. The caller must hold the lock of `lockAccess`.
 *
 * @param ids public ids of groups; unknown ones are left out
 */
export async function replaceMappedGroups(
  em: EntityManager,
  actor: Actor,
  member: Member,
  providerId: number,
  ids: readonly string[],
): Promise<void> {
  const ofUser = sql`m.user_id = ${member.id}`;
  const all = await groupsWhere(em, ofUser);
  const mapped = await groupsWhere(em, sql`${ofUser} AND m.identity_provider_id = ${providerId}`);
  const wanted = await findGroups(em, actor, ids);
  const without = <T extends { readonly id: number }>(some: readonly T[], others: readonly T[]): T[] =>
    some.filter(({ id }) => !others.some((other) => other.id === id));
  const ofMember = (groups: typeof all) => groups.map((group) => ({ group, member }));
  await changeMemberships(em, actor, {
    added: ofMember(without(wanted, all)),
    removed: ofMember(without(mapped, wanted)),
    providerId,
  });
}

/** Ends all memberships that a provider has given. The caller must hold the lock of `lockAccess`. */
export async function removeMappedGroups(em: EntityManager, actor: Actor, providerId: number): Promise<void> {
  const removed = await membershipsWhere(em, sql`m.identity_provider_id = ${providerId}`);
  await changeMemberships(em, actor, { added: [], removed });
}
