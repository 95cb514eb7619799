import type { EntityManager } from '@mikro-orm/postgresql';
import type { Verb } from '../../activity/activities.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { numericId } from '../../kernel/row-to-change.js';
import { clockTime, tables } from '../../kernel/tables.js';
import { type FoundProject, inProject, projectToChange } from '../../projects/project-access/find-project.js';
import { Connector } from '../connector/connector.entity.js';
import { CONNECTION_CAPABILITY } from '../tracker-connection/tracker-connection.commands.js';
import { nextRun } from '../tracker-connection/schedule.js';
import { verificationLease } from '../leased-connection/leased-connection.js';
import { VerificationConnection } from './verification-connection.entity.js';
import type { VerificationConnectionInput } from './verification-connection.fields.js';

interface FoundConnection {
  readonly id: number;
  readonly project_key: string;
}

const record = (
  em: EntityManager,
  actor: Actor,
  project: FoundProject,
  verb: Verb,
  { id, project_key: title }: FoundConnection,
): Promise<void> =>
  recordActivity(em, actor, { subject: 'verification_connection', verb, id, title, also: inProject(project) });

/** Throws `Invalid` if there is no such connector to a verification tool. */
async function assertConnector(em: EntityManager, actor: Actor, connector: number): Promise<void> {
  const found = await tables(em, Connector)
    .selectFrom('connector')
    .select('id')
    .where('id', '=', connector)
    .where('organization_id', '=', actor.organizationId)
    .where('kind', '=', 'analysis')
    .forKeyShare()
    .executeTakeFirst();
  if (!found) throw new Invalid({ connector: missingMessages(String(connector)) });
}

/** Connects a project to a verification tool; returns the id. Throws `NotFound`, `Forbidden`, `Invalid`. */
export async function createVerificationConnection(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  { connector, ...input }: VerificationConnectionInput,
): Promise<string> {
  const project = await projectToChange(em, actor, projectId, CONNECTION_CAPABILITY);
  await assertConnector(em, actor, connector);
  const { id } = await tables(em, VerificationConnection)
    .insertInto('verification_connection')
    .values({
      ...input,
      connector_id: connector,
      organization_id: actor.organizationId,
      project_id: project.id,
      due_at: nextRun(input.frequency ?? 'manually'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(em, actor, project, 'Created', { id, project_key: input.project_key });
  return String(id);
}

/** Finds and locks a connection of a project that the actor leads. Throws `NotFound`, `Forbidden`. */
async function connectionToChange(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
): Promise<{ readonly project: FoundProject; readonly connection: FoundConnection }> {
  const project = await projectToChange(em, actor, projectId, CONNECTION_CAPABILITY);
  const connection = await tables(em, VerificationConnection)
    .selectFrom('verification_connection')
    .select(['id', 'project_key'])
    .where('id', '=', numericId(id))
    .where('project_id', '=', project.id)
    .forUpdate()
    .executeTakeFirst();
  if (!connection) throw new NotFound();
  return { project, connection };
}

/** Changes a connection. Another frequency counts from now on. Throws `NotFound`, `Forbidden`, `Invalid`. */
export async function updateVerificationConnection(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
  changes: Partial<VerificationConnectionInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const { project, connection } = await connectionToChange(em, actor, projectId, id);
  const { connector, ...columns } = changes;
  if (connector !== undefined) await assertConnector(em, actor, connector);
  await tables(em, VerificationConnection)
    .updateTable('verification_connection')
    .set({
      ...columns,
      ...(connector !== undefined && { connector_id: connector }),
      ...(changes.frequency !== undefined && { due_at: nextRun(changes.frequency) }),
      updated_at: clockTime,
    })
    .where('id', '=', connection.id)
    .execute();
  await record(em, actor, project, 'Updated', { ...connection, ...changes });
}

/** Deletes a connection. Its results stay. Throws `NotFound`, `Forbidden`. */
export async function removeVerificationConnection(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
): Promise<void> {
  const { project, connection } = await connectionToChange(em, actor, projectId, id);
  await tables(em, VerificationConnection)
    .deleteFrom('verification_connection')
    .where('id', '=', connection.id)
    .execute();
  await record(em, actor, project, 'Deleted', connection);
}

/**
 * Asks for a run now; returns the id of the connection. Throws `NotFound`, `Forbidden`, and `Invalid` for an archived
 * project.
 */
export async function requestVerification(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
): Promise<string> {
  const { project, connection } = await connectionToChange(em, actor, projectId, id);
  if (project.archived) throw new Invalid({ non_field_errors: ['The project is archived.'] });
  await verificationLease.makeDue(em, connection.id);
  return String(connection.id);
}
