import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { type Fenced, Lease } from '../../kernel/lease/lease.js';
import { wakeRelay } from '../../kernel/lease/wake-relay.js';

/** A connection that a worker has leased. */
export interface LeasedConnection extends Fenced {
  readonly organizationId: number;
  readonly projectId: number;
}

/** The lease ended, and another worker may have the connection. */
export class LeaseLost extends Error {}

/** If no worker leases a connection within this time, the relay queues it again: its job may have been lost. */
const REQUEUE_SECONDS = 4;

/** Longer than a request may take, so that no other worker begins while one is under way. */
const LEASE_MARGIN_SECONDS = 5;

/** After the first failed run, and after each further one twice as long, at most as often as this. */
const FIRST_RETRY_SECONDS = 60;
const MAX_RETRY_DOUBLINGS = 6;

/**
 * The number of connections of one connector that are queued or running at a time. A worker has more slots
 * (`TRACKER_SYNC`), so a system that does not respond leaves some to the others, however many projects use it.
 */
const CONNECTIONS_AT_A_TIME = 3;

/** A failed run of a scheduled connection `item` is repeated earlier than the schedule says. */
const SUCCEEDED = sql`failures = 0`;
const FAILED = sql`failures = item.failures + 1,
  due_at = CASE WHEN item.frequency = 'manually' THEN item.due_at ELSE least(item.due_at, now() + make_interval(
    secs => ${FIRST_RETRY_SECONDS} * power(2, least(item.failures, ${MAX_RETRY_DOUBLINGS})))) END`;

/** How workers share the connections of a table: at any time, at most one of them has a connection. */
class ConnectionLease {
  private readonly lease: Lease;
  private readonly rows: Sql;
  private readonly isDue: Sql;
  private readonly isItsTurn: Sql;

  /** @param dueAt when a row `item` is due */
  constructor(
    table: 'tracker_connection' | 'verification_connection',
    private readonly dueAt: Sql,
  ) {
    this.lease = new Lease({ table, requeueSeconds: REQUEUE_SECONDS });
    this.rows = sql.table(table);
    this.isDue = sql`${dueAt} <= now()
      AND NOT EXISTS (SELECT 1 FROM project p WHERE p.id = item.project_id AND p.archived)`;
    const isUnderWay = sql`(coalesce(item.lease_until > now(), false) OR coalesce(item.queued_until > now(), false))`;
    this.isItsTurn = sql`item.id IN (SELECT waiting.id FROM (
      SELECT item.id, row_number() OVER (
        PARTITION BY item.connector_id ORDER BY ${isUnderWay} DESC, ${dueAt}, item.id) AS place
      FROM ${this.rows} AS item WHERE ${this.isDue}) AS waiting WHERE waiting.place <= ${CONNECTIONS_AT_A_TIME})`;
  }

  /** Makes a connection due at once, unless the tracker has asked for patience. */
  async makeDue(em: EntityManager, id: number): Promise<void> {
    await sql`UPDATE ${this.rows} SET due_at = now(), queued_until = NULL WHERE id = ${id}`.execute(em.getKysely());
    await wakeRelay(em);
  }

  /** Queues connections that are due and meet a condition on `item`. */
  queue(em: EntityManager, limit: number, condition: Sql = sql`true`): Promise<Fenced[]> {
    const where = sql`${this.isDue} AND ${condition} AND ${this.isItsTurn}`;
    return this.lease.queue(em, { where, orderBy: this.dueAt, limit });
  }

  /** Leases a connection to a worker. Undefined if it is not due, or another worker has leased it. */
  take(
    em: EntityManager,
    { id }: Pick<Fenced, 'id'>,
    owner: string,
    requestSeconds: number,
  ): Promise<LeasedConnection | undefined> {
    return this.lease.take<Omit<LeasedConnection, keyof Fenced>>(em, id, {
      seconds: requestSeconds + LEASE_MARGIN_SECONDS,
      owner,
      where: this.isDue,
      returning: sql`item.organization_id AS "organizationId", item.project_id AS "projectId"`,
    });
  }

  /** Extends a lease. `lost` means that another worker has the connection, or that it was deleted. */
  renew(em: EntityManager, lease: Fenced, requestSeconds: number): Promise<'held' | 'lost'> {
    return this.lease.renew(em, lease, requestSeconds + LEASE_MARGIN_SECONDS);
  }

  /** Locks the connection until the transaction ends. Throws `LeaseLost` if the worker does not have it any more. */
  async hold(em: EntityManager, lease: Fenced): Promise<void> {
    if (!(await this.lease.hold(em, lease))) throw new LeaseLost('Another worker has the connection.');
  }

  /** Changes a connection that a worker has. */
  async change(em: EntityManager, lease: Fenced, set: Sql): Promise<void> {
    await this.lease.change(em, lease, set);
  }

  /** Ends a lease before the run is complete. */
  async interrupt(em: EntityManager, lease: Fenced, set: Sql): Promise<void> {
    await this.change(em, lease, sql`${this.lease.ended}, ${set}`);
  }

  /** Ends a lease after a run. */
  async end(em: EntityManager, lease: Fenced, outcome: 'succeeded' | 'failed', set: Sql): Promise<void> {
    await this.interrupt(em, lease, sql`${outcome === 'failed' ? FAILED : SUCCEEDED}, ${set}`);
  }
}

/** Which worker has a connection to an issue tracker. */
export const trackerLease = new ConnectionLease('tracker_connection', sql`coalesce(item.resume_at, item.due_at)`);

/** Which worker has a connection to a verification tool. */
export const verificationLease = new ConnectionLease('verification_connection', sql`item.due_at`);
