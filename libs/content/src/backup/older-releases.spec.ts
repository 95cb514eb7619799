import { Migration } from '@mikro-orm/migrations';
import { migrations } from '#domain/migrations/index.js';
import { backUp, formOf, restore, setUp, type Settings } from '#test/support/backups/backups.js';
import { SLOW, useBackupFolder } from '#test/support/backups/filled-backup.js';
import type { TestDatabase } from '#test/support/database.js';

/** A migration of a later release. */
class Later extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE organization ADD COLUMN later text NOT NULL DEFAULT 'since then'`);
  }
}

/** Sets up a database as it was before the first release: with another migration, a missing column and a renamed table. */
async function setUpFormer(database: TestDatabase): Promise<void> {
  await setUp(database);
  await database.query('ALTER TABLE library_change DROP COLUMN id');
  await database.query('ALTER TABLE webhook_delivery_queue RENAME TO webhook_lane');
  await database.query(`UPDATE mikro_orm_migrations SET name = 'Migration20261121000000_Foundation'`);
}

describe('Restoring a backup of an older release', () => {
  const { fresh, anEmptyDatabase } = useBackupFolder();
  let settings: Settings;
  beforeAll(() => void (settings = { DATA_DIR: fresh('data') }));

  it(
    'applies the migrations that the backup lacks',
    async () => {
      const database = await anEmptyDatabase();
      await setUp(database);
      await database.query(`INSERT INTO organization (name) VALUES ('Of an older release')`);
      const file = fresh('older.tar');
      expect(await backUp(database, settings, file)).toMatchObject({ migrations: migrations.length });
      const target = await anEmptyDatabase();
      const last = { name: 'Migration20991231000000_Later', class: Later };
      expect(await restore(file, target, settings, { later: [last] })).toMatchObject({ migrations: [last.name] });
      expect(await target.query('SELECT name, later FROM organization')).toEqual([
        { name: 'Of an older release', later: 'since then' },
      ]);
      expect(await formOf(target)).toEqual(expect.arrayContaining([last.name]));
    },
    SLOW,
  );

  it(
    'restores data from before the first release into the current tables, with defaults for new columns',
    async () => {
      const database = await anEmptyDatabase();
      await setUpFormer(database);
      await database.query(`INSERT INTO organization (name) VALUES ('Of long ago')`);
      await database.query(`INSERT INTO library_change (organization_id) SELECT id FROM organization`);
      const file = fresh('former.tar');
      await backUp(database, settings, file);
      expect(await restore(file, database, settings, { replace: true })).toMatchObject({ migrations: [] });
      expect(await database.query('SELECT name FROM organization')).toEqual([{ name: 'Of long ago' }]);
      expect(await database.query('SELECT id::int FROM library_change')).toEqual([{ id: 1 }]);
      const newlyMade = await anEmptyDatabase();
      await setUp(newlyMade);
      const withoutNumbers = (lines: string[]) => lines.filter((line) => !/^\w+_seq /.test(line));
      expect(withoutNumbers(await formOf(database))).toEqual(withoutNumbers(await formOf(newlyMade)));
    },
    SLOW,
  );

  it(
    'rejects data from before the first release if it has a column that no longer exists',
    async () => {
      const database = await anEmptyDatabase();
      await setUpFormer(database);
      await database.query('ALTER TABLE phase ADD COLUMN gone text');
      const file = fresh('former.tar');
      await backUp(database, settings, file);
      await expect(restore(file, await anEmptyDatabase(), settings)).rejects.toThrow(
        'These tables differ between the backup and Merlon: phase.',
      );
    },
    SLOW,
  );
});
