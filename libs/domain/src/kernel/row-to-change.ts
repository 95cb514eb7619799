import { type EntityManager, type EntitySchema, type InferEntity, LockMode } from '@mikro-orm/postgresql';
import type { Actor } from './actor.js';
import { Forbidden, NotFound } from './domain-errors.js';
import { idShape, isCustomId, type Kind, numberOf, primaryKeyOf } from './item-id.js';

interface OrganizationRow {
  readonly id: number;
  readonly organizationId: number;
}

interface ItemRow {
  readonly organizationId?: number | null;
  readonly number: number;
}

/** The primary key that a public id is. Throws `NotFound` for anything else. */
export function numericId(id: string): number {
  const key = primaryKeyOf(id);
  if (key === undefined) throw new NotFound();
  return key;
}

/** Finds and locks a row of the actor's organization whose public id is its primary key. Throws `NotFound`. */
export async function rowToChange<Entity extends EntitySchema>(
  em: EntityManager,
  actor: Actor,
  entity: InferEntity<Entity> extends OrganizationRow ? Entity : never,
  id: string,
): Promise<InferEntity<Entity>> {
  const where = { id: numericId(id), organizationId: actor.organizationId };
  const row = await em.findOne<OrganizationRow>(entity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw new NotFound();
  return row as InferEntity<Entity>;
}

/**
 * A custom item of a kind without versions, by its public id, locked for a change. Throws `NotFound`, and `Forbidden`
 * with the reason for a built-in one.
 */
export async function customItemToChange<Entity extends EntitySchema>(
  em: EntityManager,
  actor: Actor,
  entity: InferEntity<Entity> extends ItemRow ? Entity : never,
  kind: Kind,
  id: string,
  reason: string,
): Promise<InferEntity<Entity>> {
  if (!idShape(kind).test(id)) throw new NotFound();
  const isCustom = isCustomId(id);
  const where = { organizationId: isCustom ? actor.organizationId : null, number: numberOf(id) };
  const item = await em.findOne<ItemRow>(entity, where, isCustom ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {});
  if (!item) throw new NotFound();
  if (!isCustom) throw new Forbidden(reason);
  return item as InferEntity<Entity>;
}
