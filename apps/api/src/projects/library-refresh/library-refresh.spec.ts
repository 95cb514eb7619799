import { EntityManager } from '@mikro-orm/postgresql';
import { type TestOrganization, useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf } from '#test/support/client.js';
import { makeWeakness, userWith } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import {
  postponeFirstProject,
  propagateLibraryChanges,
  refreshDueProjects,
} from '#domain/projects/project-content/library-change.js';
import { leaseOrganization, releaseRefreshLease } from '#domain/projects/project-content/refresh-lease.js';

interface Status {
  running: boolean;
  pending: number;
  held_back: number;
  since: string | null;
  last_completed: string | null;
}

const test = useTestApi();
const statusOf = (api: ApiClient): Promise<Status> => bodyOf(api.get<Status>('/library/refresh-status/'));
const emOf = (): EntityManager => test.running.app.get(EntityManager);
const inOrganization = <Result>({ id }: TestOrganization, work: (em: EntityManager, id: number) => Promise<Result>) =>
  inTransaction(emOf(), { organizationId: id }, (em) => work(em, id));
const leaseOf = ({ id }: TestOrganization) =>
  acrossOrganizations(emOf(), 'claim a job', (em) => leaseOrganization(em, { organization: id }));
const IDLE: Status = { running: false, pending: 0, held_back: 0, since: null, last_completed: null };

/** An organization with some projects that follow the library, and an archived one that does not. */
async function organizationWithProjects(): Promise<TestOrganization> {
  const organization = await test.newOrganization();
  for (let count = 0; count < 2; count += 1) await makeProject(test, { organization });
  const archived = await makeProject(test, { organization });
  await bodyOf(organization.api.patch(`/projects/${archived.id}/`, { archived: true }));
  await test.database.query(`DELETE FROM library_change; UPDATE project SET refresh_due_at = NULL`);
  return organization;
}

describe('The refresh status of the library', () => {
  it('shows how many projects wait for a change, since when, whether a worker has them, and when all were done', async () => {
    const organization = await organizationWithProjects();
    const { api } = organization;
    expect(await statusOf(api)).toEqual(IDLE);

    const { updated } = await makeWeakness(api);
    const noted = await statusOf(api);
    expect(noted).toEqual({ ...IDLE, pending: 2, held_back: 1, since: expect.any(String) });
    expect(Math.abs(Date.parse(noted.since ?? '') - Date.parse(updated))).toBeLessThan(10_000);

    const lease = await leaseOf(organization);
    await inOrganization(organization, propagateLibraryChanges);
    await inOrganization(organization, (em, id) => refreshDueProjects(em, id, 1));
    expect(await statusOf(api)).toMatchObject({ running: true, pending: 1, held_back: 1, last_completed: null });
    await inOrganization(organization, postponeFirstProject);
    const postponed = await statusOf(api);
    expect(postponed).toMatchObject({ pending: 1, since: expect.any(String) });
    expect(Date.parse(postponed.since ?? '')).toBeLessThan(Date.now() + 10_000);
    await inOrganization(organization, (em) => releaseRefreshLease(em, lease!));
    expect(await statusOf(api)).toMatchObject({ running: false, pending: 1, last_completed: null });

    await test.database.query('UPDATE project SET refresh_due_at = now() WHERE refresh_due_at > now()');
    const next = await leaseOf(organization);
    await inOrganization(organization, (em, id) => refreshDueProjects(em, id, 5));
    await inOrganization(organization, (em) => releaseRefreshLease(em, next!));
    expect(await statusOf(api)).toEqual({ ...IDLE, held_back: 1, last_completed: expect.any(String) });
  });

  it('is visible to every user of the organization, and shows nothing of other organizations', async () => {
    const busy = await organizationWithProjects();
    await makeWeakness(busy.api);
    expect(await statusOf((await userWith(test)).api)).toMatchObject({ pending: 0, since: null });
    expect(await statusOf((await test.newOrganization()).api)).toEqual(IDLE);
    expect(await statusOf(busy.api)).toMatchObject({ pending: 2 });
  });
});
