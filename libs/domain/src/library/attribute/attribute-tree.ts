import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { lockRule } from '../../kernel/lock.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { Invalid, missing } from '../../kernel/domain-errors.js';
import type { Attribute } from './attribute.entity.js';
import { CIRCULAR, DEEPEST_LEVEL, tooDeep } from './attribute.rules.js';

/** Where an attribute hangs in the tree. */
interface Place {
  readonly parentId: number | null;
  readonly ancestors: number[];
}

/**
 * One change of an organization's tree at a time: two moves at once could make a circle, or a branch that is too deep.
 */
export const lockTree = (em: EntityManager, actor: Actor): Promise<void> =>
  lockRule(em, 'attribute tree', actor.organizationId);

/** Levels of the attribute and everything below it. */
async function heightOf(em: EntityManager, attribute: Attribute): Promise<number> {
  const { rows } = await sql<{ deepest: number | null }>`
    SELECT max(depth) AS deepest FROM attribute WHERE ancestors @> ARRAY[${attribute.id}::bigint]`.execute(
    em.getKysely(),
  );
  const own = attribute.ancestors.length + 1;
  return (rows[0]?.deepest ?? own) - own + 1;
}

/**
 * The place below the attribute with this public id, or a root's for null; `moved` is who moves there, with everything
 * below it. Throws `Invalid` where there is no such attribute, for a circle, and for a branch that would be too deep.
 */
export async function resolvePlace(
  em: EntityManager,
  actor: Actor,
  parent: string | null,
  moved?: Attribute,
): Promise<Place> {
  if (parent === null) return { parentId: null, ancestors: [] };
  // Held, so that a release that is being loaded does not move the parent meanwhile.
  const { rows } = await sql<{ id: string; ancestors: string[] }>`
    SELECT id, ancestors FROM attribute
    WHERE item_id = ${parent} AND ${builtInOrCustom('attribute', { organization: actor.organizationId })}
    FOR KEY SHARE`.execute(em.getKysely());
  const found = rows[0];
  if (!found) throw new Invalid({ parent: missing(parent) });
  const ancestors = [...found.ancestors, found.id].map(Number);
  if (moved && ancestors.includes(moved.id)) throw new Invalid({ parent: [CIRCULAR] });
  const depth = ancestors.length + (moved ? await heightOf(em, moved) : 1);
  if (depth > DEEPEST_LEVEL)
    throw new Invalid({
      parent: [tooDeep(depth)],
    });
  return { parentId: Number(found.id), ancestors };
}

/** Moves everything below an attribute along with it. The attribute's own row is left to the caller. */
export async function moveSubtree(em: EntityManager, attribute: Attribute, place: Place): Promise<void> {
  await sql`
    UPDATE attribute SET ancestors = ${place.ancestors}::bigint[] || ancestors[${attribute.ancestors.length + 1}:]
    WHERE ancestors @> ARRAY[${attribute.id}::bigint]`.execute(em.getKysely());
}

/** Places every own attribute below its parent once more, after parents were changed without what follows from that. */
export async function rebuildTree(em: EntityManager, actor: Actor): Promise<void> {
  await sql`
    WITH RECURSIVE tree AS (
      SELECT id, '{}'::bigint[] AS ancestors FROM attribute
      WHERE parent_id IS NULL AND ${builtInOrCustom('attribute', { organization: actor.organizationId })}
      UNION ALL
      SELECT a.id, t.ancestors || t.id FROM attribute a JOIN tree t ON a.parent_id = t.id
      WHERE ${builtInOrCustom('a', { organization: actor.organizationId })})
    UPDATE attribute a SET ancestors = tree.ancestors FROM tree
    WHERE a.id = tree.id AND a.organization_id = ${actor.organizationId} AND a.ancestors <> tree.ancestors`.execute(
    em.getKysely(),
  );
}
