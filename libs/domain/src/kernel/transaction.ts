import type { EntityManager, SessionContext } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Database } from '#query/database.js';
import { ORGANIZATION_ROLE } from './schema/policies.js';

/** The setting that policies compare rows with; views of reports read it too. */
export const ORGANIZATION_SETTING = 'merlon.organization';
/** Its value in a transaction that works across organizations. */
export const EVERY_ORGANIZATION = 'every';

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

/** Whose rows a transaction works on: an actor, or what else belongs to an organization. */
export interface OfOrganization {
  readonly organizationId: number;
}

/**
 * Runs `work` in one transaction, on a fresh unit of work, bound to an organization: PostgreSQL itself keeps it from
 * the rows of others (docs/adr/0039-row-level-security.md). A transaction that lost against another one, as
 * `isRetryable` says, runs again, so `work` may run several times and must have no effects outside of the database.
 *
 * Within another transaction it is a part of that one, undone alone where `work` fails. What lost a race is not tried
 * again there: the locks that it met are held by the whole, and whoever began that runs it again.
 */
export const inTransaction = <T>(
  em: EntityManager,
  { organizationId }: OfOrganization,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> => inBoundTransaction(em, settingsOf(organizationId), work);

/** Binds a transaction that was begun without the object-relational mapper. */
export async function bindTransaction(database: Database, { organizationId }: OfOrganization): Promise<void> {
  const settings = Object.entries(settingsOf(organizationId));
  await sql`SELECT ${sql.join(settings.map(([name, value]) => sql`set_config(${name}, ${value}, true)`))}`.execute(
    database,
  );
}

/** The role first: whatever goes wrong afterwards, nothing is done by the connection's own. */
const settingsOf = (organizationId: number): Record<string, string> => ({
  role: ORGANIZATION_ROLE,
  [ORGANIZATION_SETTING]: String(organizationId),
});

/**
 * The same with the settings that bind it, which are sent as one statement. For `inTransaction` and
 * `across-organizations.ts` alone.
 */
export async function inBoundTransaction<T>(
  em: EntityManager,
  variables: Readonly<Record<string, string>>,
  work: (em: EntityManager) => Promise<T>,
  attempts = ATTEMPTS,
): Promise<T> {
  const session = forkInTransaction(em);
  if (session.isInTransaction()) {
    assertBoundAlike(session.getSessionContext(), variables);
    return session.transactional(work);
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await em.fork({ session: { variables: { ...variables } } }).transactional(work);
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error;
      // A little apart, so that the two do not meet again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** A part of a transaction can't be bound to more than the whole, which stays bound as it is. */
function assertBoundAlike(whole: SessionContext | undefined, part: Readonly<Record<string, string>>): void {
  const bound = whole?.variables?.[ORGANIZATION_SETTING];
  if (bound === part[ORGANIZATION_SETTING] || bound === EVERY_ORGANIZATION) return;
  throw new Error(
    `The transaction is bound to ${bound === undefined ? 'no organization' : `organization ${String(bound)}`}: ` +
      `a part of it cannot work on ${part[ORGANIZATION_SETTING] ?? 'others'}.`,
  );
}
