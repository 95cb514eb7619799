import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { acrossOrganizations } from '../kernel/across-organizations.js';
import { lockRule } from '../kernel/lock.js';
import { ensureReporting } from '../reports/reporting-schema/reporting-schema.js';
import { ensureBuiltInRoles } from '../access/role/built-in-roles.js';
import { grantApplicationRights } from './application-rights.js';
import { ensureOrganizationRole } from './organization-role.js';
import { isBeforeFirstRelease } from './index.js';

/** The name of a lock: exclusive for migrations, shared for work that needs the schema to stay unchanged. */
export const MIGRATIONS_RULE = 'migrations';

/**
 * Migrates the database to this release's schema and inserts the rows that it requires, in one transaction under a
 * lock: if several processes start at once, one does the work and the others find it done. Needs two connections.
 *
 * @param applicationRole the role that API and worker connect as, which gets its privileges; undefined if that is the
 *   owner
 * @returns names of the migrations that ran
 */
export async function migrate(orm: MikroORM, applicationRole?: string): Promise<string[]> {
  const work = async (em: EntityManager): Promise<string[]> => {
    await lockRule(em, MIGRATIONS_RULE);
    await assertNotBeforeFirstRelease(em);
    return migrateWithin(orm, em, applicationRole);
  };
  return acrossOrganizations(orm.em, 'migrate or restore', work, 1);
}

/** Throws if the tables were created before the first release, which migrations do not support. */
async function assertNotBeforeFirstRelease(em: EntityManager): Promise<void> {
  const database = em.getKysely();
  const { rows } = await sql<{ found: boolean }>`
    SELECT to_regclass('mikro_orm_migrations') IS NOT NULL AS found`.execute(database);
  if (!rows[0]?.found) return;
  const executed = await sql<{ name: string }>`SELECT name FROM mikro_orm_migrations`.execute(database);
  if (!executed.rows.some(({ name }) => isBeforeFirstRelease(name))) return;
  throw new Error(
    'The database was created by a version before the first release and cannot be upgraded in place. ' +
      'Run "admin backup FILE", then "admin restore FILE --replace".',
  );
}

/** The same in the transaction of a caller who holds the lock. */
export async function migrateWithin(
  orm: MikroORM,
  em: EntityManager,
  applicationRole: string | undefined,
): Promise<string[]> {
  const executed = await runMigrations(orm, em);
  await ensureBuiltInRoles(em);
  await ensureReporting(em);
  await grantApplicationRights(em, applicationRole);
  return executed;
}

/**
 * Runs missing migrations in the caller's transaction, and nothing else.
 *
 * @param names the migrations to run; by default, all
 * @returns names of those that ran
 */
export async function runMigrations(orm: MikroORM, em: EntityManager, names?: readonly string[]): Promise<string[]> {
  await ensureOrganizationRole(em);
  const transaction = em.getTransactionContext();
  const executed = await orm.migrator.up({
    ...(transaction && { transaction }),
    ...(names && { migrations: [...names] }),
  });
  return executed.map(({ name }) => name);
}
