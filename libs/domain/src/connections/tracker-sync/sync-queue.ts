import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { Invalid } from '../../kernel/domain-errors.js';
import type { Fenced } from '../../kernel/lease/lease.js';
import { type LeasedConnection, trackerLease } from '../leased-connection/leased-connection.js';
import { connectionToChange } from '../tracker-connection/tracker-connection.commands.js';
import { nextRunOf } from '../tracker-connection/schedule.js';
import { syncRunMachine } from './sync-run.machine.js';

/** A run that a worker has begun, or continues. */
export interface BegunRun {
  readonly id: number;
  readonly requested: boolean;
  /** Whether it has read the changes in the tracker. */
  readonly listed: boolean;
  /** The last countermeasure that it has compared. */
  readonly position: number;
}

/** Older runs are deleted. */
const MAX_RUNS = 200;

/**
 * Queues connections that are due. `failing` selects those whose last run failed, or the others, so that trackers that
 * do not respond only delay each other.
 */
export const queueConnections = (em: EntityManager, limit: number, failing: boolean): Promise<Fenced[]> =>
  trackerLease.queue(em, limit, sql`(item.failures > 0) = ${failing}`);

/** Begins a run, or continues the unfinished one. */
export async function beginRun(em: EntityManager, lease: LeasedConnection): Promise<BegunRun> {
  await trackerLease.hold(em, lease);
  const next = sql`CASE WHEN item.due_at <= now() THEN ${nextRunOf('item')} ELSE item.due_at END`;
  await trackerLease.change(em, lease, sql`resume_at = now(), due_at = ${next}`);
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
  await trackerLease.hold(em, lease);
  await sql`UPDATE tracker_sync_run SET position = ${run.position} WHERE id = ${run.id}`.execute(em.getKysely());
  const resumes = sql`resume_at = now() + make_interval(secs => ${seconds})`;
  await trackerLease.interrupt(em, lease, resumes);
}

/** Ends a run, and the lease. A failed run of a scheduled connection is repeated earlier than the schedule says. */
export async function endRun(
  em: EntityManager,
  lease: LeasedConnection,
  run: Pick<BegunRun, 'id'>,
  error: string | undefined,
): Promise<void> {
  await trackerLease.hold(em, lease);
  await syncRunMachine.tryMove(em, error === undefined ? 'succeed' : 'fail', {
    where: sql`item.id = ${run.id}`,
    set: sql`finished_at = clock_timestamp(), error = ${error ?? null}`,
  });
  await trackerLease.end(em, lease, error === undefined ? 'succeeded' : 'failed', sql`resume_at = NULL`);
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
  await trackerLease.makeDue(em, connection.id);
  const { rows } = await sql<{ id: number }>`SELECT id FROM tracker_sync_run
    WHERE connection_id = ${connection.id} AND status IN ('pending', 'running')`.execute(em.getKysely());
  return String(rows[0]?.id);
}
