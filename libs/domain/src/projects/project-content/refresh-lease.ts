import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { type Fenced, Lease } from '../../kernel/lease/lease.js';
import { isDueProject, isPendingProject } from './library-change.js';

/** The lease on an organization ends this long after its worker last renewed it. */
export const REFRESH_LEASE_SECONDS = 8;

/** An organization with projects to refresh. */
export type DueOrganization = {
  readonly organization: number;
  readonly fence: number;
};

const refreshLease = new Lease({
  table: 'organization',
  columns: {
    owner: null,
    until: 'refresh_lease_until',
    fence: 'refresh_fence',
    queuedUntil: 'refresh_queued_until',
  },
  requeueSeconds: 2,
  countsLostWorkersOnly: true,
});

const dueOf = ({ id, fence }: Fenced): DueOrganization => ({ organization: id, fence });
const fencedOf = ({ organization, fence }: DueOrganization): Fenced => ({ id: organization, fence });

/** Whether an organization `item` has projects to refresh. */
const isDue: Sql = sql`item.id IN (SELECT organization_id FROM library_change
  UNION SELECT p.organization_id FROM project p WHERE ${isDueProject})`;

/** Queues organizations that wait for a worker. */
export async function queueOrganizations(em: EntityManager, limit: number): Promise<DueOrganization[]> {
  return (await refreshLease.queue(em, { where: isDue, orderBy: sql`item.id`, limit })).map(dueOf);
}

/** Leases an organization to a worker. Undefined if it does not wait for one. */
export async function leaseOrganization(
  em: EntityManager,
  { organization }: Pick<DueOrganization, 'organization'>,
): Promise<DueOrganization | undefined> {
  const lease = await refreshLease.take(em, organization, { seconds: REFRESH_LEASE_SECONDS, where: isDue });
  return lease && dueOf(lease);
}

/** Whether another organization waits for a worker. */
export async function othersWait(em: EntityManager, { organization }: DueOrganization): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM organization item
    WHERE item.id <> ${organization} AND ${refreshLease.isFree} AND ${isDue} LIMIT 1`.execute(em.getKysely());
  return rows.length > 0;
}

/** Extends a lease. `lost` means that another worker has the organization. */
export const renewRefreshLease = (em: EntityManager, lease: DueOrganization): Promise<'held' | 'lost'> =>
  refreshLease.renew(em, fencedOf(lease), REFRESH_LEASE_SECONDS);

/**
 * Ends a lease, so that remaining or new work waits for the next worker, and records if no work remains. Does nothing
 * if another worker has the organization.
 */
export async function releaseRefreshLease(em: EntityManager, lease: DueOrganization): Promise<void> {
  const { organization } = lease;
  const completed = sql`refresh_completed_at = CASE WHEN
      EXISTS (SELECT 1 FROM library_change WHERE organization_id = ${organization})
      OR EXISTS (SELECT 1 FROM project p WHERE p.organization_id = ${organization} AND ${isPendingProject})
    THEN refresh_completed_at ELSE clock_timestamp() END`;
  await refreshLease.change(em, fencedOf(lease), sql`${refreshLease.ended}, ${completed}`);
}
