import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { connectionToChange } from '../tracker-connection/tracker-connection.commands.js';
import { makeDue, nextRunOf } from '../tracker-connection/schedule.js';
import { syncRunMachine } from './sync-run.machine.js';

/** A connection that a worker may lease, with the fence that the relay read. */
export type DueConnection = {
  readonly id: number;
  readonly fence: number;
};

/** A connection that a worker has leased. */
export interface LeasedConnection extends DueConnection {
  readonly organizationId: number;
  readonly projectId: number;
}

/** A run that a worker has begun, or continues. */
export interface BegunRun {
  readonly id: number;
  readonly requested: boolean;
  /** Whether it has read the changes in the tracker. */
  readonly listed: boolean;
  /** The last countermeasure that it has compared. */
  readonly position: number;
}

/** The lease ended, and another worker may have the connection. */
export class LeaseLost extends Error {}

/** If no worker leases a connection within this time, the relay queues it again: its job may have been lost. */
const REQUEUE_SECONDS = 4;

/** Longer than a request to a tracker may take, so that no other worker begins while one is under way. */
const LEASE_MARGIN_SECONDS = 5;

/** After the first failed run, and after each further one twice as long, at most as often as this. */
const FIRST_RETRY_SECONDS = 60;
const MAX_RETRY_DOUBLINGS = 6;

/** Older runs are deleted. */
const MAX_RUNS = 200;

const isFree: Sql = sql`(c.lease_until IS NULL OR c.lease_until < now())`;
const hasFence = ({ id, fence }: DueConnection): Sql => sql`c.id = ${id} AND c.fence = ${fence}`;
const isDue: Sql = sql`coalesce(c.resume_at, c.due_at) <= now()
  AND NOT EXISTS (SELECT 1 FROM project p WHERE p.id = c.project_id AND p.archived)`;

/**
 * Returns connections that are due, and postpones when they are queued again. `failing` selects those whose last run
 * failed, or the others, so that trackers that do not respond only delay each other. Commit before queueing them.
 */
export async function claimDueConnections(
  em: EntityManager,
  limit: number,
  failing: boolean,
): Promise<DueConnection[]> {
  const { rows } = await sql<DueConnection>`
    UPDATE tracker_connection AS taken SET queued_until = now() + make_interval(secs => ${REQUEUE_SECONDS})
    FROM (SELECT c.id FROM tracker_connection c
      WHERE ${isDue} AND (c.failures > 0) = ${failing} AND ${isFree}
        AND (c.queued_until IS NULL OR c.queued_until < now())
      ORDER BY coalesce(c.resume_at, c.due_at) LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED) due
    WHERE taken.id = due.id RETURNING taken.id, taken.fence`.execute(em.getKysely());
  return rows;
}

/** Leases a connection to a worker. Undefined if it is not due, or another worker has leased it. */
export async function leaseConnection(
  em: EntityManager,
  { id }: Pick<DueConnection, 'id'>,
  owner: string,
  requestSeconds: number,
): Promise<LeasedConnection | undefined> {
  const { rows } = await sql<LeasedConnection>`
    UPDATE tracker_connection AS c SET fence = fence + 1, lease_owner = ${owner},
      lease_until = now() + make_interval(secs => ${requestSeconds + LEASE_MARGIN_SECONDS})
    WHERE c.id = ${id} AND ${isDue} AND ${isFree}
    RETURNING c.id, c.fence, c.organization_id AS "organizationId", c.project_id AS "projectId"`.execute(
    em.getKysely(),
  );
  return rows[0];
}

/** Extends a lease. `lost` means that another worker has the connection, or that it was deleted. */
export async function renewConnectionLease(
  em: EntityManager,
  lease: DueConnection,
  requestSeconds: number,
): Promise<'held' | 'lost'> {
  const { rows } = await sql`UPDATE tracker_connection AS c
    SET lease_until = now() + make_interval(secs => ${requestSeconds + LEASE_MARGIN_SECONDS})
    WHERE ${hasFence(lease)} AND c.lease_until IS NOT NULL RETURNING c.id`.execute(em.getKysely());
  return rows.length ? 'held' : 'lost';
}

