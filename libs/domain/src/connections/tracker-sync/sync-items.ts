import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { findJobActor } from '../../access/user/principal.js';
import type { Actor } from '../../kernel/actor.js';
import { OPERATOR_ID, serviceOf } from '../../kernel/operator.js';
import { inclusionReason } from '../../projects/project-countermeasure/inclusion-reason.sql.js';
import { riskRelevant } from '../../projects/project-countermeasure/project-countermeasure.projection.js';
import {
  projectCountermeasures,
  publicIdOf,
} from '../../projects/project-countermeasure/project-countermeasure.sql.js';
import type { ConnectorParams } from '../connector/connector.rules.js';
import type { ConflictPolicy } from '../tracker-connection/tracker-connection.rules.js';
import type { StatusRules } from '../tracked-issue/compare.js';
import type { SyncedCountermeasure } from '../tracked-issue/issue-text.js';
import type { TrackedRow } from '../tracked-issue/plan.js';

/** A connection with its connector, as a run or a preview needs it. */
export interface SyncedConnection extends StatusRules {
  readonly id: number;
  readonly organizationId: number;
  readonly projectId: number;
  readonly projectKey: string;
  readonly issueType: string;
  readonly conflictPolicy: ConflictPolicy;
  readonly minPriority: number;
  readonly phases: readonly string[];
  readonly statusesInScope: readonly string[];
  readonly onlyRiskRelevant: boolean;
  readonly titleFormat: string;
  readonly labels: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
  readonly priorityMap: Readonly<Record<string, string>>;
  readonly closeOutOfScope: boolean;
  /** Up to when the changes in the tracker are known, in ISO 8601; null if there was no issue. */
  readonly cursor: string | null;
  /** Whether all issues have to be listed, to find those that are gone. */
  readonly isListingDue: boolean;
  readonly system: string;
  readonly params: ConnectorParams;
  readonly sealedSecrets: string;
}

/** Every issue is listed at least this often. */
const LIST_HOURS = 24;

/** Finds a connection with its connector. */
export async function findSyncedConnection(em: EntityManager, id: number): Promise<SyncedConnection | undefined> {
  const { rows } = await sql<SyncedConnection>`
    SELECT c.id, c.organization_id AS "organizationId", c.project_id AS "projectId", c.project_key AS "projectKey",
      c.issue_type AS "issueType", c.conflict_policy AS "conflictPolicy", c.min_priority AS "minPriority", c.phases,
      c.statuses_in_scope AS "statusesInScope", c.only_risk_relevant AS "onlyRiskRelevant",
      c.title_format AS "titleFormat", c.labels, c.fields, c.priority_map AS "priorityMap",
      c.status_to_tracker AS "statusToTracker", c.tracker_to_status AS "trackerToStatus",
      c.close_out_of_scope AS "closeOutOfScope",
      to_char(c.cursor AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS cursor,
      (c.listed_at IS NULL OR c.listed_at < now() - make_interval(hours => ${LIST_HOURS})) AS "isListingDue",
      k.system, k.params, k.sealed_secrets AS "sealedSecrets"
    FROM tracker_connection c JOIN connector k ON k.id = c.connector_id WHERE c.id = ${id}`.execute(em.getKysely());
  return rows[0];
}

/** The service as the actor of a run, with the flags of the organization. */
export async function syncActor(em: EntityManager, organizationId: number): Promise<Actor> {
  const { flags } = await findJobActor(em, OPERATOR_ID, organizationId);
  return { ...serviceOf(organizationId), flags };
}

/** A countermeasure that is in scope or has an issue. */
export interface SyncEntry extends SyncedCountermeasure {
  readonly inScope: boolean;
  readonly row: TrackedRow | null;
}

const BATCH = 200;

const trackedRow: Sql = sql`json_build_object('id', t.id, 'marker', t.marker, 'status', t.status,
  'issueId', t.issue_id, 'issueKey', t.issue_key, 'base', t.base, 'seen', t.seen)`;

/**
 * The next countermeasures of a connection's project that are in scope or have an issue, in the order of their internal
 * ids. The status is not part of the scope: an issue follows all statuses.
 *
 * @param after the last one that was returned before
 */
export async function nextEntries(
  em: EntityManager,
  { id, projectId, organizationId, minPriority, phases, onlyRiskRelevant }: SyncedConnection,
  { flags }: Pick<Actor, 'flags'>,
  after: number,
): Promise<readonly SyncEntry[]> {
  const project = sql`${projectId}::bigint`;
  const inPhases = phases.length
    ? sql`(SELECT f.item_id FROM phase f WHERE f.id = item.phase_id) = ANY(${phases}::text[])`
    : sql`true`;
  const inScope = sql`(item.relevant AND item.accepted AND item.priority >= ${minPriority} AND ${inPhases}
    AND ${onlyRiskRelevant ? riskRelevant : sql`true`})`;
  const { rows } = await sql<SyncEntry>`
    SELECT item.id AS identity, ${publicIdOf('item')} AS id, item.task_id AS "taskId", item.title, item.text,
      item.priority, 'TS' || item.status_id AS status,
      (extract(epoch FROM coalesce(item.status_updated_at, item.created_at)) * 1000)::float8 AS "statusChanged",
      ${inclusionReason(project, { organization: organizationId, flags })} AS reason,
      ${inScope} AS "inScope", CASE WHEN t.id IS NOT NULL THEN ${trackedRow} END AS row
    FROM ${projectCountermeasures(organizationId)} item
    LEFT JOIN tracked_issue t ON t.connection_id = ${id} AND t.project_countermeasure_id = item.id
    WHERE item.project_id = ${project} AND item.id > ${after} AND (t.id IS NOT NULL OR ${inScope})
    ORDER BY item.id LIMIT ${BATCH}`.execute(em.getKysely());
  return rows;
}

/** Issues whose countermeasure was deleted, and which are still open for the connection. */
export async function orphans(em: EntityManager, connection: number): Promise<readonly TrackedRow[]> {
  const { rows } = await sql<{ row: TrackedRow }>`
    SELECT ${trackedRow} AS row FROM tracked_issue t
    WHERE t.connection_id = ${connection} AND t.project_countermeasure_id IS NULL AND t.issue_id IS NOT NULL
      AND t.status IN ('synced', 'failed')
    ORDER BY t.id`.execute(em.getKysely());
  return rows.map(({ row }) => row);
}

/** The ids of the issues that should exist in the tracker. */
export async function knownIssues(
  em: EntityManager,
  connection: number,
): Promise<readonly { readonly id: number; readonly issueId: string; readonly project: string | null }[]> {
  const { rows } = await sql<{ id: number; issueId: string; project: string | null }>`
    SELECT t.id, t.issue_id AS "issueId", t.seen ->> 'project' AS project FROM tracked_issue t
    WHERE t.connection_id = ${connection} AND t.issue_id IS NOT NULL AND t.status <> 'missing'
    ORDER BY t.id`.execute(em.getKysely());
  return rows;
}
