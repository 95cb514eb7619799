import type { EntityManager, SessionContext } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Database } from '#query/database.js';
import { ORGANIZATION_ROLE } from './schema/policies.js';

/** The setting that policies compare with `organization_id`; views of reports read it too. */
export const ORGANIZATION_SETTING = 'merlon.organization';
/** Its value in transactions that work across organizations. */
export const EVERY_ORGANIZATION = 'every';

/**
 * PostgreSQL's error codes for transactions that may be retried after a conflict: serialization failure, deadlock, and
 * violations of foreign keys or unique indexes, which a concurrent commit can cause after the command's own check. The
 * retry sees that commit and reports the proper error.
 */
const RETRYABLE = new Set(['40001', '40P01', '23503', '23505']);
const ATTEMPTS = 5;

/** PostgreSQL's error code for a statement that was cancelled, as at its time limit, or with `interruptible`. */
const CANCELLED = '57014';

/** Whether this is an error of PostgreSQL with one of these codes. Drivers wrap the original error. */
const hasCode = (error: unknown, codes: ReadonlySet<string>): boolean =>
  error instanceof Error && (codes.has((error as Error & { code?: string }).code ?? '') || hasCode(error.cause, codes));

/** Whether a transaction failed because of a conflict with another one. */
export const isRetryable = (error: unknown): boolean => hasCode(error, RETRYABLE);

/** Whether a transaction failed because one of its statements reached its time limit, or was interrupted. */
export const isStatementTimeout = (error: unknown): boolean => hasCode(error, new Set([CANCELLED]));

/**
 * Creates a new unit of work within the caller's transaction, if there is one. Request handlers read through it, so
 * that the parts of a composite request see each other's changes.
 */
export const forkInTransaction = (em: EntityManager): EntityManager => em.fork({ keepTransactionContext: true });

/** Creates a new unit of work outside of the caller's transaction, which sees only what is committed. */
export const forkOutsideTransaction = (em: EntityManager): EntityManager => em.fork();

/** The organization whose rows a transaction works on: an actor, or anything else that belongs to an organization. */
export interface OrganizationScoped {
  readonly organizationId: number;
}

/**
 * Runs `work` in a transaction with a new unit of work, bound to an organization: PostgreSQL itself denies access to
 * the rows of others (docs/adr/0039-row-level-security.md). The transaction is retried after a conflict (see
 * `isRetryable`), so `work` may run several times and must not have effects outside of the database.
 *
 * Within another transaction it becomes a savepoint, which is rolled back alone if `work` fails. It is not retried
 * there, because the outer transaction holds the locks: the caller that began it retries.
 */
export const inTransaction = <T>(
  em: EntityManager,
  { organizationId }: OrganizationScoped,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> => inBoundTransaction(em, settingsOf(organizationId), work);

/** Ends a transaction that is always rolled back. It carries the result. */
class RolledBack<T> extends Error {
  constructor(readonly result: T) {
    super('Rolled back on purpose.');
  }
}

/** The same, but undoes all changes at the end: for finding out what a command would change. */
export async function inRolledBackTransaction<T>(
  em: EntityManager,
  scope: OrganizationScoped,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(em, scope, async (transaction) => {
      throw new RolledBack(await work(transaction));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}

/** Binds a transaction that was started without MikroORM. */
export async function bindTransaction(database: Database, { organizationId }: OrganizationScoped): Promise<void> {
  const settings = Object.entries(settingsOf(organizationId));
  await sql`SELECT ${sql.join(settings.map(([name, value]) => sql`set_config(${name}, ${value}, true)`))}`.execute(
    database,
  );
}

/** The role comes first, so that nothing runs with the connection's own role if a later setting fails. */
const settingsOf = (organizationId: number): Record<string, string> => ({
  role: ORGANIZATION_ROLE,
  [ORGANIZATION_SETTING]: String(organizationId),
});

/**
 * Runs a transaction with these settings, which are sent as one statement. Only for `inTransaction` and
 * `across-organizations.ts`.
 */
export async function inBoundTransaction<T>(
  em: EntityManager,
  variables: Readonly<Record<string, string>>,
  work: (em: EntityManager) => Promise<T>,
  attempts = ATTEMPTS,
): Promise<T> {
  const session = forkInTransaction(em);
  if (session.isInTransaction()) {
    assertSameOrganization(session.getSessionContext(), variables);
    return session.transactional(work);
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await em.fork({ session: { variables: { ...variables } } }).transactional(work);
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error;
      // Wait for a random time, so that the same two transactions do not conflict again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** Throws if a savepoint would need other rows than its transaction, whose binding cannot change. */
function assertSameOrganization(outer: SessionContext | undefined, inner: Readonly<Record<string, string>>): void {
  const bound = outer?.variables?.[ORGANIZATION_SETTING];
  if (bound === inner[ORGANIZATION_SETTING] || bound === EVERY_ORGANIZATION) return;
  throw new Error(
    `The transaction is bound to ${bound === undefined ? 'no organization' : `organization ${String(bound)}`}: ` +
      `a part of it cannot work on ${inner[ORGANIZATION_SETTING] ?? 'others'}.`,
  );
}
