import type { EntityManager } from '@mikro-orm/postgresql';
import { oneOf, tables } from '../../kernel/tables.js';
import { Application } from './application.entity.js';
import { BusinessUnit } from './business-unit.entity.js';
import { Project } from './project.entity.js';

/** Something with a number and a name. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** A project, and where it belongs. */
export interface LocatedProject extends Named {
  readonly application: Named;
  readonly businessUnit: Named;
}

/** The columns of projects `p` with their applications `a` and business units `b` that say where they belong. */
export const PLACE_COLUMNS = [
  'p.id',
  'p.name',
  'a.id as application_id',
  'a.name as application_name',
  'b.id as business_unit_id',
  'b.name as business_unit_name',
] as const;

/** Projects `p` with their applications `a` and business units `b`. */
export const placedProjects = (em: EntityManager) =>
  tables(em, Project, Application, BusinessUnit)
    .selectFrom('project as p')
    .innerJoin('application as a', 'a.id', 'p.application_id')
    .innerJoin('business_unit as b', 'b.id', 'a.business_unit_id');

interface PlacedRow {
  readonly id: number;
  readonly name: string;
  readonly application_id: number;
  readonly application_name: string;
  readonly business_unit_id: number;
  readonly business_unit_name: string;
}

export const locatedOf = (row: PlacedRow): LocatedProject => ({
  id: row.id,
  name: row.name,
  application: { id: row.application_id, name: row.application_name },
  businessUnit: { id: row.business_unit_id, name: row.business_unit_name },
});

/** Projects with where they belong, by internal id: for what is done outside of a request, whoever may see them. */
export async function locateProjects(
  em: EntityManager,
  projects: Iterable<number>,
): Promise<Map<number, LocatedProject>> {
  const rows = await placedProjects(em)
    .select(PLACE_COLUMNS)
    .where('p.id', '=', oneOf([...new Set(projects)]))
    .execute();
  return new Map(rows.map((row) => [row.id, locatedOf(row)]));
}
