import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { asSubject, projectNamed } from '../../projects/project-access/find-project.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { tables } from '../../kernel/tables.js';
import { Connector } from '../connector/connector.entity.js';
import { OnboardingScan } from './scan.entity.js';
import { NO_SCANNER } from './scan.rules.js';
import type { ScanInput } from './scan.fields.js';

/** Throws `Invalid` where the organization has no such connector. It stays until the transaction ends. */
async function checkConnection(em: EntityManager, actor: Actor, id: number): Promise<void> {
  const connector = await tables(em, Connector)
    .selectFrom('connector')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', actor.organizationId)
    .forKeyShare()
    .executeTakeFirst();
  if (!connector) throw new Invalid({ connection: missingMessages(String(id)) });
}

/** Records that a repository is to be scanned for a project; returns the scan's id. Throws `Invalid`, `Forbidden`. */
export async function createScan(em: EntityManager, actor: Actor, input: ScanInput): Promise<string> {
  const { connection = null, repository_url: url } = input;
  // What a scan would find says how a project is built, as its survey does.
  const project = await projectNamed(em, actor, input.project, 'survey');
  if (connection !== null) await checkConnection(em, actor, connection);
  const { id } = await tables(em, OnboardingScan)
    .insertInto('onboarding_scan')
    .values({ project_id: project.id, connector_id: connection, repository_url: url, status: NO_SCANNER })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordActivity(em, actor, { subject: 'project', verb: 'Updated', ...asSubject(project) });
  return String(id);
}
