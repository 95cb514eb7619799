import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/**
 * Holds a lock until the transaction ends, named after the rule that it keeps and what it is about: for what must hold
 * over several rows and no index can say.
 */
export async function lockRule(em: EntityManager, rule: string, ...about: readonly (string | number)[]): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${[rule, ...about].join(' / ')}, 0))`.execute(em.getKysely());
}
