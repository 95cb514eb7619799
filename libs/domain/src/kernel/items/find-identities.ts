import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../actor.js';
import { builtInOrCustom } from '../built-in.sql.js';
import { idShape, isCustomId, type Kind } from '../item-id.js';
import { itemTables, oneOf } from '../tables.js';

/**
 * Internal ids of the items of a kind that the actor's organization sees, by public id. Unknown ids are left out. With
 * `hold`, the rows are locked against deletion until the transaction ends, for references without a foreign key.
 */
export async function findIdentities(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  itemIds: Iterable<string>,
  { hold = false } = {},
): Promise<Map<string, number>> {
  const shape = idShape(kind);
  const requestedIds = [...new Set(itemIds)].filter((id) => shape.test(id));
  if (!requestedIds.length) return new Map();
  const rows = await itemTables(em)
    .selectFrom(kind)
    .select(['id', 'item_id'])
    .where('item_id', '=', oneOf(requestedIds))
    .where(builtInOrCustom(kind, { organization: actor.organizationId }))
    // If the organization has its own copy under the same id, that one comes last and wins.
    .orderBy('organization_id', (order) => order.asc().nullsFirst())
    .$if(hold, (query) => query.forKeyShare())
    .execute();
  return new Map(rows.map((row) => [row.item_id, row.id]));
}

/**
 * The same for array columns, which have no foreign keys: locks the items against deletion. Only custom items are
 * locked, because built-in ones are never deleted and a lock on them would wait for a release that loads attributes.
 */
export async function findAndLockIdentities(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  itemIds: Iterable<string>,
): Promise<Map<string, number>> {
  const identities = await findIdentities(em, actor, kind, itemIds);
  const customItems = [...identities].filter(([itemId]) => isCustomId(itemId));
  if (!customItems.length) return identities;
  const ids = customItems.map(([, id]) => id);
  const rows = await itemTables(em)
    .selectFrom(kind)
    .select('id')
    .where('id', '=', oneOf(ids))
    .orderBy('id')
    .forKeyShare()
    .execute();
  const lockedIds = new Set(rows.map((row) => row.id));
  for (const [itemId, id] of customItems) if (!lockedIds.has(id)) identities.delete(itemId);
  return identities;
}
