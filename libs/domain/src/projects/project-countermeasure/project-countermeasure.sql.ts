import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { visible } from '../../library/customization/customization.sql.js';
import { visibleProjectId } from '../project-access/project-visibility.js';
import { PROJECT_COUNTERMEASURE_ID } from './project-countermeasure.rules.js';

/**
 * The countermeasures of an organization's projects as they are now: what the library gives for those that come from
 * it, and what the project itself holds of its own. Narrow it down by the project; the planner looks through it.
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

/** The id `1-T2` of a row of these. */
export const publicIdOf = (alias: string): Sql =>
  sql`(${sql.ref(`${alias}.project_id`)} || '-' || ${sql.ref(`${alias}.task_id`)})`;

/** Whether a row has this id, of the shape of `PROJECT_COUNTERMEASURE_ID`: with its project in front, or without. */
export const hasId = (id: string): Sql => {
  const [, project, task] = PROJECT_COUNTERMEASURE_ID.exec(id) ?? [];
  const itself = sql`item.task_id = ${task ?? ''}`;
  return project === undefined ? itself : sql`(${itself} AND item.project_id = ${project}::bigint)`;
};

/**
 * The internal id of the countermeasure that a path names, behind a project that the viewer sees: what exists within
 * it.
 */
export const visibleCountermeasureId = (reading: QueryContext): Sql => {
  const [project = '', id = ''] = reading.path;
  if (!PROJECT_COUNTERMEASURE_ID.test(id)) return sql`NULL::bigint`;
  return sql`(SELECT item.id FROM ${projectCountermeasures(reading.organization)} item
    WHERE item.project_id = ${visibleProjectId(project, reading)} AND ${hasId(id)})`;
};
