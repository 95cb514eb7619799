import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** A user by e-mail, in any case, of any organization; null where there is none. For the operator alone. */
export async function findUserByEmail(
  em: EntityManager,
  email: string,
): Promise<{ id: number; organizationId: number } | null> {
  const { rows } = await sql<{ id: string; organization_id: string }>`
    SELECT id, organization_id FROM user_account WHERE lower(email) = lower(${email})`.execute(em.getKysely());
  return rows[0] ? { id: Number(rows[0].id), organizationId: Number(rows[0].organization_id) } : null;
}
