import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { visible } from '../../library/customization/customization.sql.js';
import { visibleProjectId } from '../project-access/project-visibility.js';

/** The lists of a component that a project holds as it last took them. */
export const TAKEN_LISTS = ['tasks_implemented', 'tasks_introduced', 'implied_attributes'] as const;

/**
 * The components of projects: the version `v` that the organization sees, and what the project `held` of it as it last
 * took it. Columns of the version bear their names, taken lists `taken_` in front.
 */
export const projectComponents = (organization: number): Sql => sql`(
  SELECT held.project_id, held.added_at, held.taken_at,
    ${sql.join(TAKEN_LISTS.map((list) => sql`${sql.ref(`held.${list}`)} AS ${sql.ref(`taken_${list}`)}`))}, v.*
  FROM project_component held
  JOIN component_version v ON v.component_id = held.component_id AND ${visible('component', 'v', organization)})`;

/** The components of the project that is read within. */
export const heldWithin = (reading: QueryContext) => ({
  table: projectComponents(reading.organization),
  where: sql`item.project_id = ${visibleProjectId(reading.within, reading)}`,
});

/** Whether the library gives something else for a row by now: the order of lists says nothing. */
export const hasChanged = (alias: string): Sql =>
  sql`(${sql.join(
    TAKEN_LISTS.map((list) => {
      const [taken, present] = [sql.ref(`${alias}.taken_${list}`), sql.ref(`${alias}.${list}`)];
      return sql`NOT (${taken} @> ${present} AND ${taken} <@ ${present})`;
    }),
    sql` OR `,
  )})`;
