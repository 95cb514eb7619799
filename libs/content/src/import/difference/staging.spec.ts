import { MikroORM } from '@mikro-orm/postgresql';
import { findActor } from '#domain/access/user/principal.js';
import { createImportJob } from '#domain/exchange/import-job/import-job.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { ormOptions } from '#orm';
import { useTestApi } from '#test/support/api.js';
import { rowChanges, stageRows } from './staging.js';

const test = useTestApi();

it('rows are read by size from the first on, in their order', async () => {
  const orm = await MikroORM.init(ormOptions({ url: test.database.url, poolSize: 2, timeZone: 'UTC' }));
  try {
    const actor = await findActor(orm.em.fork(), test.organization.admin.id);
    if (!actor) throw new Error('There is no such user.');
    const job = await inTransaction(orm.em, (em) => createImportJob(em, actor, { fileName: 'a.json' }));
    const taking = { job: Number(job), fence: 1 };
    const megabytes = [3, 0, 2, 9, 9, 0, 0];
    await stageRows(
      orm.em.fork(),
      taking,
      megabytes.map((size, n) => ({
        row: { position: n + 1, model: 'standard', file: 'a.json', row: n + 1, id: `CT${n + 1}`, given: {} },
        action: 'updated',
        changes: { text: { from: '', to: 'x'.repeat(size * 2 ** 20) } },
      })),
    );
    const read: number[][] = [];
    for await (const rows of rowChanges(orm.em.fork(), taking)) read.push(rows.map(({ position }) => position));
    expect(read).toEqual([[1, 2, 3], [4], [5], [6, 7]]);
  } finally {
    await orm.close(true);
  }
}, 60_000);
