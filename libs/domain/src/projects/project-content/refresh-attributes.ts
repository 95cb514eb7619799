import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { anyProjectOf, savedAnswers, type ProjectSet } from './content.sql.js';

/**
 * Updates the attribute sources of type `survey` (from answers) and `implied` (from components), but not those that
 * were added manually. Returns the projects that changed.
 */
export async function refreshAttributes(em: EntityManager, scope: ProjectSet): Promise<number[]> {
  const { rows } = await sql<{ project_id: number }>`
    WITH expected AS (
      SELECT a.project_id, attribute.id AS attribute_id, 'survey' AS type, a.item_id AS ref
      FROM ${savedAnswers(anyProjectOf(scope))} a JOIN attribute ON attribute.id = ANY(a.attributes)
      UNION ALL
      SELECT pc.project_id, attribute.id, 'implied', component.item_id
      FROM project_component pc JOIN component ON component.id = pc.component_id
      JOIN attribute ON attribute.id = ANY(pc.implied_attributes)
      WHERE pc.project_id = ${anyProjectOf(scope)}),
    removed AS (
      DELETE FROM project_attribute_source source
      WHERE source.project_id = ${anyProjectOf(scope)} AND source.type IN ('survey', 'implied') AND NOT EXISTS (
        SELECT 1 FROM expected e WHERE e.project_id = source.project_id AND e.attribute_id = source.attribute_id
          AND e.type = source.type AND e.ref = source.ref)
      RETURNING source.project_id),
    added AS (
      INSERT INTO project_attribute_source (project_id, attribute_id, type, ref)
      SELECT project_id, attribute_id, type, ref FROM expected ON CONFLICT DO NOTHING RETURNING project_id)
    SELECT project_id FROM removed UNION SELECT project_id FROM added`.execute(em.getKysely());
  return rows.map((row) => row.project_id);
}
