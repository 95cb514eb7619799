import { EntityManager } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { type TestOrganization, useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { makeWeakness } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import { untilWaitingForLock } from '#test/support/table-locks.js';
import { acrossOrganizations } from '../../kernel/across-organizations.js';
import { inTransaction } from '../../kernel/transaction.js';
import { propagateLibraryChanges, refreshDueProjects } from './library-change.js';
import {
  queueOrganizations,
  type DueOrganization,
  leaseOrganization,
  othersWait,
  releaseRefreshLease,
  renewRefreshLease,
} from './refresh-lease.js';

const test = useTestApi();
const emOf = (): EntityManager => test.running.app.get(EntityManager);
const claim = (): Promise<DueOrganization[]> =>
  acrossOrganizations(emOf(), 'queue what is due', (em) => queueOrganizations(em, 100));
const lease = (organization: number): Promise<DueOrganization | undefined> =>
  acrossOrganizations(emOf(), 'claim a job', (em) => leaseOrganization(em, { organization }));
const doOthersWait = (of: DueOrganization): Promise<boolean> =>
  acrossOrganizations(emOf(), 'claim a job', (em) => othersWait(em, of));
const scopeOf = ({ organization }: DueOrganization) => ({ organizationId: organization });
const renew = (held: DueOrganization) => inTransaction(emOf(), scopeOf(held), (em) => renewRefreshLease(em, held));
const release = (held: DueOrganization) => inTransaction(emOf(), scopeOf(held), (em) => releaseRefreshLease(em, held));
const propagate = (organizationId: number) =>
  inTransaction(emOf(), { organizationId }, (em) => propagateLibraryChanges(em, organizationId));
const refresh = (organizationId: number) =>
  inTransaction(emOf(), { organizationId }, (em) => refreshDueProjects(em, organizationId, 100));

/** Lets all leases expire. */
const silence = () =>
  test.database.query(`UPDATE organization SET refresh_lease_until = now() - interval '1 ms'
    WHERE refresh_lease_until IS NOT NULL`);
const askedAgain = () => test.database.query('UPDATE organization SET refresh_queued_until = NULL');

/** Organizations whose library has changed. */
const changed = async (count: number): Promise<TestOrganization[]> => {
  const organizations: TestOrganization[] = [];
  for (let index = 0; index < count; index += 1) {
    const organization = await test.newOrganization();
    await makeWeakness(organization.api);
    organizations.push(organization);
  }
  return organizations;
};

beforeEach(async () => {
  await test.database.query(`DELETE FROM library_change; UPDATE project SET refresh_due_at = NULL;
    UPDATE organization SET refresh_lease_until = NULL, refresh_queued_until = NULL`);
});

describe('Organizations with projects to refresh', () => {
  it('are leased to one worker each, which learns whether others wait', async () => {
    const [first, second] = (await changed(2)).map(({ id }) => id);
    const held = await lease(first ?? 0);
    expect(held?.organization).toBe(first);
    expect(await lease(first ?? 0)).toBeUndefined();
    expect(await doOthersWait(held!)).toBe(true);
    expect((await lease(second ?? 0))?.organization).toBe(second);
    expect(await doOthersWait(held!)).toBe(false);
  });

  it('keep the key of their queue entry from turn to turn, and are not queued while a worker has them', async () => {
    const [organization] = await changed(1);
    const [queued] = await claim();
    expect(queued?.organization).toBe(organization?.id);
    expect(await claim()).toEqual([]);
    for (let turn = 0; turn < 3; turn += 1) {
      const held = await lease(queued?.organization ?? 0);
      expect(held).toEqual(queued);
      await askedAgain();
      expect(await claim()).toEqual([]);
      await release(held!);
    }
    expect(await claim()).toEqual([queued]);
  });

  it('get another key once the lease of a dead worker has expired, whoever notices first', async () => {
    const [{ id } = { id: 0 }] = await changed(1);
    const dead = await lease(id);
    await silence();
    const [queued] = await claim();
    expect(queued?.fence).toBe(Number(dead?.fence) + 1);
    expect(await lease(id)).toEqual(queued);
    await silence();
    expect((await lease(id))?.fence).toBe(Number(queued?.fence) + 1);
  });

  it('are lost to a worker whose lease expired, which then cannot renew or release anything', async () => {
    const [{ id } = { id: 0 }] = await changed(1);
    const old = await lease(id);
    expect(await renew(old!)).toBe('held');
    await silence();
    const current = await lease(id);
    await changesNothing(test, async () => {
      expect(await renew(old!)).toBe('lost');
      await release(old!);
    });
    expect(await renew(current!)).toBe('held');
    await release(current!);
    expect(await renew(current!)).toBe('lost');
  });
});

describe('Projects that are due after a change of the library', () => {
  const dueOf = async (project: number): Promise<boolean> =>
    (await test.database.query('SELECT 1 FROM project WHERE id = $1 AND refresh_due_at IS NOT NULL', [project]))
      .length > 0;

  it.each([['archived'], ['locked'], ['content_refresh_locked']])(
    'are not refreshed, and do not make their organization due, while they are %s',
    async (lock) => {
      const organization = await test.newOrganization();
      const project = await makeProject(test, { organization });
      await bodyOf(organization.api.patch(`/projects/${project.id}/`, { [lock]: true }));
      await makeWeakness(organization.api);
      await propagate(organization.id);
      expect(await refresh(organization.id)).toBe(0);
      expect(await claim()).toEqual([]);
      expect(await lease(organization.id)).toBeUndefined();
      expect(await dueOf(project.id)).toBe(true);
      await bodyOf(organization.api.patch(`/projects/${project.id}/`, { [lock]: false }));
      expect((await lease(organization.id))?.organization).toBe(organization.id);
      expect(await refresh(organization.id)).toBe(1);
      expect(await dueOf(project.id)).toBe(false);
    },
  );

  it('include those that a transaction creates meanwhile: the change waits until it has ended', async () => {
    const organization = await test.newOrganization();
    const { application } = await makeProject(test, { organization });
    await makeWeakness(organization.api);
    const client = new Client({ connectionString: test.database.url });
    await client.connect();
    try {
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock_shared(hashtextextended(
        'the content of projects follows the library / ${organization.id}', 0))`);
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO project (organization_id, application_id, name, slug) VALUES ($1, $2, 'New', 'new') RETURNING id`,
        [organization.id, application],
      );
      const propagated = propagate(organization.id);
      await untilWaitingForLock(test.database, 'pg_advisory_lock');
      await client.query('COMMIT');
      await propagated;
      expect(await dueOf(Number(rows[0]?.id))).toBe(true);
    } finally {
      await client.end();
    }
  });
});
