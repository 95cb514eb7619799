import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';

type About = readonly (string | number)[];

const keyOf = (rule: string, about: About): Sql => sql`hashtextextended(${[rule, ...about].join(' / ')}, 0)`;

/**
 * Holds a lock until the transaction ends, named after the rule that it keeps and what it is about: for what must hold
 * over several rows and no index can say.
 */
export async function lockRule(em: EntityManager, rule: string, ...about: About): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${keyOf(rule, about)})`.execute(em.getKysely());
}

/** The same, together with others that share it: only who waits for all of them has to wait. */
export async function shareRule(em: EntityManager, rule: string, ...about: About): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${keyOf(rule, about)})`.execute(em.getKysely());
}

/** Waits for everyone who shares the rule now, and holds nothing afterwards. */
export async function awaitRule(em: EntityManager, rule: string, ...about: About): Promise<void> {
  const key = keyOf(rule, about);
  await sql`SELECT pg_advisory_lock(${key}), pg_advisory_unlock(${key})`.execute(em.getKysely());
}
