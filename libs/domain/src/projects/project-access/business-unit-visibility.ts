import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Permission } from '../../kernel/permissions.js';
import { ownMembership, type ProjectScope, visibleProject } from './project-visibility.js';

/** Each of these permissions makes all business units and applications visible. */
const SEES_ALL_PERMISSIONS: readonly Permission[] = [
  'add_application',
  'add_business_unit',
  'add_project',
  'delete_application',
  'edit_all_projects',
  'edit_application',
  'edit_business_unit',
  'view_all_projects',
];

/** Business units that are open to all users, or of which the caller is a member or default project member. */
const accessibleUnits = (scope: ProjectScope): Sql => sql`
  SELECT b.id FROM business_unit b WHERE b.organization_id = ${scope.organization} AND (b.all_users
    OR b.id IN (SELECT m.business_unit_id FROM business_unit_member m WHERE ${ownMembership(scope.user)}))`;

/**
 * A condition on an alias of `business_unit` or `application`: viewers without such a permission see what is in an
 * accessible unit or has a visible project, and tokens that are limited to projects see only the latter.
 */
const visibleUnitOrApplication = (
  alias: string,
  scope: ProjectScope,
  { unit, hasProject }: { readonly unit: Sql; readonly hasProject: Sql },
): RawBuilder<boolean> => {
  const own = sql<boolean>`${sql.ref(`${alias}.organization_id`)} = ${scope.organization}`;
  if (scope.projects !== undefined) return sql`(${own} AND ${hasProject})`;
  if (SEES_ALL_PERMISSIONS.some(scope.may)) return own;
  return sql`(${own} AND (${unit} IN (${accessibleUnits(scope)}) OR ${hasProject}))`;
};

/** Who sees a business unit, as a condition on an alias of `business_unit`: docs/integrate/api-projects.md. */
export const visibleBusinessUnit = (alias: string, scope: ProjectScope): Sql =>
  visibleUnitOrApplication(alias, scope, {
    unit: sql.ref(`${alias}.id`),
    hasProject: sql`${sql.ref(`${alias}.id`)} IN (SELECT a.business_unit_id
      FROM application a JOIN project p ON p.application_id = a.id WHERE ${visibleProject('p', scope)})`,
  });

/** Whether the caller can see an application, as a condition on an alias of `application`. */
export const visibleApplication = (alias: string, scope: ProjectScope): RawBuilder<boolean> =>
  visibleUnitOrApplication(alias, scope, {
    unit: sql.ref(`${alias}.business_unit_id`),
    hasProject: sql`${sql.ref(`${alias}.id`)} IN (
      SELECT p.application_id FROM project p WHERE ${visibleProject('p', scope)})`,
  });
