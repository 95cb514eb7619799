import { migrate } from '#domain/migrations/migrate.js';
import { ensureApplicationRole } from '#platform/application-role.js';
import type { Session } from './command.js';
import { prepareQueues } from './prepare-queues.js';

/** Brings the schema up to date, and the rights of API and worker on it. Answers which migrations were missing. */
export async function prepareDatabase(session: Session): Promise<string[]> {
  const { ownerUrl, databaseUrl } = session.installation;
  const applicationRole = await ensureApplicationRole(ownerUrl, databaseUrl);
  const migrations = await migrate(session.orm, applicationRole);
  await prepareQueues(session, applicationRole);
  return migrations;
}
