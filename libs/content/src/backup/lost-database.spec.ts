import { rm } from 'node:fs/promises';
import { migrations } from '#domain/migrations/index.js';
import type { TestApi } from '#test/support/api.js';
import { answersOf, backUp, contentsOf, formOf, restore } from '#test/support/backups/backups.js';
import { fill, SLOW, startApi, useBackupFolder } from '#test/support/backups/filled-backup.js';
import { emptyDatabase } from '#test/support/database.js';
import { waitForExport } from '#test/support/exports.js';
import { makeCountermeasure } from '#test/support/factories.js';
import { startFakeBucket } from '#test/support/fake-bucket.js';
import { startTestWorker } from '#test/support/worker.js';

const { fresh } = useBackupFolder();

/** The bytes at an address. */
async function bytesAt(test: TestApi, token: string, address: string): Promise<Buffer> {
  const answer = await fetch(`${test.origin}/api/v2${address}`, { headers: { Authorization: `Token ${token}` } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

const STORAGES = {
  'a folder': async () => {
    const dataDir = fresh('data');
    return {
      settings: { DATA_DIR: dataDir },
      lose: () => rm(dataDir, { recursive: true }),
      stop: () => Promise.resolve(),
    };
  },
  'a bucket': async () => {
    const bucket = await startFakeBucket();
    const lose = async (): Promise<void> => (bucket.objects as Map<string, Buffer>).clear();
    return { settings: { STORAGE_URL: bucket.url, DATA_DIR: fresh('data') }, lose, stop: () => bucket.stop() };
  },
};

describe.each(Object.keys(STORAGES) as (keyof typeof STORAGES)[])(
  'Recovering a lost database with its files in %s',
  (kind) => {
    it(
      'restores every response, token and file from the backup',
      async () => {
        const { settings, lose, stop } = await STORAGES[kind]();
        const before = await startApi(settings);
        const { addresses, file, waiting } = await fill(before, settings);
        const { api, admin } = before.organization;
        const answers = await answersOf(before, api, addresses);
        const bytes = await bytesAt(before, admin.token, file);
        const contents = await contentsOf(before.database);
        const form = await formOf(before.database);

        const backup = fresh('backup.tar');
        const written = await backUp(before.database, settings, backup);
        expect(written).toMatchObject({ files: 2, missing_files: [], migrations: migrations.length });
        await before.close(); // drops the database
        await lose();

        const database = await emptyDatabase();
        const restored = await restore(backup, database, settings);
        expect(restored).toEqual({
          rows: written.rows,
          files: 2,
          missing_files: [],
          migrations: [],
          unreadable_secrets: 0,
        });
        expect(await contentsOf(database)).toEqual(contents);
        expect(await formOf(database)).toEqual(form);

        const after = await startApi(settings, database);
        const again = after.api.as(admin.token);
        expect(await answersOf(after, again, addresses)).toEqual(answers);
        expect((await bytesAt(after, admin.token, file)).equals(bytes)).toBe(true);

        // No id is used twice, and the worker runs the export that was waiting.
        const created = await makeCountermeasure(again);
        expect(answers['/api/v2/library/tasks/']).not.toContain(`"${created.id}"`);
        const worker = await startTestWorker({ ...settings, DATABASE_URL: database.applicationUrl });
        expect(await waitForExport(again, waiting, ['success', 'fail'])).toMatchObject({ status: 'success' });
        await worker.stop();
        await after.close();
        await stop();
      },
      SLOW,
    );
  },
);
