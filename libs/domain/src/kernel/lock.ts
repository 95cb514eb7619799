import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';

type LockSubject = readonly (string | number)[];

const keyOf = (rule: string, about: LockSubject): Sql => sql`hashtextextended(${[rule, ...about].join(' / ')}, 0)`;

/**
 * Takes a lock until the transaction ends. Its key is the name of a rule and what the rule applies to. Use it for rules
 * that span several rows and that no index can enforce.
 */
export async function lockRule(em: EntityManager, rule: string, ...about: LockSubject): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${keyOf(rule, about)})`.execute(em.getKysely());
}

/** The same lock in shared mode: shared holders do not wait for each other, only for `lockRule` and vice versa. */
export async function shareRule(em: EntityManager, rule: string, ...about: LockSubject): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${keyOf(rule, about)})`.execute(em.getKysely());
}

/** Waits until no one else holds the lock, without keeping it. */
export async function awaitRule(em: EntityManager, rule: string, ...about: LockSubject): Promise<void> {
  const key = keyOf(rule, about);
  await sql`SELECT pg_advisory_lock(${key}), pg_advisory_unlock(${key})`.execute(em.getKysely());
}
