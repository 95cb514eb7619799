import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { backUp, contentsOf, formOf, restore, tablesIn } from '#test/support/backups/backups.js';
import { type FilledBackup, makeFilledBackup, SLOW, useBackupFolder } from '#test/support/backups/filled-backup.js';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '#test/support/database.js';
import { startFakeBucket } from '#test/support/fake-bucket.js';
import type { RestoreSummary } from './restore-backup.js';

const ANOTHER_KEY = 'another key that has at least 32 characters';

describe('Restoring a backup', () => {
  const folder = useBackupFolder();
  const { fresh, dropAfterTest, anEmptyDatabase } = folder;
  let filled: FilledBackup;
  /** The backup was restored into it. Tests must not change it. */
  let restored: TestDatabase;
  let attempts: PromiseSettledResult<RestoreSummary>[];

  beforeAll(async () => {
    filled = await makeFilledBackup(folder);
    restored = await emptyDatabase();
    const { file, settings } = filled;
    const restoring = [1, 2].map(() => restore(file, restored, { ...settings, SECRET_KEY: ANOTHER_KEY }));
    attempts = await Promise.allSettled(restoring);
  }, SLOW);
  afterAll(async () => {
    await filled.test.close();
    await restored.drop();
  });

  /** Summary of the attempt that succeeded. */
  const summary = (): RestoreSummary | undefined => attempts.find((one) => one.status === 'fulfilled')?.value;

  it('excludes changes that were made while the backup was written', async () => {
    expect(await restored.query('SELECT 1 FROM countermeasure WHERE item_id = $1', [filled.made.id])).toEqual([]);
    // A foreign key that points at it would have kept the restore from ending.
    expect(await tablesIn(restored)).toBeGreaterThan(0);
  });

  it('reports files that are missing from the storage, but succeeds', () => {
    expect(filled.written).toMatchObject({ files: 2, missing_files: ['imports/1/lost'] });
    expect(summary()).toMatchObject({ files: 2, missing_files: ['imports/1/lost'] });
  });

  it(
    'reports how many stored secrets cannot be opened with a different SECRET_KEY',
    async () => {
      expect(summary()).toMatchObject({ unreadable_secrets: 3 });
      const both = { ...filled.settings, SECRET_KEY: ANOTHER_KEY, SECRET_KEY_PREVIOUS: 'k'.repeat(40) };
      expect(await restore(filled.file, await anEmptyDatabase(), both)).toMatchObject({ unreadable_secrets: 0 });
    },
    SLOW,
  );

  it('rejects a database that is not empty and does not change it', async () => {
    const contents = await contentsOf(filled.test.database);
    await expect(restore(filled.file, filled.test.database, filled.settings)).rejects.toThrow(
      'The database is not empty.',
    );
    expect(await contentsOf(filled.test.database)).toEqual(contents);
  });

  it(
    'replaces an existing Merlon database on request, but never the database of another application',
    async () => {
      const database = dropAfterTest(await cloneDatabase());
      await database.query(`INSERT INTO organization (name) VALUES ('In the way')`);
      await restore(filled.file, database, filled.settings, { replace: true });
      expect(await database.query(`SELECT 1 FROM organization WHERE name = 'In the way'`)).toEqual([]);
      expect(await contentsOf(database)).toEqual(filled.contents);
      expect(await contentsOf(restored)).toEqual(filled.contents);
      expect(await formOf(database)).toEqual(await formOf(restored));

      const foreign = await anEmptyDatabase();
      await foreign.query('CREATE TABLE theirs (id int)');
      for (const replace of [false, true])
        await expect(restore(filled.file, foreign, filled.settings, { replace })).rejects.toThrow(
          'tables that do not belong to Merlon',
        );
      expect(await foreign.query('SELECT * FROM theirs')).toEqual([]);
    },
    SLOW,
  );

  it(
    'works as the owner of the database, without superuser rights',
    async () => {
      const database = await anEmptyDatabase();
      const role = `owner_${randomBytes(4).toString('hex')}`;
      await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
      const url = new URL(database.url);
      await database.query(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${role}`);
      [url.username, url.password] = [role, 'secret'];
      const owned = { ...database, url: url.href };
      for (const replace of [false, true]) await restore(filled.file, owned, filled.settings, { replace });
      const owners = await database.query(`SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'`);
      expect(owners).toEqual([{ tableowner: role }]);
      expect(await backUp(owned, filled.settings, fresh('owned.tar'))).toMatchObject({ files: 2 });
      await database.query(`REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    },
    SLOW,
  );

  it('succeeds only once in two concurrent attempts', () => {
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const rejected = attempts.find((one) => one.status === 'rejected');
    expect(String(rejected?.reason)).toContain('The database is not empty.');
  });

  it(
    'leaves no tables behind if the storage fails or the restore is aborted, and then works again',
    async () => {
      const bucket = await startFakeBucket();
      const database = await anEmptyDatabase();
      const there = { ...filled.settings, STORAGE_URL: bucket.url };
      bucket.rejectWith({ status: 403, code: 'AccessDenied' });
      await expect(restore(filled.file, database, there)).rejects.toThrow('denies access');
      expect(await tablesIn(database)).toBe(0);

      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error('Interrupted.')), 300);
      await expect(restore(filled.file, database, filled.settings, { signal: stop.signal })).rejects.toThrow(
        'Interrupted.',
      );
      expect(await tablesIn(database)).toBe(0);

      bucket.rejectWith(null);
      await restore(filled.file, database, there);
      expect(bucket.objects.size).toBe(2);
      await bucket.stop();
    },
    SLOW,
  );

  it('leaves no partial files in the data folder', async () => {
    const names = await readdir(filled.dataDir, { recursive: true });
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
