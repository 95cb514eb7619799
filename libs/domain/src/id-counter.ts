import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from './actor.js';
import type { Kind } from './item-id.js';

/** Takes the organization's next number of a kind: it is never used again. Others who want one wait for the transaction. */
export async function nextNumber(em: EntityManager, actor: Actor, kind: Kind): Promise<number> {
  const { rows } = await sql<{ value: number }>`
    INSERT INTO id_counter AS c (organization_id, kind, value) VALUES (${actor.organizationId}, ${kind}, 1)
    ON CONFLICT (organization_id, kind) DO UPDATE SET value = c.value + 1 RETURNING value`.execute(em.getKysely());
  const next = rows[0];
  if (!next) throw new Error(`No number was taken for a ${kind}.`);
  return next.value;
}