/** Locks the connection until the transaction ends. Throws `LeaseLost` if the worker does not have it any more. */
export async function holdLease(em: EntityManager, lease: DueConnection): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM tracker_connection c
    WHERE ${hasFence(lease)} AND c.lease_until IS NOT NULL FOR NO KEY UPDATE`.execute(em.getKysely());
  if (!rows.length) throw new LeaseLost('Another worker has the connection.');
}

/** Begins a run, or continues the unfinished one. */
export async function beginRun(em: EntityManager, lease: LeasedConnection): Promise<BegunRun> {
  await holdLease(em, lease);
  await sql`UPDATE tracker_connection AS c SET resume_at = now(),
      due_at = CASE WHEN c.due_at <= now() THEN ${nextRunOf('c')} ELSE c.due_at END
    WHERE ${hasFence(lease)}`.execute(em.getKysely());
  await insertRun(em, lease.id, false);
  const begun = await syncRunMachine.tryMove<BegunRun>(em, 'start', {
    where: sql`item.connection_id = ${lease.id}`,
    set: sql`started_at = coalesce(item.started_at, now())`,
    returning: sql`item.id, item.requested, item.listed, item.position`,
  });
  if (!begun) throw new Error('The run that was just created does not exist.');
  return begun;
}

/** Creates a run, unless the connection has an unfinished one. */
const insertRun = (em: EntityManager, connection: number, requested: boolean): Promise<unknown> =>
  sql`INSERT INTO tracker_sync_run (connection_id, requested) VALUES (${connection}, ${requested})
    ON CONFLICT (connection_id) WHERE status IN ('pending', 'running') DO NOTHING`.execute(em.getKysely());

/** Interrupts a run: it continues after some seconds, behind its position. */
export async function pauseRun(
  em: EntityManager,
  lease: LeasedConnection,
  run: Pick<BegunRun, 'id' | 'position'>,
  seconds: number,
): Promise<void> {
  await holdLease(em, lease);
  await sql`UPDATE tracker_sync_run SET position = ${run.position} WHERE id = ${run.id}`.execute(em.getKysely());
  await sql`UPDATE tracker_connection AS c SET lease_owner = NULL, lease_until = NULL, queued_until = NULL,
      resume_at = now() + make_interval(secs => ${seconds})
    WHERE ${hasFence(lease)}`.execute(em.getKysely());
}

/** Ends a run, and the lease. A failed run of a scheduled connection is repeated earlier than the schedule says. */
export async function endRun(
  em: EntityManager,
  lease: LeasedConnection,
  run: Pick<BegunRun, 'id'>,
  error: string | undefined,
): Promise<void> {
  await holdLease(em, lease);
  await syncRunMachine.tryMove(em, error === undefined ? 'succeed' : 'fail', {
    where: sql`item.id = ${run.id}`,
    set: sql`finished_at = clock_timestamp(), error = ${error ?? null}`,
  });
  const retry = sql`now() + make_interval(
    secs => ${FIRST_RETRY_SECONDS} * power(2, least(c.failures, ${MAX_RETRY_DOUBLINGS})))`;
  const next =
    error === undefined
      ? sql`failures = 0`
      : sql`failures = c.failures + 1,
        due_at = CASE WHEN c.frequency = 'manually' THEN c.due_at ELSE least(c.due_at, ${retry}) END`;
  await sql`UPDATE tracker_connection AS c
    SET lease_owner = NULL, lease_until = NULL, queued_until = NULL, resume_at = NULL, ${next}
    WHERE ${hasFence(lease)}`.execute(em.getKysely());
  await sql`DELETE FROM tracker_sync_run WHERE connection_id = ${lease.id} AND id <= (
    SELECT id FROM tracker_sync_run WHERE connection_id = ${lease.id} ORDER BY id DESC
    OFFSET ${MAX_RUNS} LIMIT 1)`.execute(em.getKysely());
}

/**
 * Asks for a run now; returns its id. If one is under way, another one follows it. Throws `NotFound`, `Forbidden`, and
 * `Invalid` for an archived project.
 */
export async function requestRun(em: EntityManager, actor: Actor, projectId: string, id: string): Promise<string> {
  const { project, connection } = await connectionToChange(em, actor, projectId, id);
  if (project.archived) throw new Invalid({ non_field_errors: ['The project is archived.'] });
  await insertRun(em, connection.id, true);
  await makeDue(em, connection.id);
  const { rows } = await sql<{ id: number }>`SELECT id FROM tracker_sync_run
    WHERE connection_id = ${connection.id} AND status IN ('pending', 'running')`.execute(em.getKysely());
  return String(rows[0]?.id);
}
