import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { filteredRanges } from '../../activity/activity.filters.js';
import { activityStream, ofOrganization } from '../../activity/activity.projection.js';
import { userItemId } from '../../kernel/item-id.js';
import { memberOfProject, visibleProjectId } from '../project-access/project-visibility.js';

/** What happened to the project that is read within, and in it. */
export const projectActivityProjection = activityStream('project activities', (reading) =>
  filteredRanges(
    sql`${ofOrganization(reading)} AND (item.data ->> 'project') = ${visibleProjectId(reading.within, reading)}::text`,
    reading,
  ),
);

const ownProjects = (reading: QueryContext): Sql =>
  sql`SELECT p.id::text FROM project p WHERE p.organization_id = ${reading.organization}
    AND ${memberOfProject('p', reading)}`;

/** What the caller did, what was done to the caller, and what happened in projects that the caller is a member of. */
export const ownActivityProjection = activityStream('own activities', (reading) => {
  const where = ofOrganization(reading);
  const [mine, aboutMe] = [sql`item.actor_id`, sql`(item.data ->> 'user')`];
  const [me, name] = [reading.user, userItemId(reading.user)];
  return [
    { where: sql`${where} AND ${mine} = ${me}` },
    { where: sql`${where} AND ${aboutMe} = ${name} AND ${mine} IS DISTINCT FROM ${me}` },
    {
      where: sql`${where} AND ${mine} IS DISTINCT FROM ${me} AND ${aboutMe} IS DISTINCT FROM ${name}`,
      each: { operand: sql`(item.data ->> 'project')`, values: ownProjects(reading) },
    },
  ];
});
