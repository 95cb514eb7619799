import { type EntityManager, type EntitySchema, type InferEntity, LockMode } from '@mikro-orm/postgresql';
import type { Actor } from './actor.js';
import { NotFound } from './domain-errors.js';
import { NUMERIC_ID } from './item-id.js';

interface OrganizationRow {
  readonly id: number;
  readonly organizationId: number;
}

/** Finds and locks a row of the actor's organization whose public id is its primary key. Throws `NotFound`. */
export async function rowToChange<Entity extends EntitySchema>(
  em: EntityManager,
  actor: Actor,
  entity: InferEntity<Entity> extends OrganizationRow ? Entity : never,
  id: string,
): Promise<InferEntity<Entity>> {
  // A key of more than 53 bits would be rounded to another one; no row has such a key.
  if (!NUMERIC_ID.test(id) || !Number.isSafeInteger(Number(id))) throw new NotFound();
  const where = { id: Number(id), organizationId: actor.organizationId };
  const row = await em.findOne<OrganizationRow>(entity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw new NotFound();
  return row as InferEntity<Entity>;
}
