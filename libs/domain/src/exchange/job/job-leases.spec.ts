import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type TestOrganization, useTestApi } from '#test/support/api.js';
import { settles } from '#test/support/eventually.js';
import { makeExport } from '#test/support/exports.js';
import { importRows } from '#test/support/imports.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import { LeaseKeeper } from '../../kernel/lease/lease-keeper.js';
import { acrossOrganizations } from '../../kernel/across-organizations.js';
import { inTransaction } from '../../kernel/transaction.js';
import { exportWork } from '../export-job/export-job.work.js';
import { importWork } from '../import-job/import-job.work.js';
import { type JobLease, MAX_STARTS } from './job.work.js';

const test = useTestApi();
const emOf = (): EntityManager => test.running.app.get(EntityManager);

/** Export and import jobs, which follow the same rules for leases. */
const KINDS = [
  ['export', exportWork, (api = test.api) => makeExport(api)],
  ['import', importWork, (api = test.api) => importRows(api, 'standard')],
] as const;

/** The reason for which work ends with such renewals; undefined if it continues for these seconds. */
async function endOf(
  renew: ConstructorParameters<typeof LeaseKeeper>[0],
  leaseSeconds: number,
  seconds: number,
): Promise<unknown> {
  const keeper = new LeaseKeeper(renew, leaseSeconds, new AbortController().signal);
  await settles(() => keeper.signal.aborted, seconds);
  await keeper.release();
  return keeper.signal.reason;
}

describe.each(KINDS)('A lease on an %s job', (kind, work, make) => {
  const table = `${kind}_job`;

  async function take(id: number, owner: string): Promise<JobLease | undefined> {
    const taken = await acrossOrganizations(
      emOf(),
      'claim a job',
      async (em) => (await work.claim(em, id, owner))?.lease,
    );
    return taken && { ...taken, userId: test.organization.admin.id };
  }

  /** Lets the lease of a job expire. */
  const silence = (id: number) =>
    test.database.query(`UPDATE ${table} SET lease_until = now() - interval '1 ms' WHERE id = $1`, [id]);

  /** A job that another worker has claimed after the first one's lease expired. */
  async function takenOver() {
    const { id } = await make();
    const old = await take(id, 'old');
    await silence(id);
    const current = await take(id, 'current');
    if (!old || !current) throw new Error('The job could not be taken.');
    return { id, old, current };
  }

  const renew = (lease: JobLease) => inTransaction(emOf(), lease, (em) => work.renew(em, lease, { done: 1, total: 2 }));
  const fail = (lease: JobLease) =>
    inTransaction(emOf(), lease, (em) => work.complete(em, lease, 'fail', sql`errors = '[]'::json`));
  const giveBack = (lease: JobLease) =>
    inTransaction(emOf(), lease, (em) => work.giveBack(em, lease, { seconds: 0, unspent: true }));

  it('excludes other workers while it is valid, and is extended by each heartbeat', async () => {
    const { id } = await make();
    const lease = await take(id, 'one');
    expect(await take(id, 'two')).toBeUndefined();
    const secondsLeft = async (): Promise<number> => {
      const [row] = await test.database.query<{ left: string }>(
        `SELECT extract(epoch FROM least(lease_until, due_at) - now()) AS left FROM ${table} WHERE id = $1`,
        [id],
      );
      return Number(row?.left);
    };
    expect(await secondsLeft()).toBeGreaterThan(6);
    await test.database.query(`UPDATE ${table} SET lease_until = now(), due_at = now() WHERE id = $1`, [id]);
    expect(await renew(lease!)).toBe('held');
    expect(await secondsLeft()).toBeGreaterThan(6);
  });

  it('is lost once another worker has the job, and then cannot change anything', async () => {
    const { old, current } = await takenOver();
    expect(current.fence).toBeGreaterThan(old.fence);
    await changesNothing(test, async () => {
      expect(await renew(old)).toBe('lost');
      expect(await fail(old)).toBe(false);
      expect(await giveBack(old)).toBe(false);
    });
    expect(await renew(current)).toBe('held');
    await test.database.query(`UPDATE ${table} SET cancel_requested = true WHERE id = $1`, [current.id]);
    await changesNothing(test, async () => {
      expect(await inTransaction(emOf(), old, (em) => work.stop(em, old))).toBe(false);
    });
    expect(await renew(current)).toBe('cancelled');
    expect(await inTransaction(emOf(), current, (em) => work.stop(em, current))).toBe(true);
  });

  it('is lost once the job has ended or been released, even if the worker continues', async () => {
    const { current } = await takenOver();
    expect(await giveBack(current)).toBe(true);
    expect(await renew(current)).toBe('lost');
    const again = await take(current.id, 'again');
    const [activity] = await activitiesOf(test, async () => expect(await fail(again!)).toBe(true));
    expect(activity).toMatchObject({ name: expect.stringMatching(/^Completed/), data: { status: 'fail' } });
    expect(await renew(again!)).toBe('lost');
    expect(await fail(again!)).toBe(false);
  });

  it('reports that the job has ended after too many lost workers or a requested cancellation', async () => {
    const over: unknown[] = [];
    const { id } = await make();
    for (let start = 1; start <= MAX_STARTS + 1; start += 1) {
      over.push((await take(id, 'one'))?.alreadyEnded);
      await silence(id);
    }
    expect(over).toEqual([false, false, false, true]);
    const { id: another } = await make();
    expect(await take(another, 'one')).toMatchObject({ alreadyEnded: false });
    await test.database.query(`UPDATE ${table} SET cancel_requested = true WHERE id = $1`, [another]);
    await silence(another);
    expect(await take(another, 'two')).toMatchObject({ alreadyEnded: true });
  });

  it('records the progress of a heartbeat, and keeps it if the next one has none', async () => {
    const { id } = await make();
    const lease = await take(id, 'one');
    for (const progress of [{ done: 1, total: 2 }, undefined]) {
      expect(await inTransaction(emOf(), lease!, (em) => work.renew(em, lease!, progress))).toBe('held');
      expect(
        await test.database.query(`SELECT progress_done, progress_total FROM ${table} WHERE id = $1`, [id]),
      ).toEqual([{ progress_done: 1, progress_total: 2 }]);
    }
  });

  it('ends the work when it is lost', async () => {
    const { old, current } = await takenOver();
    expect(await endOf(() => renew(old), 8, 60)).toMatchObject({ reason: 'lost' });
    expect(await endOf(() => renew(current), 8, 1.5)).toBeUndefined();
  });
});

