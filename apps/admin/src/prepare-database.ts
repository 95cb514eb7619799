import { migrate } from '#domain/migrations/migrate.js';
import { ensureApplicationRole } from '#platform/application-role.js';
import type { Session } from './command.js';
import { prepareQueues } from './prepare-queues.js';

/**
 * Migrates the schema and grants the API and the worker their rights on it. Returns the names of the migrations that
 * were run.
 */
export async function prepareDatabase(session: Session): Promise<string[]> {
  const { ownerUrl, databaseUrl } = session.deployment;
  const applicationRole = await ensureApplicationRole(ownerUrl, databaseUrl);
  const migrations = await migrate(session.orm, applicationRole);
  await prepareQueues(session, applicationRole);
  return migrations;
}
