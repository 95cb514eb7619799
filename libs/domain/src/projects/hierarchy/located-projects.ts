import type { EntityManager } from '@mikro-orm/postgresql';
import type { InferResult } from 'kysely';
import { oneOf, tables } from '../../kernel/tables.js';
import { Application } from './application.entity.js';
import { BusinessUnit } from './business-unit.entity.js';
import { Project } from './project.entity.js';

export interface IdAndName {
  readonly id: number;
  readonly name: string;
}

/** A project with its application and business unit. */
export interface LocatedProject extends IdAndName {
  readonly application: IdAndName;
  readonly businessUnit: IdAndName;
}

/** Selects projects `p` with their applications `a` and business units `b`. */
export const projectsWithLocation = (em: EntityManager) =>
  tables(em, Project, Application, BusinessUnit)
    .selectFrom('project as p')
    .innerJoin('application as a', 'a.id', 'p.application_id')
    .innerJoin('business_unit as b', 'b.id', 'a.business_unit_id')
    .select([
      'p.id',
      'p.name',
      'a.id as application_id',
      'a.name as application_name',
      'b.id as business_unit_id',
      'b.name as business_unit_name',
    ]);

type LocationRow = InferResult<ReturnType<typeof projectsWithLocation>>[number];

export const toLocatedProject = (row: LocationRow): LocatedProject => ({
  id: row.id,
  name: row.name,
  application: { id: row.application_id, name: row.application_name },
  businessUnit: { id: row.business_unit_id, name: row.business_unit_name },
});

/**
 * Finds projects with their applications and business units. Outside of requests only: it does not check visibility.
 */
export async function findLocatedProjects(
  em: EntityManager,
  projects: Iterable<number>,
): Promise<Map<number, LocatedProject>> {
  const rows = await projectsWithLocation(em)
    .where('p.id', '=', oneOf([...new Set(projects)]))
    .execute();
  return new Map(rows.map((row) => [row.id, toLocatedProject(row)]));
}
