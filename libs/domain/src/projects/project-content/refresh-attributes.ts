import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { projectsOf, savedAnswers, type ProjectSet } from './content.sql.js';

/**
 * Writes the sources of attributes that follow from answers (`survey`) and from components (`implied`); those that
 * someone added by hand are left alone. Returns the projects where something changed.
 */
export async function refreshAttributes(em: EntityManager, scope: ProjectSet): Promise<number[]> {
  const { rows } = await sql<{ project_id: number }>`
    WITH wanted AS (
      SELECT a.project_id, attribute.id AS attribute_id, 'survey' AS type, a.item_id AS ref
      FROM ${savedAnswers(projectsOf(scope))} a JOIN attribute ON attribute.id = ANY(a.attributes)
      UNION ALL
      SELECT held.project_id, attribute.id, 'implied', component.item_id
      FROM project_component held JOIN component ON component.id = held.component_id
      JOIN attribute ON attribute.id = ANY(held.implied_attributes)
      WHERE held.project_id = ${projectsOf(scope)}),
    removed AS (
      DELETE FROM project_attribute_source source
      WHERE source.project_id = ${projectsOf(scope)} AND source.type IN ('survey', 'implied') AND NOT EXISTS (
        SELECT 1 FROM wanted WHERE wanted.project_id = source.project_id AND wanted.attribute_id = source.attribute_id
          AND wanted.type = source.type AND wanted.ref = source.ref)
      RETURNING source.project_id),
    added AS (
      INSERT INTO project_attribute_source (project_id, attribute_id, type, ref)
      SELECT project_id, attribute_id, type, ref FROM wanted ON CONFLICT DO NOTHING RETURNING project_id)
    SELECT project_id FROM removed UNION SELECT project_id FROM added`.execute(em.getKysely());
  return rows.map((row) => row.project_id);
}
