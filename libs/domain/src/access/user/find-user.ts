import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';

/** A user by e-mail, in any case, of any organization; null where there is none. For the operator alone. */
export async function findUserByEmail(
  em: EntityManager,
  email: string,
): Promise<{ id: number; organizationId: number } | null> {
  const { rows } = await sql<{ id: string; organization_id: string }>`
    SELECT id, organization_id FROM user_account WHERE lower(email) = lower(${email})`.execute(em.getKysely());
  return rows[0] ? { id: Number(rows[0].id), organizationId: Number(rows[0].organization_id) } : null;
}

/** Whether an e-mail address would be another one for a user of the actor's organization; false where there is no such user. */
export async function isOtherEmail(em: EntityManager, actor: Actor, id: string, email: string): Promise<boolean> {
  if (!NUMERIC_ID.test(id)) return false;
  const { rows } = await sql`
    SELECT 1 FROM user_account WHERE id = ${id}::bigint AND organization_id = ${actor.organizationId}
    AND lower(email) <> lower(${email})`.execute(em.getKysely());
  return rows.length > 0;
}
