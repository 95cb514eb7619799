import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { lockRule } from '../../kernel/lock.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { uniqueSlug, slugOf } from '../../kernel/fields/slug.js';

/**
 * Everything that a name and a slug are unique among: the units of an organization, what is in a unit, an application.
 */
export interface Siblings {
  readonly table: 'business_unit' | 'application' | 'project';
  /** The column that names the parent. */
  readonly parent: string;
  readonly parentId: number;
}

const NOUNS: Readonly<Record<Siblings['table'], string>> = {
  business_unit: 'A business unit with this name exists already.',
  application: 'The business unit has an application with this name already.',
  project: 'The application has a project with this name already.',
};

/**
 * Throws `Invalid` where another sibling has the name, whatever its case. Of two who claim it at once, the unique index
 * lets one through, and the other's transaction runs again and finds it here.
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

/**
 * The name as part of an address that no sibling has. Those who want the same one are given theirs one after the
 * other.
 */
export async function slugAmong(
  em: EntityManager,
  { table, parent, parentId }: Siblings,
  name: string,
): Promise<string> {
  const otherwise = table.replace('_', '-');
  const wanted = slugOf(name, otherwise);
  await lockRule(em, 'slug', table, parentId, wanted);
  // A slug has no wildcards of LIKE.
  const { rows } = await sql<{ slug: string }>`
    SELECT s.slug FROM ${sql.table(table)} s
    WHERE ${sql.ref(`s.${parent}`)} = ${parentId} AND (s.slug = ${wanted} OR s.slug LIKE ${`${wanted}-%`})`.execute(
    em.getKysely(),
  );
  return uniqueSlug(new Set(rows.map(({ slug }) => slug)), name, otherwise);
}
