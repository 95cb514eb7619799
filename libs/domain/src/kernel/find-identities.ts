import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from './actor.js';
import { builtInOrCustom } from './built-in.sql.js';
import { idShape, isCustomId, type Kind } from './item-id.js';
import { itemTables, oneOf } from './tables.js';

/**
 * Internal ids of the items of a kind that the actor's organization sees, by public id. Unknown ids are left out. With
 * `hold`, built-in items are locked too until the transaction ends, so that a release that is being loaded waits.
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
  const rows = await itemTables(em)
    .selectFrom(kind)
    .select(['id', 'item_id'])
    .where('item_id', '=', oneOf(wanted))
    .where(builtInOrCustom(kind, { organization: actor.organizationId }))
    // Where the organization has a copy of a built-in item under the same id, the copy is meant.
    .orderBy('organization_id', (order) => order.asc().nullsFirst())
    .$if(hold, (query) => query.forKeyShare())
    .execute();
  return new Map(rows.map((row) => [row.item_id, row.id]));
}

/**
 * The same for references that no foreign key keeps, such as lists of ids: no one can delete the items until the
 * transaction ends. Only custom ones are locked: built-in ones are never deleted, and a lock on them would only wait
 * for a release that loads attributes.
 */
export async function holdIdentities(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  itemIds: Iterable<string>,
): Promise<Map<string, number>> {
  const found = await findIdentities(em, actor, kind, itemIds);
  const own = [...found].filter(([itemId]) => isCustomId(itemId));
  if (!own.length) return found;
  const ids = own.map(([, id]) => id);
  const rows = await itemTables(em)
    .selectFrom(kind)
    .select('id')
    .where('id', '=', oneOf(ids))
    .orderBy('id')
    .forKeyShare()
    .execute();
  const held = new Set(rows.map((row) => row.id));
  for (const [itemId, id] of own) if (!held.has(id)) found.delete(itemId);
  return found;
}
