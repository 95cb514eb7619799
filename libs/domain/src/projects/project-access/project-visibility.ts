import { type RawBuilder, sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';

/** Who looks at projects. A reading is one; `asViewer` makes one of an actor. */
export type ProjectScope = Pick<QueryContext, 'organization' | 'user' | 'may'>;

/** The actor as one who looks at projects: a command finds exactly those that reads show. */
export const scopeOfActor = ({ organizationId, id, isSuperUser, permissions }: Actor): ProjectScope => {
  const held: ReadonlySet<string> = permissions;
  return { organization: organizationId, user: id, may: (permission) => isSuperUser || held.has(permission) };
};

const seesAll = (viewer: ProjectScope): boolean => viewer.may('view_all_projects') || viewer.may('edit_all_projects');

/** Memberships `m` of projects or business units that a user has, by themselves or through a group. */
export const ownMembership = (user: number): Sql =>
  sql`(m.user_id = ${user} OR m.group_id IN (SELECT g.group_id FROM group_member g WHERE g.user_id = ${user}))`;

/**
 * Whether the viewer is a member, as a condition on an alias of `project`: without those who see it for other reasons.
 */
export const memberOfProject = (alias: string, viewer: ProjectScope): Sql =>
  sql`${sql.ref(`${alias}.id`)} IN (SELECT m.project_id FROM project_member m WHERE ${ownMembership(viewer.user)})`;

/**
 * Which projects a viewer sees, as a condition on an alias of `project`: of their organization, those that they made,
 * are a member of, or whose business unit is open to all users; and all of them with the permission for it. Every
 * statement that reads something of a project has it.
 */
export const visibleProject = (alias: string, viewer: ProjectScope): RawBuilder<boolean> => {
  const column = (name: string): Sql => sql.ref(`${alias}.${name}`);
  const { organization, user } = viewer;
  const own = sql<boolean>`${column('organization_id')} = ${organization}`;
  if (seesAll(viewer)) return own;
  return sql`(${own} AND (${column('creator_id')} = ${user} OR ${memberOfProject(alias, viewer)}
    OR ${column('application_id')} IN (SELECT a.id FROM application a JOIN business_unit b ON b.id = a.business_unit_id
      WHERE b.all_users AND b.organization_id = ${organization})))`;
};

/**
 * The internal id of the project with this public id, where the viewer sees it, as a subquery: what exists within it.
 */
export const visibleProjectId = (id: string, viewer: ProjectScope): Sql =>
  sql`(SELECT p.id FROM project p WHERE p.id = ${NUMERIC_ID.test(id) ? id : null}::bigint
    AND ${visibleProject('p', viewer)})`;

/**
 * The project roles that the viewer has in a project that they see, strongest first: who made it is a lead, and who
 * sees it for no other reason than that its unit is open is a reader.
 */
export const rolesInProject = (alias: string, viewer: ProjectScope): Sql =>
  viewer.may('edit_all_projects')
    ? sql`ARRAY['PR1']`
    : sql`ARRAY(SELECT DISTINCT roles.role FROM (
        SELECT m.role FROM project_member m WHERE m.project_id = ${sql.ref(`${alias}.id`)}
          AND ${ownMembership(viewer.user)}
        UNION ALL SELECT 'PR1' WHERE ${sql.ref(`${alias}.creator_id`)} = ${viewer.user}
        UNION ALL SELECT 'PR5') roles ORDER BY roles.role)`;
