import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';

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

/** The lease ended, and another worker may have the connection. */
export class LeaseLost extends Error {}

/** If no worker leases a connection within this time, the relay queues it again: its job may have been lost. */
const REQUEUE_SECONDS = 4;

/** Longer than a request may take, so that no other worker begins while one is under way. */
const LEASE_MARGIN_SECONDS = 5;

/** After the first failed run, and after each further one twice as long, at most as often as this. */
const FIRST_RETRY_SECONDS = 60;
const MAX_RETRY_DOUBLINGS = 6;

const isFree: Sql = sql`(c.lease_until IS NULL OR c.lease_until < now())`;

/** Whether the row `c` has the fence of a lease. */
export const hasFence = ({ id, fence }: DueConnection): Sql => sql`c.id = ${id} AND c.fence = ${fence}`;

/** The values of a row `c` whose run has ended: a failed one of a scheduled connection is repeated earlier. */
export const afterRun = (failed: boolean): Sql => {
  const released = sql`lease_owner = NULL, lease_until = NULL, queued_until = NULL`;
  if (!failed) return sql`${released}, failures = 0`;
  const retry = sql`now() + make_interval(
    secs => ${FIRST_RETRY_SECONDS} * power(2, least(c.failures, ${MAX_RETRY_DOUBLINGS})))`;
  return sql`${released}, failures = c.failures + 1,
    due_at = CASE WHEN c.frequency = 'manually' THEN c.due_at ELSE least(c.due_at, ${retry}) END`;
};

/**
 * How workers share the connections of a table: at any time, at most one of them has a connection.
 *
 * @param table the table, with the columns `due_at`, `queued_until`, `lease_owner`, `lease_until` and `fence`
 * @param dueAt when a row `c` is due
 */
export function leasedConnections(table: 'tracker_connection' | 'verification_connection', dueAt: Sql) {
  const connections = sql.table(table);
  const isDue = sql`${dueAt} <= now()
    AND NOT EXISTS (SELECT 1 FROM project p WHERE p.id = c.project_id AND p.archived)`;
  return {
    /**
     * Returns connections that are due and meet a condition, and postpones when they are queued again. Commit before
     * queueing them.
     */
    claimDue: async (em: EntityManager, limit: number, condition: Sql = sql`true`): Promise<DueConnection[]> => {
      const { rows } = await sql<DueConnection>`
        UPDATE ${connections} AS taken SET queued_until = now() + make_interval(secs => ${REQUEUE_SECONDS})
        FROM (SELECT c.id FROM ${connections} c
          WHERE ${isDue} AND ${condition} AND ${isFree} AND (c.queued_until IS NULL OR c.queued_until < now())
          ORDER BY ${dueAt} LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED) due
        WHERE taken.id = due.id RETURNING taken.id, taken.fence`.execute(em.getKysely());
      return rows;
    },

    /** Leases a connection to a worker. Undefined if it is not due, or another worker has leased it. */
    lease: async (
      em: EntityManager,
      { id }: Pick<DueConnection, 'id'>,
      owner: string,
      requestSeconds: number,
    ): Promise<LeasedConnection | undefined> => {
      const { rows } = await sql<LeasedConnection>`
        UPDATE ${connections} AS c SET fence = fence + 1, lease_owner = ${owner},
          lease_until = now() + make_interval(secs => ${requestSeconds + LEASE_MARGIN_SECONDS})
        WHERE c.id = ${id} AND ${isDue} AND ${isFree}
        RETURNING c.id, c.fence, c.organization_id AS "organizationId", c.project_id AS "projectId"`.execute(
        em.getKysely(),
      );
      return rows[0];
    },

    /** Extends a lease. `lost` means that another worker has the connection, or that it was deleted. */
    renew: async (em: EntityManager, lease: DueConnection, requestSeconds: number): Promise<'held' | 'lost'> => {
      const { rows } = await sql`UPDATE ${connections} AS c
        SET lease_until = now() + make_interval(secs => ${requestSeconds + LEASE_MARGIN_SECONDS})
        WHERE ${hasFence(lease)} AND c.lease_until IS NOT NULL RETURNING c.id`.execute(em.getKysely());
      return rows.length ? 'held' : 'lost';
    },

    /** Locks the connection until the transaction ends. Throws `LeaseLost` if the worker does not have it any more. */
    hold: async (em: EntityManager, lease: DueConnection): Promise<void> => {
      const { rows } = await sql`SELECT 1 FROM ${connections} c
        WHERE ${hasFence(lease)} AND c.lease_until IS NOT NULL FOR NO KEY UPDATE`.execute(em.getKysely());
      if (!rows.length) throw new LeaseLost('Another worker has the connection.');
    },
  };
}
