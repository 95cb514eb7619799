import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import type { Member } from './project-members.js';
import type { ProjectRole } from '../project-access/project-roles.js';
import { userItemId } from '../../kernel/item-id.js';

/** The profile of a new project for which none is named: the organization's default, else the one that ships. */
export async function defaultProfile(em: EntityManager, actor: Actor): Promise<number | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM profile
    WHERE is_default AND (organization_id = ${actor.organizationId} OR organization_id IS NULL)
    ORDER BY organization_id IS NULL LIMIT 1`.execute(em.getKysely());
  return rows[0] ? Number(rows[0].id) : null;
}

/** The members that a business unit gives each new project in it. */
export async function defaultMembers(em: EntityManager, businessUnitId: number): Promise<Member[]> {
  const { rows } = await sql<{
    kind: Member['kind'];
    id: string;
    item_id: string | null;
    name: string;
    role: ProjectRole;
  }>`
    SELECT CASE WHEN m.user_id IS NULL THEN 'group' ELSE 'user' END AS kind, coalesce(m.user_id, m.group_id) AS id,
      g.item_id, coalesce(g.name, btrim(u.first_name || ' ' || u.last_name)) AS name, m.project_role AS role
    FROM business_unit_member m
    LEFT JOIN user_account u ON u.id = m.user_id LEFT JOIN user_group g ON g.id = m.group_id
    WHERE m.business_unit_id = ${businessUnitId} AND m.project_role IS NOT NULL ORDER BY 1, 2`.execute(em.getKysely());
  return rows.map((row) => ({
    kind: row.kind,
    id: Number(row.id),
    itemId: row.item_id ?? userItemId(Number(row.id)),
    name: row.name,
    role: row.role,
  }));
}
