import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** The channel that announces due rows when a transaction commits. It only wakes the relay early. */
export const DUE_CHANNEL = 'merlon_due';

/** Wakes the relay when the caller's transaction commits. */
export async function wakeRelay(em: EntityManager): Promise<void> {
  await sql`SELECT pg_notify(${DUE_CHANNEL}, '')`.execute(em.getKysely());
}
