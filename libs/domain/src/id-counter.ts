import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from './actor.js';
import type { Kind } from './item-id.js';

/**
 * Takes the organization's next numbers of a kind: they are never used again. Others who want some wait for the
 * transaction.
 *
 * @param count how many
 * @param given numbers that come from elsewhere and are used too: those that are taken lie behind them
 * @returns the first of them; the others follow it
 */
export async function nextNumbers(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  count: number,
  given: readonly number[] = [],
): Promise<number> {
  const behind = given.reduce((largest, number) => Math.max(largest, number), 0);
  const { rows } = await sql<{ value: number }>`
    INSERT INTO id_counter AS c (organization_id, kind, value)
    VALUES (${actor.organizationId}, ${kind}, ${behind + count})
    ON CONFLICT (organization_id, kind) DO UPDATE SET value = greatest(c.value, ${behind}::integer) + ${count}::integer
    RETURNING value`.execute(em.getKysely());
  const last = rows[0];
  if (!last) throw new Error(`No numbers were taken for ${count} × ${kind}.`);
  return last.value - count + 1;
}

/** Takes the organization's next number of a kind, as `nextNumbers` does. */
export const nextNumber = (em: EntityManager, actor: Actor, kind: Kind): Promise<number> =>
  nextNumbers(em, actor, kind, 1);
