import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { visible } from '../../library/customization/customization.sql.js';
import { visibleProjectId } from '../project-access/project-visibility.js';

/** The lists of a component that a project copies from the library. */
export const TAKEN_LISTS = ['tasks_implemented', 'tasks_introduced', 'implied_attributes'] as const;

/**
 * The components of projects: the columns of the version `v` that the organization sees, and the lists that the project
 * last took, with the prefix `taken_`.
 */
export const projectComponents = (organization: number): Sql => sql`(
  SELECT pc.project_id, pc.added_at, pc.taken_at,
    ${sql.join(TAKEN_LISTS.map((list) => sql`${sql.ref(`pc.${list}`)} AS ${sql.ref(`taken_${list}`)}`))}, v.*
  FROM project_component pc
  JOIN component_version v ON v.component_id = pc.component_id AND ${visible('component', 'v', organization)})`;

/** The components of the project in the path. */
export const componentsOfProject = (context: QueryContext) => ({
  table: projectComponents(context.organization),
  where: sql`item.project_id = ${visibleProjectId(context.within, context)}`,
});

/** Whether the library now has different lists, ignoring their order. */
export const hasChanged = (alias: string): Sql =>
  sql`(${sql.join(
    TAKEN_LISTS.map((list) => {
      const [original, current] = [sql.ref(`${alias}.taken_${list}`), sql.ref(`${alias}.${list}`)];
      return sql`NOT (${original} @> ${current} AND ${original} <@ ${current})`;
    }),
    sql` OR `,
  )})`;
