import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { Forbidden } from '../../kernel/domain-errors.js';
import type { ProjectGrant } from '../../access/events/access.events.js';
import { hasScope } from '../../kernel/token-scopes.js';
import { visibleBusinessUnit } from './business-unit-visibility.js';
import type { ProjectRole } from '../../kernel/permissions.js';
import { capabilitiesOf } from './project-roles.js';
import {
  scopeOfActor,
  ownMembership,
  type ProjectScope,
  rolesInProject,
  visibleProject,
} from './project-visibility.js';

/** The roles of the memberships `m` that meet a condition. */
const rolesOfMembers = (condition: Sql): Sql => sql`
  SELECT m.project_id, NULL::bigint AS business_unit_id, m.role FROM project_member m WHERE ${condition}
  UNION ALL
  SELECT NULL, m.business_unit_id, m.project_role FROM business_unit_member m WHERE ${condition}`;

/** The project roles and visible business units that members of a group have through it. */
const rolesOfGroup = (groupId: number): Sql => rolesOfMembers(sql`m.group_id = ${groupId}`);

/** The project roles and visible business units of a user: as a member, through groups, and as a project's creator. */
const rolesOfUser = (userId: number): Sql => sql`
  ${rolesOfMembers(ownMembership(userId))}
  UNION ALL
  SELECT p.id, NULL, 'PR1' FROM project p WHERE p.creator_id = ${userId}`;

/** These roles in each new project of a business unit. A unit that does not exist yet has the id 0. */
export const rolesInUnit = (businessUnitId: number, roles: readonly ProjectRole[]): Sql => sql`
  SELECT NULL::bigint AS project_id, ${businessUnitId}::bigint AS business_unit_id,
    unnest(${[...new Set(roles)]}::text[]) AS role`;

/** The reader role for everyone, in current projects of a business unit or application and in the unit's new ones. */
export const readerRolesForEveryone = (
  businessUnitId: number,
  { applicationId }: { readonly applicationId?: number } = {},
): Sql => sql`
  ${rolesInUnit(businessUnitId, ['PR5'])}
  UNION ALL
  SELECT p.id, NULL, 'PR5' FROM project p JOIN application a ON a.id = p.application_id
  WHERE ${applicationId === undefined ? sql`a.business_unit_id = ${businessUnitId}` : sql`a.id = ${applicationId}`}`;

/** The roles that the caller gets in each new project of a business unit. */
const rolesInNewProjects = (unit: Sql, scope: ProjectScope): Sql => sql`ARRAY(
  SELECT m.project_role FROM business_unit_member m
    WHERE m.business_unit_id = ${unit} AND m.project_role IS NOT NULL AND ${ownMembership(scope.user)}
  UNION SELECT 'PR5' WHERE ${scope.may('view_all_projects')}
  UNION SELECT 'PR5' FROM business_unit b WHERE b.id = ${unit} AND b.all_users)`;

/** Whether the actor's roles include every capability of another role. */
const covers = (actorRoles: readonly ProjectRole[], role: ProjectRole): boolean => {
  const allowed = capabilitiesOf(actorRoles, false);
  return actorRoles.length > 0 && capabilitiesOf([role], false).every((capability) => allowed.includes(capability));
};

/**
 * Prevents privilege escalation: actors can only grant, revoke or manage access that they have themselves. Call this
 * before every change of a membership, group, default or visibility. Super-users may do everything. Throws `Forbidden`
 * with a message that begins with `what` and names no project, since the actor may not see it.
 *
 * @param roles rows of `project_id`, `business_unit_id` and `role`. With a project: the role in it. With a business
 * unit: the role in each new project of the unit, or visibility of the unit if the role is null.
 */
export async function assertHoldsRoles(em: EntityManager, actor: Actor, roles: Sql, what: string): Promise<void> {
  const scope = scopeOfActor(actor);
  if (scope.may('edit_all_projects')) return;
  const { rows } = await sql<{ role: ProjectRole | null; actor_roles: ProjectRole[] }>`
    SELECT DISTINCT granted.role, actor.roles AS actor_roles
    FROM (${roles}) granted
    LEFT JOIN business_unit unit ON unit.id = granted.business_unit_id
    CROSS JOIN LATERAL (SELECT CASE WHEN granted.project_id IS NULL
      THEN ${rolesInNewProjects(sql`granted.business_unit_id`, scope)}
      ELSE coalesce((SELECT ${rolesInProject('p', scope)} FROM project p
        WHERE p.id = granted.project_id AND ${visibleProject('p', scope)}), '{}') END AS roles) actor
    WHERE granted.role IS NOT NULL OR NOT ${visibleBusinessUnit('unit', scope)}`.execute(em.getKysely());
  const mayGrant = hasScope(scope, 'projects:write');
  if (rows.some(({ role, actor_roles: actorRoles }) => !mayGrant || role === null || !covers(actorRoles, role)))
    throw new Forbidden(`${what} gives access to projects or business units that you do not have yourself.`);
}

/** Applies the same check to all project access of a group or user. Throws `Forbidden`. */
export const assertHoldsProjectAccess = (
  em: EntityManager,
  actor: Actor,
  { holder, id, what }: ProjectGrant,
): Promise<void> => assertHoldsRoles(em, actor, holder === 'group' ? rolesOfGroup(id) : rolesOfUser(id), what);
