import { FILE_KEYS } from '#domain/exchange/job/stored-files.js';
import { backUp } from '#test/support/backups/backups.js';
import { type FilledBackup, makeFilledBackup, SLOW, useBackupFolder } from '#test/support/backups/filled-backup.js';

describe('Creating a backup', () => {
  const folder = useBackupFolder();
  const { fresh, anEmptyDatabase } = folder;
  let filled: FilledBackup;
  beforeAll(async () => void (filled = await makeFilledBackup(folder)), SLOW);
  afterAll(() => filled.test.close());

  it('fails with the reason when it is aborted, and releases its locks', async () => {
    const stop = new AbortController();
    const reason = new Error('Interrupted.');
    const during = async (): Promise<void> => stop.abort(reason);
    await expect(backUp(filled.test.database, filled.settings, fresh('stopped.tar'), during, stop.signal)).rejects.toBe(
      reason,
    );
    const [locks] = await filled.test.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(locks).toEqual({ count: 0 });
  });

  it('blocks migrations until the backup is complete', async () => {
    const order: string[] = [];
    let migrated: Promise<unknown> = Promise.resolve();
    await backUp(filled.test.database, filled.settings, fresh('waiting.tar'), async () => {
      migrated = filled.test.database
        .query(`SELECT pg_advisory_xact_lock(hashtextextended('migrations', 0))`)
        .then(() => order.push('migration'));
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    order.unshift('backup');
    await migrated;
    expect(order).toEqual(['backup', 'migration']);
  });

  it('knows every column with the key of a stored file', async () => {
    const found = await filled.test.database.query<{ table: string; column: string }>(
      `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name LIKE '%file_key' ORDER BY 1, 2`,
    );
    expect(found).toEqual(FILE_KEYS);
  });

  it('rejects a database that has never been set up', async () => {
    const database = await anEmptyDatabase();
    await expect(backUp(database, filled.settings, fresh('nothing.tar'))).rejects.toThrow('has never been set up');
  });
});
