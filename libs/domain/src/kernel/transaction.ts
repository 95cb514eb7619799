import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * PostgreSQL's codes for transactions that lost against another one and may simply run again: serialization failure,
 * deadlock, and a foreign key or unique index that another one's commit broke after this one had looked; the next run
 * sees that commit, and the rule itself answers.
 */
const RETRYABLE = new Set(['40001', '40P01', '23503', '23505']);
const ATTEMPTS = 5;

/** Whether an error means that a transaction lost against another one. Drivers wrap the original error. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return RETRYABLE.has((error as Error & { code?: string }).code ?? '') || isRetryable(error.cause);
}

/**
 * A fresh unit of work: on the transaction that the caller runs within, however far up it was begun, else on none.
 * Whoever serves a request reads by it, so that the parts of a composite request see each other's changes.
 */
export const forkInTransaction = (em: EntityManager): EntityManager => em.fork({ keepTransactionContext: true });

/**
 * Runs `work` in one transaction, on a fresh unit of work. A transaction that lost against another one, as `lostRace`
 * says, runs again, so `work` may run several times and must have no effects outside of the database.
 *
 * Within another transaction it is a part of that one, undone alone where `work` fails. What lost a race is not tried
 * again there: the locks that it met are held by the whole, and whoever began that runs it again.
 */
export async function inTransaction<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  const session = forkInTransaction(em);
  if (session.isInTransaction()) return session.transactional(work);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await forkInTransaction(em).transactional(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      // A little apart, so that the two do not meet again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}
