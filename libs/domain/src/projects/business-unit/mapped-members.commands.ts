import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { recordActivity } from '../../activity/activity.js';
import type { MappedRoles } from '../../access/identity-provider/mapped-roles.events.js';
import { User } from '../../access/user/user.entity.js';
import { type Actor, fullName } from '../../kernel/actor.js';
import { userItemId } from '../../kernel/item-id.js';
import type { ProjectRole } from '../../kernel/permissions.js';
import { clockTime, oneOf, tables } from '../../kernel/tables.js';
import { BusinessUnit } from '../hierarchy/business-unit.entity.js';
import { findLocatedProjects } from '../hierarchy/located-projects.js';
import { BusinessUnitMember, ProjectMember } from '../project-access/member.entity.js';
import { Project } from '../hierarchy/project.entity.js';
import { memberActivity } from '../project/project-members.commands.js';
import { unitActivity } from './business-unit.commands.js';

/** Which of these business units the actor's organization has. */
export async function existingUnits(em: EntityManager, actor: Actor, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tables(em, BusinessUnit)
    .selectFrom('business_unit')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', oneOf(ids))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** What a provider gives a user, as rows of `unit` and `role`. */
function wantedRoles(roles: MappedRoles['roles']): Sql {
  const byUnit = new Map<number, ProjectRole>();
  for (const { businessUnitId, role } of roles) if (!byUnit.has(businessUnitId)) byUnit.set(businessUnitId, role);
  return sql`unnest(${[...byUnit.keys()]}::bigint[], ${[...byUnit.values()]}::text[]) AS wanted(unit, role)`;
}

/** Replaces what a provider gives a user in the new projects of business units; returns the units that changed. */
async function replaceInUnits(em: EntityManager, actor: Actor, { providerId, member }: MappedRoles, wanted: Sql) {
  const { rows: removed } = await sql<{ id: number }>`
    DELETE FROM business_unit_member m
    WHERE m.user_id = ${member.id} AND m.identity_provider_id = ${providerId} AND NOT EXISTS (
      SELECT FROM ${wanted} WHERE wanted.unit = m.business_unit_id AND wanted.role = m.project_role)
    RETURNING m.business_unit_id AS id`.execute(em.getKysely());
  const { rows: added } = await sql<{ id: number }>`
    INSERT INTO business_unit_member (business_unit_id, user_id, project_role, identity_provider_id)
    SELECT b.id, ${member.id}, wanted.role, ${providerId}
    FROM ${wanted} JOIN business_unit b ON b.id = wanted.unit AND b.organization_id = ${actor.organizationId}
    ON CONFLICT DO NOTHING RETURNING business_unit_id AS id`.execute(em.getKysely());
  return tables(em, BusinessUnit)
    .updateTable('business_unit')
    .set({ updated_at: clockTime })
    .where('id', '=', oneOf([...removed, ...added].map(({ id }) => id)))
    .returning(['id', 'name'])
    .execute();
}

/** Replaces what a provider gives a user in the current projects of business units; returns ids of projects. */
async function replaceInProjects(em: EntityManager, actor: Actor, { providerId, member }: MappedRoles, wanted: Sql) {
  const { rows: removed } = await sql<{ id: number }>`
    DELETE FROM project_member m
    WHERE m.user_id = ${member.id} AND m.identity_provider_id = ${providerId} AND NOT EXISTS (
      SELECT FROM ${wanted} JOIN application a ON a.business_unit_id = wanted.unit
        JOIN project p ON p.application_id = a.id
      WHERE p.id = m.project_id AND wanted.role = m.role)
    RETURNING m.project_id AS id`.execute(em.getKysely());
  // The lock keeps projects that are being deleted from failing the sign-in.
  const { rows: added } = await sql<{ id: number }>`
    WITH project_now AS (
      SELECT p.id, wanted.role FROM ${wanted} JOIN application a ON a.business_unit_id = wanted.unit
        JOIN project p ON p.application_id = a.id AND p.organization_id = ${actor.organizationId}
      ORDER BY p.id FOR KEY SHARE OF p)
    INSERT INTO project_member (project_id, user_id, role, identity_provider_id)
    SELECT id, ${member.id}, role, ${providerId} FROM project_now
    ON CONFLICT DO NOTHING RETURNING project_id AS id`.execute(em.getKysely());
  const ids = { removed: removed.map(({ id }) => id), added: added.map(({ id }) => id) };
  await tables(em, Project, ProjectMember)
    .updateTable('project')
    .set({ updated_at: clockTime })
    .where('id', '=', oneOf([...ids.removed, ...ids.added]))
    .execute();
  return ids;
}

/**
 * Replaces the roles that a provider has given a user in current and new projects of business units. Roles that a
 * person has given stay as they are.
 */
export async function replaceMappedRoles(em: EntityManager, actor: Actor, mapped: MappedRoles): Promise<void> {
  const wanted = wantedRoles(mapped.roles);
  const units = await replaceInUnits(em, actor, mapped, wanted);
  const { removed, added } = await replaceInProjects(em, actor, mapped, wanted);
  const projects = await findLocatedProjects(em, [...new Set([...removed, ...added])]);
  const { id, name } = mapped.member;
  const who = { kind: 'user', itemId: userItemId(id), name } as const;
  const activities = [...projects.values()].map((project) => {
    if (!added.includes(project.id)) return memberActivity('removed', who, project);
    return memberActivity(removed.includes(project.id) ? 'changed' : 'added', who, project);
  });
  await recordActivity(em, actor, ...units.map((unit) => unitActivity('Updated', unit)), ...activities);
}

/** Ends all roles in projects that a provider has given. */
export async function removeMappedRoles(
  em: EntityManager,
  actor: Actor,
  { providerId }: Pick<MappedRoles, 'providerId'>,
): Promise<void> {
  const database = tables(em, User, BusinessUnitMember, ProjectMember);
  const members = await database
    .selectFrom('user_account as u')
    .select(['u.id', 'u.first_name', 'u.last_name'])
    .where('u.id', 'in', (query) =>
      query
        .selectFrom('business_unit_member')
        .select((row) => row.ref('user_id').$notNull().as('id'))
        .where('identity_provider_id', '=', providerId)
        .union(
          database
            .selectFrom('project_member')
            .select((row) => row.ref('user_id').$notNull().as('id'))
            .where('identity_provider_id', '=', providerId),
        ),
    )
    .orderBy('u.id')
    .execute();
  for (const { id, first_name: firstName, last_name: lastName } of members) {
    const member = { id, name: fullName(firstName, lastName) };
    await replaceMappedRoles(em, actor, { providerId, member, roles: [] });
  }
}
