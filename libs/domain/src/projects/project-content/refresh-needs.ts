import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { LEVEL } from '../../library/countermeasure/countermeasure.rules.js';
import { activeAttributes, anyProjectOf, type ProjectSet } from './content.sql.js';
import { highestSignal, LEVEL_SIGNALS, stakes } from './importance.sql.js';

/**
 * Updates the level and the stakes of projects from their active attributes. Without a level, nothing is left out.
 */
export async function refreshNeeds(em: EntityManager, scope: ProjectSet): Promise<void> {
  await sql`
    WITH needs AS (
      SELECT p.id, coalesce(${highestSignal(LEVEL_SIGNALS)}, ${LEVEL.maximum}) AS level, ${stakes} AS stakes
      FROM unnest(${scope.projects}::bigint[]) p(id)
      LEFT JOIN ${activeAttributes(anyProjectOf(scope), scope.organizationId)} had ON had.project_id = p.id
      LEFT JOIN attribute a ON a.id = had.id
      GROUP BY p.id)
    UPDATE project SET level = needs.level, stakes = needs.stakes FROM needs
    WHERE project.id = needs.id AND (project.level, project.stakes) <> (needs.level, needs.stakes)`.execute(
    em.getKysely(),
  );
}
