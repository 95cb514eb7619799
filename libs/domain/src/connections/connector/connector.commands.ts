import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import type { Verb } from '../../activity/activities.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { countNoun, Invalid, NotFound } from '../../kernel/domain-errors.js';
import { asJson, tables } from '../../kernel/tables.js';
import { Connector } from './connector.entity.js';
import { changeParams, type StoredParams, storeParams } from './connector.params.js';
import type { ConnectorInput } from './connector.fields.js';
import { type ConnectorKind, type ConnectorParams, omitUnsetParams } from './connector.rules.js';
import { numericId } from '../../kernel/row-to-change.js';

interface FoundConnector extends StoredParams {
  readonly id: number;
  readonly name: string;
  readonly system: string;
}

const record = (
  em: EntityManager,
  actor: Actor,
  verb: Verb,
  { id, name }: Pick<FoundConnector, 'id' | 'name'>,
): Promise<void> => recordActivity(em, actor, { subject: 'connector', verb, id, title: name });

/** Creates a connector; returns its public id. Throws `Invalid`. */
export async function createConnector(
  em: EntityManager,
  actor: Actor,
  kind: ConnectorKind,
  { name, system, params = {}, inaccessible = false }: ConnectorInput,
  secrets: SecretBox,
): Promise<string> {
  const stored = storeParams(system.id, omitUnsetParams(params), secrets);
  const { id } = await tables(em, Connector)
    .insertInto('connector')
    .values({
      organization_id: actor.organizationId,
      kind,
      name,
      system: system.id,
      params: asJson(stored.params),
      sealed_secrets: stored.sealedSecrets,
      inaccessible,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(em, actor, 'Created', { id, name });
  return String(id);
}

/** Finds a connector of the actor's organization and locks it. Throws `NotFound`. */
async function findConnector(
  em: EntityManager,
  actor: Actor,
  kind: ConnectorKind,
  id: string,
): Promise<FoundConnector> {
  const connector = await tables(em, Connector)
    .selectFrom('connector')
    .select(['id', 'name', 'system', 'params', 'sealed_secrets as sealedSecrets'])
    .where('id', '=', numericId(id))
    .where('organization_id', '=', actor.organizationId)
    .where('kind', '=', kind)
    .forUpdate()
    .$narrowType<{ params: ConnectorParams }>()
    .executeTakeFirst();
  if (!connector) throw new NotFound();
  return connector;
}

/** Changes a connector. Changing its system replaces all parameters. Throws `NotFound`, `Invalid`. */
export async function updateConnector(
  em: EntityManager,
  actor: Actor,
  kind: ConnectorKind,
  id: string,
  changes: Partial<ConnectorInput>,
  secrets: SecretBox,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const connector = await findConnector(em, actor, kind, id);
  const { name = connector.name, system: { id: system } = { id: connector.system }, params = {} } = changes;
  const newParams = system === connector.system ? changeParams(connector, params, secrets) : omitUnsetParams(params);
  const stored = changes.params || changes.system ? storeParams(system, newParams, secrets) : connector;
  await tables(em, Connector)
    .updateTable('connector')
    .set({
      name,
      system,
      params: asJson(stored.params),
      sealed_secrets: stored.sealedSecrets,
      inaccessible: changes.inaccessible,
    })
    .where('id', '=', connector.id)
    .execute();
  await record(em, actor, 'Updated', { id: connector.id, name });
}

/** Throws `Invalid` if projects are connected through the connector: their issues would be forgotten. */
async function assertUnused(em: EntityManager, { id }: Pick<FoundConnector, 'id'>): Promise<void> {
  const { rows } = await sql<{ count: number }>`SELECT count(DISTINCT project_id)::int AS count FROM (
      SELECT project_id FROM tracker_connection WHERE connector_id = ${id} UNION ALL
      SELECT project_id FROM verification_connection WHERE connector_id = ${id}) used`.execute(em.getKysely());
  const count = rows[0]?.count ?? 0;
  if (count)
    throw new Invalid({
      non_field_errors: [`It connects ${countNoun(count, 'project')} to its system. Delete those connections first.`],
    });
}

/** Deletes a connector with its secrets. Throws `NotFound`, and `Invalid` if it is in use. */
export async function removeConnector(em: EntityManager, actor: Actor, kind: ConnectorKind, id: string): Promise<void> {
  const connector = await findConnector(em, actor, kind, id);
  await assertUnused(em, connector);
  await tables(em, Connector).deleteFrom('connector').where('id', '=', connector.id).execute();
  await record(em, actor, 'Deleted', connector);
}
