import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { NotFound } from '../../kernel/domain-errors.js';
import { SIMPLE_SLUG } from '../../kernel/fields/slug.js';

/** The SVG of an icon. Throws `NotFound`. */
export async function pictureOf(em: EntityManager, slug: string): Promise<string> {
  if (!SIMPLE_SLUG.test(slug)) throw new NotFound();
  const { rows } = await sql<{ svg: string }>`SELECT svg FROM component_icon WHERE slug = ${slug}`.execute(
    em.getKysely(),
  );
  if (!rows[0]) throw new NotFound();
  return rows[0].svg;
}