describe.each(KINDS)('The next %s job of three organizations', (kind, work, make) => {
  let organizations: TestOrganization[];

  /** Claims the next job; returns its lease, and the place of its organization. */
  async function next(): Promise<{ lease: JobLease; turn: number }> {
    const worker = { owner: 'one', slots: 10 };
    const lease = await acrossOrganizations(
      emOf(),
      'claim a job',
      async (em) => (await work.claimNext(em, worker))?.lease,
    );
    if (!lease) throw new Error('There is no job to claim.');
    const turn = organizations.findIndex(({ id }) => id === lease.organizationId);
    return { lease: { ...lease, userId: organizations[turn]?.admin.id ?? 0 }, turn };
  }
  const end = (lease: JobLease) =>
    inTransaction(emOf(), lease, (em) => work.complete(em, lease, 'fail', sql`errors = '[]'::json`));

  beforeEach(async () => {
    await test.database.query(`TRUNCATE ${kind}_job CASCADE`);
    organizations = [await test.newOrganization(), await test.newOrganization(), await test.newOrganization()];
    for (const { api } of organizations) for (let count = 0; count < 3; count += 1) await make(api);
  });

  it('is that of the organization that was served least recently', async () => {
    const turns: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      const { lease, turn } = await next();
      turns.push(turn);
      await end(lease);
    }
    expect(turns).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  it('is that of the organization with the fewest running jobs, even if it was served last', async () => {
    await next();
    await next();
    const { lease, turn } = await next();
    expect(turn).toBe(2);
    await end(lease);
    expect((await next()).turn).toBe(2);
  });
});

it('A worker that cannot reach the database continues only until its lease expires', async () => {
  const renew = () => Promise.reject(new Error('away'));
  const startedAt = performance.now();
  expect(await endOf(renew, 1.5, 60)).toMatchObject({ reason: 'lost' });
  expect(performance.now() - startedAt).toBeGreaterThan(1300);
});
