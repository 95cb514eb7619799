import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Verb } from '../../activity/activities.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import { numericId } from '../../kernel/row-to-change.js';
import { asJson, clockTime, tables } from '../../kernel/tables.js';
import type { PhaseUse, RemovedPhase } from '../../library/events/library.events.js';
import { type FoundProject, inProject, projectToChange } from '../../projects/project-access/find-project.js';
import { Connector } from '../connector/connector.entity.js';
import { nextRun } from './schedule.js';
import { TrackerConnection } from './tracker-connection.entity.js';
import type { TrackerConnectionInput } from './tracker-connection.fields.js';
import { closingStatus, DEFAULT_STATUSES, DEFAULT_TITLE_FORMAT } from './tracker-connection.rules.js';

/** Only leads connect a project to a tracker: its countermeasures leave Merlon. */
export const CONNECTION_CAPABILITY = 'project';

interface FoundConnection {
  readonly id: number;
  readonly connector_id: number;
  readonly project_key: string;
  readonly close_out_of_scope: boolean;
  readonly status_to_tracker: Readonly<Record<string, string>>;
}

const record = (
  em: EntityManager,
  actor: Actor,
  project: FoundProject,
  verb: Verb,
  { id, project_key: title }: Pick<FoundConnection, 'id' | 'project_key'>,
): Promise<void> =>
  recordActivity(em, actor, { subject: 'tracker_connection', verb, id, title, also: inProject(project) });

/** Throws `Invalid` if a reference does not exist, or the connection would not know how to close issues. */
async function assertValid(
  em: EntityManager,
  actor: Actor,
  { connector, phases = [], close_out_of_scope: closes, status_to_tracker: statuses }: Partial<TrackerConnectionInput>,
): Promise<void> {
  const errors: FieldErrors = {};
  if (connector !== undefined) {
    const found = await tables(em, Connector)
      .selectFrom('connector')
      .select('id')
      .where('id', '=', connector)
      .where('organization_id', '=', actor.organizationId)
      .where('kind', '=', 'issue_tracker')
      .forKeyShare()
      .executeTakeFirst();
    if (!found) errors['connector'] = missingMessages(String(connector));
  }
  const known = await findIdentities(em, actor, 'phase', [...phases], { hold: true });
  const unknown = phases.filter((id) => !known.has(id));
  if (unknown.length) errors['phases'] = unknown.flatMap(missingMessages);
  if (closes === true && closingStatus(statuses as Readonly<Record<string, string>>) === undefined)
    errors['close_out_of_scope'] = ['To close issues, "status_to_tracker" needs a status for TS3 or TS1.'];
  if (Object.keys(errors).length) throw new Invalid(errors);
}

/** The columns of the fields that are given. */
const columnsOf = ({
  connector,
  phases,
  labels,
  fields,
  priority_map: priorities,
  status_to_tracker: toTracker,
  tracker_to_status: toStatus,
  statuses_in_scope: statuses,
  ...others
}: Partial<TrackerConnectionInput>) => ({
  ...others,
  ...(connector !== undefined && { connector_id: connector }),
  ...(phases && { phases: cleanTexts(phases) }),
  ...(labels && { labels: cleanTexts(labels) }),
  ...(statuses && { statuses_in_scope: [...statuses] }),
  ...(fields && { fields: jsonOf(fields) }),
  ...(priorities && { priority_map: jsonOf(priorities) }),
  ...(toTracker && { status_to_tracker: jsonOf(toTracker) }),
  ...(toStatus && { tracker_to_status: jsonOf(toStatus) }),
});

const jsonOf = (map: Readonly<Record<string, unknown>>) => asJson(map).$castTo<Readonly<Record<string, string>>>();

/** Connects a project to a tracker; returns the id of the connection. Throws `NotFound`, `Forbidden`, `Invalid`. */
export async function createTrackerConnection(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  input: TrackerConnectionInput,
): Promise<string> {
  const project = await projectToChange(em, actor, projectId, CONNECTION_CAPABILITY);
  await assertValid(em, actor, { status_to_tracker: {}, ...input });
  const { id } = await tables(em, TrackerConnection)
    .insertInto('tracker_connection')
    .values({
      title_format: DEFAULT_TITLE_FORMAT,
      statuses_in_scope: [...DEFAULT_STATUSES],
      ...columnsOf(input),
      connector_id: input.connector,
      project_key: input.project_key,
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
export async function connectionToChange(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
): Promise<{ readonly project: FoundProject; readonly connection: FoundConnection }> {
  const project = await projectToChange(em, actor, projectId, CONNECTION_CAPABILITY);
  const connection = await tables(em, TrackerConnection)
    .selectFrom('tracker_connection')
    .select(['id', 'connector_id', 'project_key', 'close_out_of_scope', 'status_to_tracker'])
    .where('id', '=', numericId(id))
    .where('project_id', '=', project.id)
    .forUpdate()
    .executeTakeFirst();
  if (!connection) throw new NotFound();
  return { project, connection };
}

/** Throws `Invalid` if the issues of a connection are in another project than the one it is to name. */
async function assertSameProject(
  em: EntityManager,
  { id, connector_id: connector, project_key: key }: FoundConnection,
  changes: Partial<TrackerConnectionInput>,
): Promise<void> {
  const errors: FieldErrors = {};
  const message = 'Its issues are elsewhere. Create another connection.';
  if ((changes.connector ?? connector) !== connector) errors['connector'] = [message];
  if ((changes.project_key ?? key) !== key) errors['project_key'] = [message];
  if (!Object.keys(errors).length) return;
  const { rows } = await sql`SELECT 1 FROM tracked_issue WHERE connection_id = ${id} LIMIT 1`.execute(em.getKysely());
  if (rows.length) throw new Invalid(errors);
}

/** Changes a connection. Another frequency counts from now on. Throws `NotFound`, `Forbidden`, `Invalid`. */
export async function updateTrackerConnection(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
  changes: Partial<TrackerConnectionInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const { project, connection } = await connectionToChange(em, actor, projectId, id);
  const { close_out_of_scope: closes, status_to_tracker: statuses } = connection;
  await assertValid(em, actor, { close_out_of_scope: closes, status_to_tracker: statuses, ...changes });
  await assertSameProject(em, connection, changes);
  const { frequency } = changes;
  await tables(em, TrackerConnection)
    .updateTable('tracker_connection')
    .set({
      ...columnsOf(changes),
      ...(frequency !== undefined && { due_at: nextRun(frequency) }),
      updated_at: clockTime,
    })
    .where('id', '=', connection.id)
    .execute();
  await record(em, actor, project, 'Updated', { ...connection, ...changes });
}

/** Deletes a connection. Its issues stay in the tracker. Throws `NotFound`, `Forbidden`. */
export async function removeTrackerConnection(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
): Promise<void> {
  const { project, connection } = await connectionToChange(em, actor, projectId, id);
  await tables(em, TrackerConnection).deleteFrom('tracker_connection').where('id', '=', connection.id).execute();
  await record(em, actor, project, 'Deleted', connection);
}

/** The connections that name a phase. */
export async function connectionsOfPhase(em: EntityManager, actor: Actor, { id }: RemovedPhase): Promise<PhaseUse> {
  const connections = await tables(em, TrackerConnection)
    .selectFrom('tracker_connection')
    .select('project_key')
    .where('organization_id', '=', actor.organizationId)
    .where(sql<boolean>`${id} = ANY(phases)`)
    .orderBy('id')
    .execute();
  return { words: 'issue tracker connection', ids: connections.map(({ project_key: key }) => key) };
}
