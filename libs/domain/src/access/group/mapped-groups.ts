import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import {
  changeMemberships,
  findGroups,
  groupsWhere,
  type Member,
  membershipsOf,
  membershipsWhere,
  without,
} from './membership.js';

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
  await changeMemberships(em, actor, {
    added: membershipsOf(member, without(wanted, all)),
    removed: membershipsOf(member, without(mapped, wanted)),
    providerId,
  });
}

/** Ends all memberships that a provider has given. The caller must hold the lock of `lockAccess`. */
export async function removeMappedGroups(em: EntityManager, actor: Actor, providerId: number): Promise<void> {
  const removed = await membershipsWhere(em, sql`m.identity_provider_id = ${providerId}`);
  await changeMemberships(em, actor, { added: [], removed });
}
