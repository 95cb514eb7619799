import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { visibleVersions } from '../../library/customization/customization.sql.js';
import { COMPLETE, INCOMPLETE } from '../task-status/task-status.rules.js';
import type { ComponentChange } from './component-changes.js';
import { anyProjectOf, savedAnswers, type ProjectSet } from './content.sql.js';

/** Adds the components of the saved answers, with their current lists, and removes all others. */
export async function refreshComponents(em: EntityManager, scope: ProjectSet): Promise<ComponentChange[]> {
  const { rows } = await sql<{ project_id: number; is_added: boolean; item_id: string; title: string }>`
    WITH version AS (SELECT * FROM ${visibleVersions('component', scope.organizationId)} v),
    expected AS (
      SELECT a.project_id, version.*
        FROM version JOIN ${savedAnswers(anyProjectOf(scope))} a ON a.id = version.answer_id
        WHERE version.active),
    removed AS (
      DELETE FROM project_component pc WHERE pc.project_id = ${anyProjectOf(scope)} AND NOT EXISTS (
        SELECT 1 FROM expected WHERE expected.project_id = pc.project_id AND expected.component_id = pc.component_id)
      RETURNING pc.project_id, pc.component_id),
    added AS (
      INSERT INTO project_component (project_id, component_id, tasks_implemented, tasks_introduced, implied_attributes)
      SELECT project_id, component_id, tasks_implemented, tasks_introduced, implied_attributes FROM expected
      ON CONFLICT DO NOTHING RETURNING project_id, component_id)
    SELECT changed.project_id, changed.is_added, version.item_id, version.title
    FROM (SELECT *, true AS is_added FROM added UNION ALL SELECT *, false FROM removed) changed
    JOIN version USING (component_id) ORDER BY changed.project_id, version.is_custom, version.number`.execute(
    em.getKysely(),
  );
  return rows.map(({ project_id: project, is_added: added, item_id: id, title }) => ({
    project,
    added,
    id,
    title,
  }));
}

/**
 * Marks open countermeasures as complete that the components of projects implement, and adds a note. A component marks
 * each countermeasure only once, so that it does not overrule users.
 */
export async function markImplemented(em: EntityManager, scope: ProjectSet): Promise<number[]> {
  const { rows } = await sql<{ project_id: number }>`
    WITH implemented AS (
      SELECT DISTINCT task.id, task.project_id, task.countermeasure_id, pc.component_id, version.title
      FROM project_component pc CROSS JOIN unnest(pc.tasks_implemented) listed(id)
      JOIN project_countermeasure task ON task.project_id = pc.project_id AND task.relevant
        AND task.countermeasure_id = listed.id AND task.countermeasure_id <> ALL(pc.tasks_marked)
      JOIN ${visibleVersions('component', scope.organizationId)} version ON version.component_id = pc.component_id
      WHERE pc.project_id = ${anyProjectOf(scope)}),
    recorded AS (
      UPDATE project_component pc SET tasks_marked = pc.tasks_marked || batch.tasks
      FROM (SELECT project_id, component_id, array_agg(countermeasure_id) AS tasks FROM implemented GROUP BY 1, 2) batch
      WHERE pc.project_id = batch.project_id AND pc.component_id = batch.component_id),
    marked AS (
      UPDATE project_countermeasure SET status_id = ${COMPLETE}, status_updated_at = clock_timestamp(),
        updated_at = clock_timestamp(), updated_by = NULL
      WHERE id IN (SELECT id FROM implemented) AND status_id = ${INCOMPLETE} RETURNING id, project_id),
    note AS (
      INSERT INTO project_countermeasure_note (project_countermeasure_id, text, automatic)
      SELECT marked.id, 'Complete: it is implemented by ' || string_agg(implemented.title, ', '
        ORDER BY implemented.title) || '.', true
      FROM marked JOIN implemented USING (id) GROUP BY marked.id)
    SELECT DISTINCT project_id FROM marked`.execute(em.getKysely());
  return rows.map((row) => row.project_id);
}
