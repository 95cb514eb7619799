import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { idShape, isCustomId, numberOf } from '../../kernel/item-id.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { Attribute } from './attribute.entity.js';

/**
 * Finds the attribute that the actor's organization sees under this public id. A custom one is locked. Throws
 * `NotFound`.
 */
export async function findAttribute(em: EntityManager, actor: Actor, id: string): Promise<Attribute> {
  if (!idShape('attribute').test(id)) throw new NotFound();
  const own = isCustomId(id);
  const where = { organizationId: own ? actor.organizationId : null, number: numberOf(id) };
  const attribute = await em.findOne(Attribute, where, own ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {});
  if (!attribute) throw new NotFound();
  return attribute;
}
