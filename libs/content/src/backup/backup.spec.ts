import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import path from 'node:path';
import { Migration } from '@mikro-orm/migrations';
import { FILE_KEYS } from '#domain/exchange/job/stored-files.js';
import { migrations } from '#domain/migrations/index.js';
import { startTestApi, type TestApi } from '#test/support/api.js';
import { answersOf, backUp, contentsOf, formOf, restore, setUp, type Settings } from '#test/support/backups.js';
import { bodyOf } from '#test/support/client.js';
import { CONNECTOR_PATHS, makeConnector } from '#test/support/connectors.js';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '#test/support/database.js';
import { exportIn, makeExport } from '#test/support/exports.js';
import { makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import { startFakeBucket } from '#test/support/fake-bucket.js';
import { importRows } from '#test/support/imports.js';
import { makeProject } from '#test/support/projects.js';
import type { Countermeasure } from '#test/support/resources.js';
import { makeConfig, makeWebhook } from '#test/support/webhooks.js';
import { startTestWorker } from '#test/support/worker.js';
import { BackupFile } from './backup-file.js';
import type { RestoreSummary } from './restore-backup.js';
import type { BackupSummary } from './write-backup.js';
import type { BackupHeader } from './backup-format.js';
import { CHECKSUMS_FILE, digestOf, HEADER_FILE, SEAL_FILE, sealOf, tablePiece, writeJson } from './backup-format.js';
import { readTar, writeTar } from '#files/archives/tar.js';

const PUBLIC_URL = 'https://merlon.example.com';
const ANOTHER_KEY = 'another key that has at least 32 characters';
const never = new AbortController().signal;

/** Most tests restore a database, once or more. */
const SLOW = 120_000;

let folder: string;
let dropped: TestDatabase[] = [];
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'merlon-backup-'))));
afterEach(async () => {
  for (const database of dropped) await database.drop();
  dropped = [];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A path in the folder of this suite that nothing has. */
const fresh = (name: string): string => path.join(folder, `${randomBytes(4).toString('hex')}-${name}`);

async function anEmptyDatabase(): Promise<TestDatabase> {
  const database = await emptyDatabase();
  dropped.push(database);
  return database;
}

/** What a release to come could do. */
class Later extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE organization ADD COLUMN later text NOT NULL DEFAULT 'since then'`);
  }
}

/**
 * A database as it was before the first release: with other migrations, without a later column, and with a former
 * name.
 */
async function setUpFormer(database: TestDatabase): Promise<void> {
  await setUp(database);
  await database.query('ALTER TABLE library_change DROP COLUMN id');
  await database.query('ALTER TABLE webhook_delivery_queue RENAME TO webhook_lane');
  await database.query(`UPDATE mikro_orm_migrations SET name = 'Migration20261121000000_Foundation'`);
}

/** Number of tables of a database. */
async function tablesIn(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'mikro_orm_migrations'`,
  );
  return row?.count ?? -1;
}

/**
 * One thing of every kind that is kept in its own way. Answers an address of each besides the lists, and the export's.
 */
async function fill(test: TestApi): Promise<{ addresses: string[]; file: string; waiting: number }> {
  const { api } = test;
  const weakness = await makeWeakness(api, { text: 'Line\nbreak, "quotes", \\ and 🦉 \t' });
  await makeCountermeasure(api, { problem: weakness.id, tags: ['with,comma', '"quoted"', '{braces}'] });
  await bodyOf(api.patch('/library/tasks/T1/', { priority: 9, title: 'Changed by us' }));
  const webhook = await makeWebhook(api);
  await makeConfig(api, webhook.id);
  for (const [at] of CONNECTOR_PATHS) await makeConnector(api, at, { params: { token: 'hidden', project: 'shown' } });
  const user = await test.newUser({ firstName: 'Grace' });
  const project = await makeProject(test, { creator: test.organization.admin });
  await test.newOrganization();
  const done = await makeExport(api);
  const worker = await startTestWorker({ ...settingsOf(test), DATABASE_URL: test.database.applicationUrl });
  try {
    await exportIn(api, done.id, ['success']);
  } finally {
    await worker.stop();
  }
  const waiting = await makeExport(api);
  await importRows(api, 'weakness', { id: weakness.id, title: unique('Imported') });
  const at = `/projects/${project.id}`;
  return {
    addresses: [
      ...['', '/tasks', '/problems', '/threats', '/attributes', '/survey', '/activity-stream'].map(
        (part) => `${at}${part}/`,
      ),
      `/library/tasks/T1/`,
      `/library/problems/${weakness.id}/`,
      `/webhooks/${webhook.id}/`,
      `/users/${user.id}/`,
    ],
    file: `/library/export/${done.id}/file/`,
    waiting: waiting.id,
  };
}

