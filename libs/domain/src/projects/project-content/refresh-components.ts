import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { visibleVersions } from '../../library/customization/customization.sql.js';
import { COMPLETE, INCOMPLETE } from '../task-status/task-status.rules.js';
import type { ComponentChange } from './component-changes.js';
import { projectsOf, savedAnswers, type ProjectSet } from './content.sql.js';

/** Brings in the components of the saved answers, with their lists as they are now, and takes the others out. */
export async function refreshComponents(em: EntityManager, scope: ProjectSet): Promise<ComponentChange[]> {
  const { rows } = await sql<{ project_id: number; entered: boolean; item_id: string; title: string }>`
    WITH seen AS (SELECT * FROM ${visibleVersions('component', scope.organizationId)} v),
    wanted AS (
      SELECT a.project_id, seen.* FROM seen JOIN ${savedAnswers(projectsOf(scope))} a ON a.id = seen.answer_id
        WHERE seen.active),
    removed AS (
      DELETE FROM project_component held WHERE held.project_id = ${projectsOf(scope)} AND NOT EXISTS (
        SELECT 1 FROM wanted WHERE wanted.project_id = held.project_id AND wanted.component_id = held.component_id)
      RETURNING held.project_id, held.component_id),
    added AS (
      INSERT INTO project_component (project_id, component_id, tasks_implemented, tasks_introduced, implied_attributes)
      SELECT project_id, component_id, tasks_implemented, tasks_introduced, implied_attributes FROM wanted
      ON CONFLICT DO NOTHING RETURNING project_id, component_id)
    SELECT moved.project_id, moved.entered, seen.item_id, seen.title
    FROM (SELECT *, true AS entered FROM added UNION ALL SELECT *, false FROM removed) moved
    JOIN seen USING (component_id) ORDER BY moved.project_id, seen.is_custom, seen.number`.execute(em.getKysely());
  return rows.map(({ project_id: project, entered, item_id: id, title }) => ({
    project,
    entered,
    id,
    title,
  }));
}

/**
 * Marks what the components of projects implement as complete, with a note that says so: each countermeasure once for
 * each component, so that someone who finds otherwise is not overruled; and only those that are still to do.
 */
export async function markImplemented(em: EntityManager, scope: ProjectSet): Promise<number[]> {
  const { rows } = await sql<{ project_id: number }>`
    WITH implemented AS (
      SELECT task.id, task.project_id, task.countermeasure_id, held.component_id, seen.title
      FROM project_component held
      JOIN project_countermeasure task ON task.project_id = held.project_id AND task.relevant
        AND task.countermeasure_id = ANY(held.tasks_implemented) AND task.countermeasure_id <> ALL(held.tasks_marked)
      JOIN ${visibleVersions('component', scope.organizationId)} seen ON seen.component_id = held.component_id
      WHERE held.project_id = ${projectsOf(scope)}),
    remembered AS (
      UPDATE project_component held SET tasks_marked = held.tasks_marked || met.tasks
      FROM (SELECT project_id, component_id, array_agg(countermeasure_id) AS tasks FROM implemented GROUP BY 1, 2) met
      WHERE held.project_id = met.project_id AND held.component_id = met.component_id),
    marked AS (
      UPDATE project_countermeasure SET status_id = ${COMPLETE}, status_updated_at = clock_timestamp(),
        updated_at = clock_timestamp(), updated_by = NULL
      WHERE id IN (SELECT id FROM implemented) AND status_id = ${INCOMPLETE} RETURNING id, project_id),
    noted AS (
      INSERT INTO project_countermeasure_note (project_countermeasure_id, text, automatic)
      SELECT marked.id, 'Complete: it is implemented by ' || string_agg(implemented.title, ', '
        ORDER BY implemented.title) || '.', true
      FROM marked JOIN implemented USING (id) GROUP BY marked.id)
    SELECT DISTINCT project_id FROM marked`.execute(em.getKysely());
  return rows.map((row) => row.project_id);
}
