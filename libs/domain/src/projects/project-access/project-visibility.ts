import { type RawBuilder, sql } from 'kysely';
import { hasPermission, type QueryContext, type Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { numericIdOrNull } from '../../kernel/item-id.js';
import { hasScope } from '../../kernel/token-scopes.js';

/** The user for whom projects are looked up. Every query context is one; `scopeOfActor` derives one from an actor. */
export type ProjectScope = Pick<QueryContext, 'organization' | 'user' | 'may' | 'scopes' | 'projects'>;

/** The scope of an actor, so that commands find exactly the projects that reads show. */
export const scopeOfActor = (actor: Actor): ProjectScope => ({
  organization: actor.organizationId,
  user: actor.id,
  may: (permission) => hasPermission(actor, permission),
  scopes: actor.scopes,
  projects: actor.projects,
});

const seesAllProjects = (scope: ProjectScope): boolean =>
  scope.may('view_all_projects') || scope.may('edit_all_projects');

/** The memberships `m` of a user in projects or business units, direct or through a group. */
export const ownMembership = (user: number): Sql =>
  sql`(m.user_id = ${user} OR m.group_id IN (SELECT g.group_id FROM group_member g WHERE g.user_id = ${user}))`;

/** Whether the caller is a member of a project, as a condition on an alias of `project`. */
export const isProjectMember = (alias: string, scope: ProjectScope): Sql =>
  sql`${sql.ref(`${alias}.id`)} IN (SELECT m.project_id FROM project_member m WHERE ${ownMembership(scope.user)})`;

/**
 * Whether the caller can see a project, as a condition on an alias of `project`. They see projects of their
 * organization that they created, are a member of, or that belong to a business unit open to all users; with a
 * permission, all projects of the organization. A token may be limited to some of these. Every statement that reads
 * project data must include this condition.
 */
export const visibleProject = (alias: string, scope: ProjectScope): RawBuilder<boolean> => {
  const column = (name: string): Sql => sql.ref(`${alias}.${name}`);
  const { organization, user, projects } = scope;
  const ofOrganization = sql<boolean>`${column('organization_id')} = ${organization}`;
  const own =
    projects === undefined
      ? ofOrganization
      : sql<boolean>`(${ofOrganization} AND ${column('id')} = ANY(${projects}::bigint[]))`;
  if (seesAllProjects(scope)) return own;
  return sql`(${own} AND (${column('creator_id')} = ${user} OR ${isProjectMember(alias, scope)}
    OR ${column('application_id')} IN (SELECT a.id FROM application a JOIN business_unit b ON b.id = a.business_unit_id
      WHERE b.all_users AND b.organization_id = ${organization})))`;
};

/** The id of the project with this public id, as a subquery; null if the caller cannot see it. */
export const visibleProjectId = (id: string, scope: ProjectScope): Sql =>
  sql`(SELECT p.id FROM project p WHERE p.id = ${numericIdOrNull(id)}::bigint
    AND ${visibleProject('p', scope)})`;

/**
 * The scope's roles in a project that they can see, strongest first: its creator is a lead, others at least readers.
 * With a token that can't write projects, everyone is only a reader.
 */
export function rolesInProject(alias: string, scope: ProjectScope): Sql {
  if (!hasScope(scope, 'projects:write')) return sql`ARRAY['PR5']`;
  if (scope.may('edit_all_projects')) return sql`ARRAY['PR1']`;
  return sql`ARRAY(SELECT DISTINCT roles.role FROM (
        SELECT m.role FROM project_member m WHERE m.project_id = ${sql.ref(`${alias}.id`)}
          AND ${ownMembership(scope.user)}
        UNION ALL SELECT 'PR1' WHERE ${sql.ref(`${alias}.creator_id`)} = ${scope.user}
        UNION ALL SELECT 'PR5') roles ORDER BY roles.role)`;
}