const kept = new WeakMap<TestApi, Settings>();
const settingsOf = (test: TestApi): Settings => kept.get(test) ?? {};

async function start(settings: Settings, database?: TestDatabase): Promise<TestApi> {
  const test = await startTestApi({ PUBLIC_URL, ...settings }, database);
  kept.set(test, settings);
  return test;
}

/** An archive of these files. */
function archived(...files: readonly (readonly [name: string, content: Buffer])[]): Promise<Buffer> {
  async function* all() {
    for (const [name, content] of files) yield { name, content };
  }
  return buffer(writeTar(all(), new Date()));
}

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
  'A database that is lost, with its files in %s,',
  (kind) => {
    it('comes back from its backup: every answer is as before, tokens are taken, files are the same', async () => {
      const { settings, lose, stop } = await STORAGES[kind]();
      const before = await start(settings);
      const { addresses, file, waiting } = await fill(before);
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

      const after = await start(settings, database);
      const again = after.api.as(admin.token);
      expect(await answersOf(after, again, addresses)).toEqual(answers);
      expect((await bytesAt(after, admin.token, file)).equals(bytes)).toBe(true);

      // It goes on: numbers are not given twice, and what waited is done.
      const made = await makeCountermeasure(again);
      expect(answers['/api/v2/library/tasks/']).not.toContain(`"${made.id}"`);
      const worker = await startTestWorker({ ...settings, DATABASE_URL: database.applicationUrl });
      expect(await exportIn(again, waiting, ['success', 'fail'])).toMatchObject({ status: 'success' });
      await worker.stop();
      await after.close();
      await stop();
    }, 120_000);
  },
);

