import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../actor.js';
import { idShape, type Kind } from '../item-id.js';

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
    WHERE item_id = ANY(${wanted}::text[]) AND (organization_id IS NULL OR organization_id = ${actor.organizationId})
    -- Where the organization has a copy of what ships under the same id, the copy is meant.
    ORDER BY organization_id NULLS FIRST
    ${hold ? sql`FOR KEY SHARE` : sql``}`.execute(em.getKysely());
  return new Map(rows.map((row) => [row.item_id, Number(row.id)]));
}
