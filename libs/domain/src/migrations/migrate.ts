import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { lockRule } from '../kernel/lock.js';
import { ensureReporting } from '../reports/reporting-schema/reporting-schema.js';
import { ensureBuiltInRoles } from '../access/role/built-in-roles.js';
import { grantApplicationRights } from './application-rights.js';

/** The rule that whoever migrates holds, and that those share who need the schema to stay as it is. */
export const MIGRATIONS_RULE = 'migrations';

/**
 * Brings the database to this release's schema, with the rows that nothing works without. All of it in one transaction
 * under a lock: of several processes that start at once one does it, and the others find it done. Takes two connections.
 *
 * @param applicationRole the role that API and worker connect as, which is given its rights; undefined where that is the
 *   owner itself
 * @returns names of the migrations that were missing
 */
export async function migrate(orm: MikroORM, applicationRole?: string): Promise<string[]> {
  return orm.em.fork().transactional(async (em) => {
    await lockRule(em, MIGRATIONS_RULE);
    return migrateWithin(orm, em, applicationRole);
  });
}

/** The same on the transaction of a caller who holds the lock. */
export async function migrateWithin(
  orm: MikroORM,
  em: EntityManager,
  applicationRole: string | undefined,
): Promise<string[]> {
  const executed = await runMigrations(orm, em);
  await ensureBuiltInRoles(em);
  await ensureReporting(em);
  if (applicationRole !== undefined) await grantApplicationRights(em, applicationRole);
  return executed;
}

/**
 * Runs missing migrations, and nothing else, on the caller's transaction.
 *
 * @param names only these; all, where none are named
 * @returns names of those that ran
 */
export async function runMigrations(orm: MikroORM, em: EntityManager, names?: readonly string[]): Promise<string[]> {
  const transaction = em.getTransactionContext();
  const executed = await orm.migrator.up({
    ...(transaction && { transaction }),
    ...(names && { migrations: [...names] }),
  });
  return executed.map(({ name }) => name);
}
