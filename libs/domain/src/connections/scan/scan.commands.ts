import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { asSubject, projectFromBody } from '../../projects/project-access/find-project.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { tables } from '../../kernel/tables.js';
import { Connector } from '../connector/connector.entity.js';
import { OnboardingScan } from './scan.entity.js';
import { NO_SCANNER, type ScanInput } from './scan.fields.js';

/** Throws `Invalid` if the organization has no such connector; otherwise locks it against deletion. */
async function assertConnectionExists(em: EntityManager, actor: Actor, id: number): Promise<void> {
  const connector = await tables(em, Connector)
    .selectFrom('connector')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', actor.organizationId)
    .forKeyShare()
    .executeTakeFirst();
  if (!connector) throw new Invalid({ connection: missingMessages(String(id)) });
}

/** Records a request to scan a repository for a project; returns the scan's id. Throws `Invalid`, `Forbidden`. */
export async function createScan(em: EntityManager, actor: Actor, input: ScanInput): Promise<string> {
  const { connection = null, repository_url: url } = input;
  // Like a survey, a scan would determine how a project is built, so it requires the same capability.
  const project = await projectFromBody(em, actor, input.project, 'survey');
  if (connection !== null) await assertConnectionExists(em, actor, connection);
  const { id } = await tables(em, OnboardingScan)
    .insertInto('onboarding_scan')
    .values({ project_id: project.id, connector_id: connection, repository_url: url, status: NO_SCANNER })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordActivity(em, actor, { subject: 'project', verb: 'Updated', ...asSubject(project) });
  return String(id);
}
