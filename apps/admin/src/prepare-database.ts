import { migrate } from '#domain/migrations/migrate.js';
import { assertRequirements } from '#domain/migrations/requirements.js';
import { applicationRoleOf, ensureApplicationRole } from '#platform/database/application-role.js';
import type { Session } from './command.js';
import { prepareQueues } from './prepare-queues.js';

/**
 * Migrates the schema and grants the API and the worker their rights on it. Returns the names of the migrations that
 * were run.
 */
export async function prepareDatabase(session: Session): Promise<string[]> {
  const applicationRole = await prepareApplicationRole(session);
  const migrations = await migrate(session.orm, applicationRole);
  await prepareQueues(session, applicationRole);
  return migrations;
}

/**
 * Checks that the server has what a migration needs, and creates the role of the API and the worker if it is missing.
 *
 * @returns the role's name; undefined if they connect as the owner
 */
export async function prepareApplicationRole({
  orm,
  deployment: { ownerUrl, databaseUrl },
}: Pick<Session, 'orm' | 'deployment'>): Promise<string | undefined> {
  await assertRequirements(orm.em.fork().getKysely(), applicationRoleOf(databaseUrl));
  return ensureApplicationRole(ownerUrl, databaseUrl);
}
