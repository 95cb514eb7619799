import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from './actor.js';
import { idShape, isCustomId, type Kind } from './item-id.js';
import { shippedOrOwn } from './built-in.sql.js';

/**
 * Internal ids of the items of a kind that the actor's organization sees, by public id. Unknown ids are left out. With
 * `hold`, what is found stays until the transaction ends: for references that no foreign key keeps.
 */
export async function findIdentities(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  itemIds: Iterable<string>,
  { hold = false } = {},
): Promise<Map<string, number>> {
  const shape = idShape(kind);
  const wanted = [...new Set(itemIds)].filter((id) => shape.test(id));
  if (!wanted.length) return new Map();
  const { rows } = await sql<{ id: string; item_id: string }>`
    SELECT id, item_id FROM ${sql.table(kind)}
    WHERE item_id = ANY(${wanted}::text[]) AND ${shippedOrOwn(kind, { organization: actor.organizationId })}
    -- Where the organization has a copy of what ships under the same id, the copy is meant.
    ORDER BY organization_id NULLS FIRST
    ${hold ? sql`FOR KEY SHARE` : sql``}`.execute(em.getKysely());
  return new Map(rows.map((row) => [row.item_id, Number(row.id)]));
}

/**
 * The same for lists of ids, which have no foreign keys: nobody may delete one that is about to be named. Only own items
 * are held: those that ship are never deleted, and a lock on them would only wait for a release that loads attributes.
 */
export async function holdIdentities(
  em: EntityManager,
  actor: Actor,
  kind: 'attribute' | 'countermeasure',
  itemIds: Iterable<string>,
): Promise<Map<string, number>> {
  const found = await findIdentities(em, actor, kind, itemIds);
  const own = [...found].filter(([itemId]) => isCustomId(itemId));
  if (!own.length) return found;
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(kind)} WHERE id = ANY(${own.map(([, id]) => id)}::bigint[]) ORDER BY id FOR KEY SHARE`.execute(
    em.getKysely(),
  );
  const held = new Set(rows.map((row) => Number(row.id)));
  for (const [itemId, id] of own) if (!held.has(id)) found.delete(itemId);
  return found;
}
