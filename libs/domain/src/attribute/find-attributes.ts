import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../actor.js';
import { idShape, numberOf } from '../item-id.js';
import { findIdentities } from '../overlay/find-identities.js';
import { NotFound } from '../refusal.js';
import { Attribute } from './attribute.entity.js';

/**
 * Internal ids of the attributes that these public ids name, as far as the actor's organization sees them. They are held
 * until the transaction ends: lists of ids have no foreign keys, and nobody may delete one that is about to be named.
 */
export async function findAttributes(
  em: EntityManager,
  actor: Actor,
  itemIds: Iterable<string>,
): Promise<Map<string, number>> {
  const found = await findIdentities(em, actor, 'attribute', itemIds);
  // Those that ship are never deleted.
  const own = [...found].filter(([itemId]) => itemId.startsWith('C'));
  if (!own.length) return found;
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM attribute WHERE id = ANY(${own.map(([, id]) => id)}::bigint[]) ORDER BY id FOR KEY SHARE`.execute(
    em.getKysely(),
  );
  const held = new Set(rows.map((row) => Number(row.id)));
  for (const [itemId, id] of own) if (!held.has(id)) found.delete(itemId);
  return found;
}

/** The attribute with this public id, as the actor's organization sees it. An own one is locked. Throws `NotFound`. */
export async function findAttribute(em: EntityManager, actor: Actor, id: string): Promise<Attribute> {
  if (!idShape('attribute').test(id)) throw new NotFound();
  const own = id.startsWith('C');
  const where = { organizationId: own ? actor.organizationId : null, number: numberOf(id) };
  const attribute = await em.findOne(Attribute, where, own ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {});
  if (!attribute) throw new NotFound();
  return attribute;
}
