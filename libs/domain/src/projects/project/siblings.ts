import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { lockRule } from '../../kernel/lock.js';
import { Invalid } from '../../kernel/domain-errors.js';
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
  business_unit: 'A business unit with this name exists already.',
  application: 'The business unit has an application with this name already.',
  project: 'The application has a project with this name already.',
};

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
  const { rows } = await sql`
    SELECT 1 FROM ${sql.table(table)} s
    WHERE ${sql.ref(`s.${parent}`)} = ${parentId} AND lower(s.name) = lower(${name}) AND s.id <> ${exceptId}`.execute(
    em.getKysely(),
  );
  if (rows.length) throw new Invalid({ name: [NOUNS[table]] });
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
  const { rows } = await sql<{ slug: string }>`
    SELECT s.slug FROM ${sql.table(table)} s
    WHERE ${sql.ref(`s.${parent}`)} = ${parentId} AND (s.slug = ${baseSlug} OR s.slug LIKE ${`${baseSlug}-%`})`.execute(
    em.getKysely(),
  );
  return slugNotIn(new Set(rows.map(({ slug }) => slug)), name, fallback);
}
