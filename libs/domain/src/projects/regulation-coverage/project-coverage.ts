import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import type { OrganizationScoped } from '../../kernel/transaction.js';

/** How far a project covers a regulation. */
export interface ProjectCoverage {
  readonly regulation: { readonly id: string; readonly name: string; readonly version: string };
  /** How many active sections the regulation has. */
  readonly sections: number;
  /** How many of them have accepted countermeasures in the project. */
  readonly addressed: number;
  /** How many of these have only complete ones. */
  readonly complete: number;
}

/** How far a project covers each regulation that its accepted countermeasures are mapped to. */
export async function projectCoverage(
  em: EntityManager,
  { organizationId }: OrganizationScoped,
  project: number,
): Promise<readonly ProjectCoverage[]> {
  const scope = { organization: organizationId };
  const { rows } = await sql<ProjectCoverage>`
    WITH accepted AS MATERIALIZED (
      SELECT t.countermeasure_id, s.meaning = 'DONE' AS done FROM project_countermeasure t
      JOIN task_status s ON s.id = t.status_id WHERE t.project_id = ${project} AND t.accepted),
    section AS (
      SELECT item.id, item.regulation_id, count(accepted.done) AS countermeasures,
        count(*) FILTER (WHERE accepted.done) AS done
      FROM regulation_section item
      LEFT JOIN (regulation_section_countermeasure n JOIN accepted USING (countermeasure_id))
        ON n.section_id = item.id
      WHERE item.active AND ${builtInOrCustom('item', scope)} GROUP BY item.id)
    SELECT json_build_object('id', r.item_id, 'name', r.name, 'version', r.version) AS regulation,
      count(*)::int AS sections, count(*) FILTER (WHERE section.countermeasures > 0)::int AS addressed,
      count(*) FILTER (WHERE section.countermeasures > 0 AND section.done = section.countermeasures)::int AS complete
    FROM section JOIN regulation r ON r.id = section.regulation_id
    GROUP BY r.id HAVING bool_or(section.countermeasures > 0) ORDER BY lower(r.name), r.id`.execute(em.getKysely());
  return rows;
}
