import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';
import { startTestApi, type TestApi } from '#test/support/api.js';
import { eventually } from '#test/support/eventually.js';
import { exportIn, makeExport } from '#test/support/exports.js';
import { importIn, importRows } from '#test/support/imports.js';
import { startTestWorker, temporaryFolder, type TestWorker } from '#test/support/worker.js';

/** Whether a connection waits for a lock on this table. */
const waitsFor = async ({ database }: TestApi, table: string): Promise<boolean> =>
  (await database.query('SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass', [table])).length > 0;

const QUEUE_CONNECTIONS = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'merlon queues'`;

describe('The relay', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let test: TestApi;
  let worker: TestWorker | undefined;

  beforeAll(async () => {
    folder = await temporaryFolder();
    test = await startTestApi({ DATA_DIR: folder.path });
  }, 60_000);
  afterAll(async () => {
    await worker?.stop();
    await test.close();
    await folder.remove();
  });

  it('queues each kind of job for itself: one whose rows cannot be read holds no other up, and is logged once', async () => {
    worker = await startTestWorker({
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      LOG_LEVEL: 'info',
    });
    const { log } = worker;
    const said = (message: string) => log.filter((line) => line.includes(message) && line.includes('"export.run"'));
    const { id } = await makeExport(test.api);
    await exportIn(test.api, id, ['success']);

    await test.database.query('ALTER TABLE export_job RENAME TO export_job_away');
    await eventually(() => said('The relay does not work').length > 0);
    expect(await importIn(test.api, await importRows(test.api, 'standard'))).toMatchObject({
      status: 'ready_for_review',
    });
    expect(said('The relay does not work')).toHaveLength(1);

    await test.database.query('ALTER TABLE export_job_away RENAME TO export_job');
    await eventually(() => said('The relay works again').length === 1);
    await exportIn(test.api, (await makeExport(test.api)).id, ['success']);
  });

  it('ends before the queues close: BullMQ never answers who adds to a queue that closes', async () => {
    await worker?.stop();
    const client = new Client({ connectionString: test.database.url });
    await client.connect();
    try {
      await client.query('BEGIN; LOCK TABLE library_change IN ACCESS EXCLUSIVE MODE'); // only the relay looks there
      worker = await startTestWorker({ DATABASE_URL: test.database.applicationUrl, DATA_DIR: folder.path });
      await eventually(() => waitsFor(test, 'library_change'));
      const stopped = worker.stop();
      worker = undefined;
      await sleep(1000); // longer than queues need to close
      expect(await test.database.query(QUEUE_CONNECTIONS)).not.toEqual([]);
      await client.query('ROLLBACK');
      await stopped;
      await eventually(async () => (await test.database.query(QUEUE_CONNECTIONS)).length === 0);
    } finally {
      await client.end();
    }
  });
});
