import { setTimeout as sleep } from 'node:timers/promises';

import { startTestApi, type TestApi } from '#test/support/api.js';
import { eventually } from '#test/support/eventually.js';
import { waitForExport, makeExport } from '#test/support/exports.js';
import { waitForImport, importRows } from '#test/support/imports.js';
import { lockTable, untilWaitingForLock } from '#test/support/table-locks.js';
import { startTestWorker, temporaryFolder, type TestWorker } from '#test/support/worker.js';

const QUEUE_CONNECTIONS = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'merlon queues'`;

describe('The relay', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let test: TestApi;
  let worker: TestWorker | undefined;

  beforeAll(async () => {
    folder = await temporaryFolder();
    test = await startTestApi({ DATA_DIR: folder.path });
  });
  afterAll(async () => {
    await worker?.stop();
    await test.close();
    await folder.remove();
  });

  it('queues other kinds of jobs while the rows of one cannot be read, and logs that failure once', async () => {
    worker = await startTestWorker({
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      LOG_LEVEL: 'info',
    });
    const { log } = worker;
    const said = (message: string) => log.filter((line) => line.includes(message) && line.includes('"export.run"'));
    const { id } = await makeExport(test.api);
    await waitForExport(test.api, id, ['success']);

    await test.database.query('ALTER TABLE export_job RENAME due_at TO due_at_away');
    await eventually(() => said('The relay is failing').length > 0);
    expect(await waitForImport(test.api, await importRows(test.api, 'standard'))).toMatchObject({
      status: 'ready_for_review',
    });
    expect(said('The relay is failing')).toHaveLength(1);

    await test.database.query('ALTER TABLE export_job RENAME due_at_away TO due_at');
    await eventually(() => said('The relay is working again').length === 1);
    await waitForExport(test.api, (await makeExport(test.api)).id, ['success']);
  });

  it('ends before the queues close, because BullMQ never resolves additions to a closing queue', async () => {
    await worker?.stop();
    // Only the relay reads this table.
    const tableLock = await lockTable(test.database.url, 'library_change', 'ACCESS EXCLUSIVE');
    let stopped: Promise<void>;
    try {
      worker = await startTestWorker({ DATABASE_URL: test.database.applicationUrl, DATA_DIR: folder.path });
      await untilWaitingForLock(test.database, 'library_change');
      stopped = worker.stop();
      worker = undefined;
      await sleep(1000); // longer than queues need to close
      expect(await test.database.query(QUEUE_CONNECTIONS)).not.toEqual([]);
    } finally {
      await tableLock.release();
    }
    await stopped;
    await eventually(async () => (await test.database.query(QUEUE_CONNECTIONS)).length === 0);
  });
});
