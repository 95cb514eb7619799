import type { EntityManager } from '@mikro-orm/postgresql';
import { type NotNull, sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { tables } from '../../kernel/tables.js';
import { Group } from '../../access/group/group.entity.js';
import { User } from '../../access/user/user.entity.js';
import { Profile } from '../../library/profile/profile.entity.js';
import { BusinessUnitMember } from '../project-access/member.entity.js';
import type { Member } from './project-members.js';
import { userItemId } from '../../kernel/item-id.js';

/** The default profile of a new project: that of the organization, or else the built-in one. */
export async function defaultProfile(em: EntityManager, actor: Actor): Promise<number | null> {
  const profile = await tables(em, Profile)
    .selectFrom('profile')
    .select('id')
    .where('is_default', '=', true)
    .where((row) => row.or([row('organization_id', '=', actor.organizationId), row('organization_id', 'is', null)]))
    .orderBy((row) => row('organization_id', 'is', null))
    .limit(1)
    .executeTakeFirst();
  return profile?.id ?? null;
}

/** The members that are added to each new project of a business unit. */
export async function defaultMembers(em: EntityManager, businessUnitId: number): Promise<Member[]> {
  const rows = await tables(em, BusinessUnitMember, User, Group)
    .selectFrom('business_unit_member as m')
    .leftJoin('user_account as u', 'u.id', 'm.user_id')
    .leftJoin('user_group as g', 'g.id', 'm.group_id')
    .select(['m.project_role as role', 'm.identity_provider_id as providerId', 'g.item_id'])
    .select(sql<Member['kind']>`CASE WHEN m.user_id IS NULL THEN 'group' ELSE 'user' END`.as('kind'))
    .select(sql<number>`coalesce(m.user_id, m.group_id)`.as('id'))
    .select(sql<string>`coalesce(g.name, btrim(u.first_name || ' ' || u.last_name))`.as('name'))
    .where('m.business_unit_id', '=', businessUnitId)
    .where('m.project_role', 'is not', null)
    .$narrowType<{ role: NotNull }>()
    .orderBy('kind')
    .orderBy('id')
    .execute();
  return rows.map(({ item_id: itemId, ...member }) => ({ ...member, itemId: itemId ?? userItemId(member.id) }));
}
