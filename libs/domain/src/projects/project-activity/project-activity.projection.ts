import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { filteredRanges } from '../../activity/activity.filters.js';
import { activityStream, ofOrganization } from '../../activity/activity.projection.js';
import { userItemId } from '../../kernel/item-id.js';
import { isProjectMember, visibleProjectId } from '../project-access/project-visibility.js';

/** The activities of the project in the path. */
export const projectActivityProjection = activityStream('project activities', (context) =>
  filteredRanges(
    sql`${ofOrganization(context)} AND (item.data ->> 'project') = ${visibleProjectId(context.within, context)}::text`,
    context,
  ),
);

const ownProjects = (context: QueryContext): Sql =>
  sql`SELECT p.id::text FROM project p WHERE p.organization_id = ${context.organization}
    AND ${isProjectMember('p', context)}`;

/** Activities by the caller, about the caller, and in projects that the caller is a member of. */
export const ownActivityProjection = activityStream('own activities', (context) => {
  const where = ofOrganization(context);
  const [actorId, subjectUser] = [sql`item.actor_id`, sql`(item.data ->> 'user')`];
  const [me, myItemId] = [context.user, userItemId(context.user)];
  return [
    { where: sql`${where} AND ${actorId} = ${me}` },
    { where: sql`${where} AND ${subjectUser} = ${myItemId} AND ${actorId} IS DISTINCT FROM ${me}` },
    {
      where: sql`${where} AND ${actorId} IS DISTINCT FROM ${me} AND ${subjectUser} IS DISTINCT FROM ${myItemId}`,
      each: { operand: sql`(item.data ->> 'project')`, values: ownProjects(context) },
    },
  ];
});
