import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { type Fenced, Lease } from '../../kernel/lease/lease.js';
import { connectionToChange } from '../tracker-connection/tracker-connection.commands.js';
import { makeDue, nextRunOf } from '../tracker-connection/schedule.js';
import { syncRunMachine } from './sync-run.machine.js';

/** A connection that a worker has leased. */
export interface LeasedConnection extends Fenced {
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

const connectionLease = new Lease({ table: 'tracker_connection', requeueSeconds: 4 });

/** Longer than a request to a tracker may take, so that no other worker begins while one is under way. */
const LEASE_MARGIN_SECONDS = 5;

/** After the first failed run, and after each further one twice as long, at most as often as this. */
const FIRST_RETRY_SECONDS = 60;
const MAX_RETRY_DOUBLINGS = 6;

/** Older runs are deleted. */
const MAX_RUNS = 200;

/** Whether a connection `item` has to be synchronised now. */
const isDue: Sql = sql`coalesce(item.resume_at, item.due_at) <= now()
  AND NOT EXISTS (SELECT 1 FROM project p WHERE p.id = item.project_id AND p.archived)`;

/**
 * Queues connections that are due. `failing` selects those whose last run failed, or the others, so that trackers that
 * do not respond only delay each other.
 */
export const queueConnections = (em: EntityManager, limit: number, failing: boolean): Promise<Fenced[]> =>
  connectionLease.queue(em, {
    where: sql`${isDue} AND (item.failures > 0) = ${failing}`,
    orderBy: sql`coalesce(item.resume_at, item.due_at)`,
    limit,
  });

/** Leases a connection to a worker. Undefined if it is not due, or another worker has leased it. */
export const leaseConnection = (
  em: EntityManager,
  { id }: Pick<Fenced, 'id'>,
  owner: string,
  requestSeconds: number,
): Promise<LeasedConnection | undefined> =>
  connectionLease.take<Omit<LeasedConnection, keyof Fenced>>(em, id, {
    seconds: requestSeconds + LEASE_MARGIN_SECONDS,
    owner,
    where: isDue,
    returning: sql`item.organization_id AS "organizationId", item.project_id AS "projectId"`,
  });

/** Extends a lease. `lost` means that another worker has the connection, or that it was deleted. */
export const renewConnectionLease = (
  em: EntityManager,
  lease: Fenced,
  requestSeconds: number,
): Promise<'held' | 'lost'> => connectionLease.renew(em, lease, requestSeconds + LEASE_MARGIN_SECONDS);

/** Locks the connection until the transaction ends. Throws `LeaseLost` if the worker does not have it any more. */
export async function holdLease(em: EntityManager, lease: Fenced): Promise<void> {
  if (!(await connectionLease.hold(em, lease))) throw new LeaseLost('Another worker has the connection.');
}

/** Begins a run, or continues the unfinished one. */
export async function beginRun(em: EntityManager, lease: LeasedConnection): Promise<BegunRun> {
  await holdLease(em, lease);
  const next = sql`CASE WHEN item.due_at <= now() THEN ${nextRunOf('item')} ELSE item.due_at END`;
  await connectionLease.change(em, lease, sql`resume_at = now(), due_at = ${next}`);
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
  const resumes = sql`resume_at = now() + make_interval(secs => ${seconds})`;
  await connectionLease.change(em, lease, sql`${connectionLease.ended}, ${resumes}`);
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
    secs => ${FIRST_RETRY_SECONDS} * power(2, least(item.failures, ${MAX_RETRY_DOUBLINGS})))`;
  const next =
    error === undefined
      ? sql`failures = 0`
      : sql`failures = item.failures + 1,
        due_at = CASE WHEN item.frequency = 'manually' THEN item.due_at ELSE least(item.due_at, ${retry}) END`;
  await connectionLease.change(em, lease, sql`${connectionLease.ended}, resume_at = NULL, ${next}`);
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
