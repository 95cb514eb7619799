import type { MikroORM } from '@mikro-orm/postgresql';
import { lockRule } from '../lock.js';
import { ensureReporting } from '../reporting/reporting-schema.js';
import { ensureBuiltInRoles } from '../role/built-in-roles.js';

/**
 * Brings the database to this release's schema, with the rows that nothing works without. All of it in one transaction
 * under a lock: of several processes that start at once one does it, and the others find it done. Takes two connections.
 *
 * @returns names of the migrations that were missing
 */
export async function migrate(orm: MikroORM): Promise<string[]> {
  return orm.em.fork().transactional(async (em) => {
    await lockRule(em, 'migrations');
    const transaction = em.getTransactionContext();
    const executed = await orm.migrator.up(transaction ? { transaction } : {});
    await ensureBuiltInRoles(em);
    await ensureReporting(em);
    return executed.map(({ name }) => name);
  });
}
