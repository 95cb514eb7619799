import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { isDueProject, isPendingProject } from './library-change.js';

/** The lease on an organization ends this long after its worker last renewed it. */
export const REFRESH_LEASE_SECONDS = 8;

/** If no worker takes an organization within this time, the relay queues it again: its queue entry may be lost. */
const REQUEUE_SECONDS = 2;

/** An organization with projects to refresh. The fence changes only if a worker died while it had the organization. */
export type DueOrganization = {
  readonly organization: number;
  readonly fence: number;
};

const leaseEnd: Sql = sql`now() + make_interval(secs => ${REFRESH_LEASE_SECONDS})`;

/** Whether an organization `o` has projects to refresh, and no worker has a lease on it. */
const isWaiting: Sql = sql`(o.refresh_lease_until IS NULL OR o.refresh_lease_until < now())
  AND o.id IN (SELECT organization_id FROM library_change
    UNION SELECT p.organization_id FROM project p WHERE ${isDueProject})`;

/** An expired lease belongs to a worker that died: its fence must not be valid any more. */
const nextFence: Sql = sql`refresh_fence + CASE WHEN refresh_lease_until IS NULL THEN 0 ELSE 1 END`;

const isLeased = ({ organization, fence }: DueOrganization): Sql =>
  sql`id = ${organization} AND refresh_fence = ${fence} AND refresh_lease_until IS NOT NULL`;

/**
 * Returns organizations that wait for a worker, and postpones when they are queued again. Their fence stays the same
 * from one turn to the next, so each has one queue entry at most. Commit before queueing them.
 */
export async function claimDueOrganizations(em: EntityManager, limit: number): Promise<DueOrganization[]> {
  const { rows } = await sql<DueOrganization>`
    UPDATE organization SET refresh_queued_until = now() + make_interval(secs => ${REQUEUE_SECONDS}),
      refresh_fence = ${nextFence}, refresh_lease_until = NULL
    WHERE id IN (SELECT o.id FROM organization o
      WHERE ${isWaiting} AND (o.refresh_queued_until IS NULL OR o.refresh_queued_until < now())
      ORDER BY o.id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id AS organization, refresh_fence AS fence`.execute(em.getKysely());
  return rows;
}

/** Leases an organization to a worker. Undefined if it does not wait for one. */
export async function leaseOrganization(
  em: EntityManager,
  { organization }: Pick<DueOrganization, 'organization'>,
): Promise<DueOrganization | undefined> {
  const { rows } = await sql<DueOrganization>`
    UPDATE organization AS o SET refresh_lease_until = ${leaseEnd}, refresh_fence = ${nextFence}
    WHERE o.id = ${organization} AND ${isWaiting}
    RETURNING o.id AS organization, o.refresh_fence AS fence`.execute(em.getKysely());
  return rows[0];
}

/** Whether another organization waits for a worker. */
export async function othersWait(em: EntityManager, { organization }: DueOrganization): Promise<boolean> {
  const { rows } =
    await sql`SELECT 1 FROM organization o WHERE o.id <> ${organization} AND ${isWaiting} LIMIT 1`.execute(
      em.getKysely(),
    );
  return rows.length > 0;
}

/** Extends a lease. `lost` means that another worker has the organization. */
export async function renewRefreshLease(em: EntityManager, lease: DueOrganization): Promise<'held' | 'lost'> {
  const { rows } = await sql`UPDATE organization SET refresh_lease_until = ${leaseEnd}
    WHERE ${isLeased(lease)} RETURNING id`.execute(em.getKysely());
  return rows.length ? 'held' : 'lost';
}

/**
 * Ends a lease, so that remaining or new work waits for the next worker, and records if no work remains. Does nothing
 * if another worker has the organization.
 */
export async function releaseRefreshLease(em: EntityManager, lease: DueOrganization): Promise<void> {
  const { organization } = lease;
  await sql`UPDATE organization SET refresh_lease_until = NULL, refresh_queued_until = NULL,
      refresh_completed_at = CASE WHEN
      EXISTS (SELECT 1 FROM library_change WHERE organization_id = ${organization})
      OR EXISTS (SELECT 1 FROM project p WHERE p.organization_id = ${organization} AND ${isPendingProject})
    THEN refresh_completed_at ELSE clock_timestamp() END
    WHERE ${isLeased(lease)}`.execute(em.getKysely());
}