describe('A backup', () => {
  let test: TestApi;
  let dataDir: string;
  let settings: Settings;
  let backup: string;
  let written: BackupSummary;
  /** Made while the backup was written. */
  let made: Countermeasure;
  /** What the backup was restored into, for tests that look and change nothing. */
  let restored: TestDatabase;
  let attempts: PromiseSettledResult<RestoreSummary>[];

  beforeAll(async () => {
    dataDir = fresh('data');
    settings = { DATA_DIR: dataDir };
    test = await start(settings);
    await fill(test);
    await test.database.query(
      `INSERT INTO import_job (organization_id, file_name, file_key, kept_until)
        VALUES ($1, 'a.zip', 'imports/1/lost', 'infinity')`,
      [test.organization.id],
    );
    backup = fresh('backup.tar');
    written = await backUp(
      test.database,
      settings,
      backup,
      async () => void (made = await makeCountermeasure(test.api)),
    );
    restored = await emptyDatabase();
    const restoring = [1, 2].map(() => restore(backup, restored, { ...settings, SECRET_KEY: ANOTHER_KEY }));
    attempts = await Promise.allSettled(restoring);
  }, SLOW);
  afterAll(async () => {
    await test.close();
    await restored.drop();
  });

  /** What the restore reported that made `restored`. */
  const summary = (): RestoreSummary | undefined => attempts.find((one) => one.status === 'fulfilled')?.value;

  /** What opening a file fails with. */
  const refusal = async (file: string): Promise<string> => {
    const opened = await BackupFile.open(file, never).catch((error: unknown) => error);
    if (opened instanceof BackupFile) {
      await opened.close();
      return 'opened';
    }
    return opened instanceof Error ? `${opened.name}: ${opened.message}` : 'no error';
  };

  /** Writes the backup once more, with entries changed and with checksums of their own. */
  const forge = async (change: (entries: Map<string, Buffer>, header: BackupHeader) => void): Promise<string> => {
    const file = await open(backup, 'r');
    const entries = new Map<string, Buffer>();
    for await (const { name, content } of readTar(file)) entries.set(name, content);
    await file.close();
    const checksums = JSON.parse(String(entries.get(CHECKSUMS_FILE))) as { rows: Record<string, number> };
    for (const name of [CHECKSUMS_FILE, SEAL_FILE]) entries.delete(name);
    const header = JSON.parse(String(entries.get(HEADER_FILE))) as BackupHeader;
    change(entries, header);
    const list = [...entries].map(([name, content]) => ({ name, bytes: content.length, sha256: digestOf(content) }));
    const listed = writeJson({ entries: list, rows: checksums.rows, missing_files: [] });
    const parts = [...entries, [CHECKSUMS_FILE, listed] as const, [SEAL_FILE, sealOf(listed)] as const];
    const forged = fresh('forged.tar');
    await writeFile(forged, await archived(...parts));
    return forged;
  };

  it('holds one moment: what is changed while it is written is not in it', async () => {
    expect(await restored.query('SELECT 1 FROM countermeasure WHERE item_id = $1', [made.id])).toEqual([]);
    // A foreign key that points at it would have kept the restore from ending.
    expect(await tablesIn(restored)).toBeGreaterThan(0);
  });

  it('ends with the reason where it is broken off, and keeps no one waiting then', async () => {
    const stop = new AbortController();
    const reason = new Error('Interrupted.');
    const during = async (): Promise<void> => stop.abort(reason);
    await expect(backUp(test.database, settings, fresh('stopped.tar'), during, stop.signal)).rejects.toBe(reason);
    const [locks] = await test.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(locks).toEqual({ count: 0 });
  });

  it('keeps migrations waiting until it is written', async () => {
    const order: string[] = [];
    let migrated: Promise<unknown> = Promise.resolve();
    await backUp(test.database, settings, fresh('waiting.tar'), async () => {
      migrated = test.database
        .query(`SELECT pg_advisory_xact_lock(hashtextextended('migrations', 0))`)
        .then(() => order.push('migration'));
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    order.unshift('backup');
    await migrated;
    expect(order).toEqual(['backup', 'migration']);
  });

  it('knows every column that names a stored file', async () => {
    const found = await test.database.query<{ table: string; column: string }>(
      `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name LIKE '%file_key' ORDER BY 1, 2`,
    );
    expect(found).toEqual(FILE_KEYS);
  });

  it('reports files that the storage has lost, and is written nevertheless', () => {
    expect(written).toMatchObject({ files: 2, missing_files: ['imports/1/lost'] });
    expect(summary()).toMatchObject({ files: 2, missing_files: ['imports/1/lost'] });
  });

  it(
    'tells how many stored secrets can not be opened, where SECRET_KEY is another one',
    async () => {
      expect(summary()).toMatchObject({ unreadable_secrets: 3 });
      const both = { ...settings, SECRET_KEY: ANOTHER_KEY, SECRET_KEY_PREVIOUS: 'k'.repeat(40) };
      expect(await restore(backup, await anEmptyDatabase(), both)).toMatchObject({ unreadable_secrets: 0 });
    },
    SLOW,
  );

  it(
    'of an older release is brought up to this one',
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
    'of the time before the first release is restored into the tables of today, where what is new has its default',
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
    'of the time before the first release is refused, where it has a column that there is no more',
    async () => {
      const database = await anEmptyDatabase();
      await setUpFormer(database);
      await database.query('ALTER TABLE phase ADD COLUMN gone text');
      const file = fresh('former.tar');
      await backUp(database, settings, file);
      await expect(restore(file, await anEmptyDatabase(), settings)).rejects.toThrow(
        'These tables have another form in the backup than in Merlon: phase.',
      );
    },
    SLOW,
  );

  it('is not made of a database that has never been set up', async () => {
    const database = await anEmptyDatabase();
    await expect(backUp(database, settings, fresh('nothing.tar'))).rejects.toThrow('has never been set up');
  });

  it('is refused where the database is not empty, which stays as it is', async () => {
    const contents = await contentsOf(test.database);
    await expect(restore(backup, test.database, settings)).rejects.toThrow('The database is not empty.');
    expect(await contentsOf(test.database)).toEqual(contents);
  });

  it(
    'takes the place of what is there where that is wanted, and of nothing but Merlon',
    async () => {
      const database = await cloneDatabase();
      dropped.push(database);
      await database.query(`INSERT INTO organization (name) VALUES ('In the way')`);
      await restore(backup, database, settings, { replace: true });
      expect(await database.query(`SELECT 1 FROM organization WHERE name = 'In the way'`)).toEqual([]);
      expect(await contentsOf(database)).toEqual(await contentsOf(restored));
      expect(await formOf(database)).toEqual(await formOf(restored));

      const foreign = await anEmptyDatabase();
      await foreign.query('CREATE TABLE theirs (id int)');
      for (const replace of [false, true])
        await expect(restore(backup, foreign, settings, { replace })).rejects.toThrow('not Merlon’s');
      expect(await foreign.query('SELECT * FROM theirs')).toEqual([]);
    },
    SLOW,
  );

  it(
    'is restored by whoever owns the database: that takes no super-user',
    async () => {
      const database = await anEmptyDatabase();
      const role = `owner_${randomBytes(4).toString('hex')}`;
      await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
      const url = new URL(database.url);
      await database.query(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${role}`);
      [url.username, url.password] = [role, 'secret'];
      const owned = { ...database, url: url.href };
      for (const replace of [false, true]) await restore(backup, owned, settings, { replace });
      const owners = await database.query(`SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'`);
      expect(owners).toEqual([{ tableowner: role }]);
      expect(await backUp(owned, settings, fresh('owned.tar'))).toMatchObject({ files: 2 });
      await database.query(`REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    },
    SLOW,
  );

  it('is restored once where two try at the same time', () => {
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = attempts.find((one) => one.status === 'rejected');
    expect(String(refused?.reason)).toContain('The database is not empty.');
  });

  it('is refused where it is cut off, wherever that is', async () => {
    const whole = await readFile(backup);
    const lengths = [
      0,
      1,
      511,
      512,
      700,
      whole.length - 1,
      whole.length - 512,
      whole.length - 1024,
      whole.length - 1536,
    ];
    for (let n = 0; n < 40; n += 1) lengths.push(Math.floor((whole.length * n) / 40));
    const cut = fresh('cut.tar');
    for (const length of lengths) {
      await writeFile(cut, whole);
      await truncate(cut, length);
      expect(await refusal(cut)).toMatch(/^BackupFailure: (The backup is damaged|This is no backup of Merlon)/);
    }
    await writeFile(cut, Buffer.concat([whole, Buffer.from('more')]));
    expect(await refusal(cut)).toMatch(/^BackupFailure: The backup is damaged/);
  });

  it(
    'is refused where one byte of it is another one, whichever that is',
    async () => {
      const whole = await readFile(backup);
      const altered = fresh('altered.tar');
      const places = [0, 124, 150, 154, 155, 520, whole.length - 1, whole.length - 1100, whole.length - 1500];
      for (let n = 0; n < 60; n += 1) places.push(randomBytes(6).readUIntBE(0, 6) % whole.length);
      for (const place of places) {
        const bytes = Buffer.from(whole);
        bytes[place] = (bytes[place] ?? 0) ^ (1 << (place % 8));
        await writeFile(altered, bytes);
        expect([place, await refusal(altered)]).toEqual([place, expect.stringMatching(/^BackupFailure: /)]);
      }
    },
    SLOW,
  );

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['a text', Buffer.from('pg_dump '.repeat(500))],
    ['zeros', Buffer.alloc(4096)],
    ['another archive', archived(['notes.txt', Buffer.from('Hello')])],
    ['a header of something else', archived([HEADER_FILE, Buffer.from('{}')])],
  ])('is not found in %s', async (_, content) => {
    const file = fresh('other');
    await writeFile(file, await content);
    expect(await refusal(file)).toMatch(/^BackupFailure: This is no backup of Merlon/);
  });

  it('of a newer format is refused, by its number', async () => {
    const newer = await forge((entries, header) => {
      entries.set(HEADER_FILE, writeJson({ ...header, format_version: 2 }));
    });
    expect(await refusal(newer)).toContain(
      'This backup has format 2, and this release of Merlon knows formats up to 1.',
    );
  });

  it(
    'of a newer release is refused, by the migrations that are unknown here',
    async () => {
      const newer = await forge((entries, header) => {
        const changed = {
          ...header,
          version: '9.9.9',
          migrations: [...header.migrations, 'Migration20991231000000_Later'],
        };
        entries.set(HEADER_FILE, writeJson(changed));
      });
      const database = await anEmptyDatabase();
      await expect(restore(newer, database, settings)).rejects.toThrow(
        'was written by a newer release of Merlon (9.9.9): this one does not know Migration20991231000000_Later.',
      );
      expect(await tablesIn(database)).toBe(0);
    },
    SLOW,
  );

  it.each<[string, (entries: Map<string, Buffer>, header: BackupHeader) => void, string]>([
    [
      'rows that point nowhere',
      (entries) => void entries.delete(tablePiece('organization', 1)),
      'not as many rows of organization',
    ],
    [
      'a table of another form',
      (entries, header) =>
        void entries.set(
          HEADER_FILE,
          writeJson({
            ...header,
            tables: header.tables.map((table) => (table.name === 'cwe' ? { ...table, columns: [] } : table)),
          }),
        ),
      'another form in the backup than in Merlon: cwe.',
    ],
    [
      'no such table',
      (entries, header) =>
        void entries.set(
          HEADER_FILE,
          writeJson({ ...header, tables: header.tables.filter(({ name }) => name !== 'cwe') }),
        ),
      'another form in the backup than in Merlon: cwe.',
    ],
  ])(
    'that was made to hold %s is refused, and nothing of it stays',
    async (_, change, message) => {
      const forged = await forge(change);
      const database = await anEmptyDatabase();
      await expect(restore(forged, database, settings)).rejects.toThrow(message);
      expect(await tablesIn(database)).toBe(0);
    },
    SLOW,
  );

  it(
    'is restored whole or not at all, where the storage fails or the restore is broken off',
    async () => {
      const bucket = await startFakeBucket();
      const database = await anEmptyDatabase();
      const there = { ...settings, STORAGE_URL: bucket.url };
      bucket.refuse({ status: 403, code: 'AccessDenied' });
      await expect(restore(backup, database, there)).rejects.toThrow('refuses access');
      expect(await tablesIn(database)).toBe(0);

      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error('Interrupted.')), 300);
      await expect(restore(backup, database, settings, { signal: stop.signal })).rejects.toThrow('Interrupted.');
      expect(await tablesIn(database)).toBe(0);

      bucket.refuse(null);
      await restore(backup, database, there);
      expect(bucket.objects.size).toBe(2);
      await bucket.stop();
    },
    SLOW,
  );

  it('leaves no half of a file behind where the storage fails', async () => {
    const names = await readdir(dataDir, { recursive: true });
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
