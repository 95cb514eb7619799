import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { LEVEL } from '../../library/countermeasure/countermeasure.rules.js';
import { visible } from '../../library/customization/customization.sql.js';
import { visibleProjectId } from '../project-access/project-visibility.js';
import { PROJECT_COUNTERMEASURE_ID } from './project-countermeasure.rules.js';

/**
 * The countermeasures of an organization's projects, with the current content of the library or, if they are
 * project-specific, their own. Restrict it to a project; the planner can inline it.
 */
export const projectCountermeasures = (organization: number): Sql => sql`(
  SELECT t.id, t.project_id, t.countermeasure_id, t.status_id, t.verification_status, t.relevant,
    t.relevant_via_survey, t.accepted,
    t.manually_added, t.artifact_proxy, t.became_relevant_at, t.status_updated_at, t.created_at, t.updated_at,
      t.updated_by,
    coalesce(v.item_id, 'PT' || t.number) AS task_id,
    CASE WHEN t.countermeasure_id IS NULL THEN 2 WHEN v.is_custom THEN 1 ELSE 0 END AS origin,
    coalesce(v.number, t.number) AS number,
    coalesce(v.title, t.title) AS title,
    coalesce(v.text, t.text) AS text,
    coalesce(v.priority, t.priority) AS priority,
    coalesce(v.level, ${sql.lit(LEVEL.minimum)}) AS level,
    coalesce(v.phase_id, t.phase_id) AS phase_id,
    coalesce(t.tags, v.tags, '{}') AS tags,
    v.weakness_id,
    v.id AS version_id,
    v.created_at AS library_created_at,
    v.updated_at AS library_updated_at
  FROM project_countermeasure t
  LEFT JOIN countermeasure_version v ON v.countermeasure_id = t.countermeasure_id
    AND ${visible('countermeasure', 'v', organization)}
  WHERE t.organization_id = ${organization})`;

/** The public id of a row, such as `1-T2`. */
export const publicIdOf = (alias: string): Sql =>
  sql`(${sql.ref(`${alias}.project_id`)} || '-' || ${sql.ref(`${alias}.task_id`)})`;

/** The URL of a row. */
export const urlOf =
  (alias: string) =>
  ({ origin }: QueryContext): Sql =>
    sql`${`${origin}/projects/`} || ${sql.ref(`${alias}.project_id`)} || '/tasks/' || ${publicIdOf(alias)} || '/'`;

/** Whether a row has this id, which must match `PROJECT_COUNTERMEASURE_ID`: with or without the project's id. */
export const hasId = (id: string): Sql => {
  const [, project, task] = PROJECT_COUNTERMEASURE_ID.exec(id) ?? [];
  const hasTaskId = sql`item.task_id = ${task ?? ''}`;
  return project === undefined ? hasTaskId : sql`(${hasTaskId} AND item.project_id = ${project}::bigint)`;
};

/** The internal id of the countermeasure in the path, if the caller can see its project. */
export const visibleCountermeasureId = (context: QueryContext): Sql => {
  const [project = '', id = ''] = context.path;
  if (!PROJECT_COUNTERMEASURE_ID.test(id)) return sql`NULL::bigint`;
  return sql`(SELECT item.id FROM ${projectCountermeasures(context.organization)} item
    WHERE item.project_id = ${visibleProjectId(project, context)} AND ${hasId(id)})`;
};
