import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { lockRule } from '../../kernel/lock.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { equalsIgnoringCase, tables } from '../../kernel/tables.js';
import { Application } from '../hierarchy/application.entity.js';
import { BusinessUnit } from '../hierarchy/business-unit.entity.js';
import { Project } from '../hierarchy/project.entity.js';
import { slugNotIn, slugOf } from '../../kernel/fields/slug.js';

/**
 * Items with unique names: the units of an organization, the applications of a unit, the projects of an application.
 */
export interface Siblings {
  readonly table: 'business_unit' | 'application' | 'project';
  /** The column of the parent's id. */
  readonly parent: string;
  readonly parentId: number;
}

const NOUNS: Readonly<Record<Siblings['table'], string>> = {
  business_unit: 'A business unit with this name already exists.',
  application: 'The business unit already has an application with this name.',
  project: 'The application already has a project with this name.',
};

const siblings = (em: EntityManager) => tables(em, BusinessUnit, Application, Project);

/**
 * Throws `Invalid` if another sibling has the name, ignoring case. If two requests use a name at once, the unique index
 * rejects one; its transaction is retried and finds the name here.
 */
export async function assertFreeName(
  em: EntityManager,
  { table, parent, parentId }: Siblings,
  name: string,
  exceptId = 0,
): Promise<void> {
  const other = await siblings(em)
    .selectFrom(table)
    .select('id')
    .where(sql.ref(parent), '=', parentId)
    .where(equalsIgnoringCase('name', name))
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  if (other) throw new Invalid({ name: [NOUNS[table]] });
}

/** A slug of the name that no sibling has. The lock serializes requests for the same slug. */
export async function uniqueSlug(
  em: EntityManager,
  { table, parent, parentId }: Siblings,
  name: string,
): Promise<string> {
  const fallback = table.replace('_', '-');
  const baseSlug = slugOf(name, fallback);
  await lockRule(em, 'slug', table, parentId, baseSlug);
  // Slugs contain no LIKE wildcards.
  const rows = await siblings(em)
    .selectFrom(table)
    .select('slug')
    .where(sql.ref(parent), '=', parentId)
    .where((row) => row.or([row('slug', '=', baseSlug), row('slug', 'like', `${baseSlug}-%`)]))
    .execute();
  return slugNotIn(new Set(rows.map(({ slug }) => slug)), name, fallback);
}
