import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { LocatedProject } from './find-project.js';

/** Projects with where they belong, by internal id: for what is done outside of a request, whoever may see them. */
export async function locateProjects(
  em: EntityManager,
  projects: Iterable<number>,
): Promise<Map<number, LocatedProject>> {
  const { rows } = await sql<Record<'id' | 'name' | 'application_id' | 'application' | 'unit_id' | 'unit', string>>`
    SELECT p.id, p.name, a.id AS application_id, a.name AS application, b.id AS unit_id, b.name AS unit
    FROM project p JOIN application a ON a.id = p.application_id JOIN business_unit b ON b.id = a.business_unit_id
    WHERE p.id = ANY(${[...new Set(projects)]}::bigint[])`.execute(em.getKysely());
  return new Map(
    rows.map((row) => [
      Number(row.id),
      {
        id: Number(row.id),
        name: row.name,
        application: { id: Number(row.application_id), name: row.application },
        businessUnit: { id: Number(row.unit_id), name: row.unit },
      },
    ]),
  );
}
