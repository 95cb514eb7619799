import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { findActor } from '#domain/access/user/principal.js';
import { createImportJob } from '#domain/exchange/import-job/import-job.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { ormOptions } from '#orm';
import { useTestApi } from '#test/support/api.js';
import { changesNothing } from '#test/support/records.js';
import { clearStaging, type ImportAttempt, rowChanges, stageRows } from './staging.js';

const test = useTestApi();

async function makeJob(em: EntityManager): Promise<number> {
  const actor = await findActor(em.fork(), test.organization.admin.id);
  if (!actor) throw new Error('There is no such user.');
  return Number(await inTransaction(em, actor, (forked) => createImportJob(forked, actor, { fileName: 'a.json' })));
}

const ours = () => ({ organizationId: test.organization.id });

const stage = (em: EntityManager, attempt: ImportAttempt, megabytes: readonly number[]): Promise<void> =>
  inTransaction(em, ours(), (forked) =>
    stageRows(
      forked,
      attempt,
      megabytes.map((size, n) => ({
        row: { position: n + 1, model: 'standard', file: 'a.json', row: n + 1, id: `CT${n + 1}`, given: {} },
        action: 'updated',
        changes: { text: { from: '', to: 'x'.repeat(size * 2 ** 20) } },
      })),
    ),
  );

it('staged rows are read in order, in batches limited by size', async () => {
  const orm = await MikroORM.init(ormOptions({ url: test.database.url, poolSize: 2, timeZone: 'UTC' }));
  try {
    const attempt = { job: await makeJob(orm.em), fence: 1 };
    await stage(orm.em, attempt, [3, 0, 2, 9, 9, 0, 0]);
    const read: number[][] = [];
    for await (const rows of rowChanges(orm.em.fork(), attempt)) read.push(rows.map(({ position }) => position));
    expect(read).toEqual([[1, 2, 3], [4], [5], [6, 7]]);
  } finally {
    await orm.close(true);
  }
});

it('clearing removes the rows of earlier attempts, but none if another worker has the job', async () => {
  const em = test.running.app.get(EntityManager);
  const job = await makeJob(em);
  for (const fence of [1, 2]) await stage(em, { job, fence }, [0]);
  await test.database.query(
    `UPDATE import_job SET fence = 2, status = 'generating_diff', lease_until = now() + interval '1 minute'
     WHERE id = $1`,
    [job],
  );
  const clear = (fence: number) => inTransaction(em, ours(), (forked) => clearStaging(forked, { job, fence }));
  const fences = async (): Promise<number[]> =>
    (
      await test.database.query<{ fence: number }>('SELECT fence FROM import_row WHERE job_id = $1 ORDER BY 1', [job])
    ).map(({ fence }) => fence);
  for (const fence of [1, 3]) await changesNothing(test, () => clear(fence));
  await clear(2);
  expect(await fences()).toEqual([2]);
});
