import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type AdminRun, runAdmin } from '../support/admin.js';
import { useTestApi } from '../support/api.js';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../support/database.js';
import { commandsIn, documentation } from '../support/shell-examples.js';
import { temporaryFolder } from '../support/worker.js';

const test = useTestApi();
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.remove());

const inFolder = (word: string): string =>
  /\.(tar|csv|json|yml)$/.test(word) ? path.join(folder.path, path.basename(word)) : word;

const admin = (database: TestDatabase, words: readonly string[]): Promise<AdminRun> =>
  runAdmin(
    {
      DATABASE_URL: database.applicationUrl,
      DATABASE_OWNER_URL: database.url,
      DATA_DIR: folder.path,
      SECRET_KEY: 'k'.repeat(40),
      LOG_LEVEL: 'warn',
    },
    ...words.map(inFolder),
  );

/** The words after `npm run -s admin --`, which settings may precede. */
const adminCommandsOf = (page: string): string[][] =>
  commandsIn(documentation(page)).flatMap((words) => {
    const start = words.indexOf('npm');
    const command = start < 0 ? [] : words.slice(start, start + 5);
    return command.join(' ') === 'npm run -s admin --' ? [words.slice(start + 5)] : [];
  });

const asvs = (code: string): string =>
  `chapter_id,chapter_name,section_id,section_name,req_id,req_description,L
V1,Encoding,V1.1,Architecture,${code},Verify that input is decoded once.,1`;
const metadata = { title: 'Controls', version: '5' };

/** The least that the files of the publishers can contain. Readers have the real ones. */
const FILES: Readonly<Record<string, string>> = {
  'OWASP_ASVS_4.0.3_en.csv': asvs('V1.1.1'),
  'OWASP_ASVS_5.0.0_en.csv': asvs('V1.1.2'),
  'mapping_v4.0.3_to_v5.0.0.yml': 'v4.0.3-1.1.1:\n  tag-v5.0.0: MOVED TO v5.0.0-1.1.2\n',
  'NIST_SP-800-53_rev5_LOW-baseline_profile.json': JSON.stringify({
    profile: { metadata, imports: [{ href: '#catalog', 'include-all': {} }] },
  }),
  'NIST_SP-800-53_rev5_catalog.json': JSON.stringify({
    catalog: { metadata, controls: [{ id: 'ac-1', title: 'Policy' }] },
  }),
};

describe('The pages about files', () => {
  it('show how to import catalogs of publishers', async () => {
    for (const [name, text] of Object.entries(FILES)) await writeFile(inFolder(name), text);
    await test.database.query('UPDATE organization SET name = $1 WHERE id = $2', ['Example Ltd', test.organization.id]);
    // The page carries over the mappings of an edition that the reader has.
    const earlier = await admin(test.database, ['library', 'import-catalog', 'asvs', 'OWASP_ASVS_4.0.3_en.csv']);
    expect(earlier).toMatchObject({ code: 0, result: { regulation: 'CREG1' } });
    const commands = adminCommandsOf('docs/use/public-catalogs.md');
    expect(commands).toHaveLength(3);
    for (const words of commands) {
      const isDryRun = words.includes('--dry-run');
      const done = await admin(test.database, words);
      expect({ words, ...done }).toMatchObject({
        code: 0,
        error: '',
        result: { applied: !isDryRun, created: expect.any(Number) },
      });
      expect(done.result['created']).toBeGreaterThan(0);
    }
  }, 120_000);

  it('show how to back up, and to restore into an empty database', async () => {
    const commands = adminCommandsOf('docs/operate/backup.md');
    expect(commands.map(([command]) => command)).toEqual(['backup', 'restore', 'restore', 'restore', 'restore']);
    const [backup = [], check = [], ...restores] = commands;
    const written = await admin(test.database, backup);
    expect(written).toMatchObject({ code: 0, error: '' });
    const rows = written.result['rows'];
    expect(check).toContain('--check');
    for (const [words, restored] of [[check, false], ...restores.map((words) => [words, true] as const)] as const) {
      const empty = await emptyDatabase();
      try {
        const done = await admin(empty, words);
        expect({ words, ...done }).toMatchObject({ code: 0, error: '', result: { restored, rows } });
      } finally {
        await empty.drop();
      }
    }
  }, 120_000);

  it('show how to back up and replace a database in a container', async () => {
    const composed = commandsIn(documentation('docs/operate/backup.md')).filter(([program]) => program === 'docker');
    const commands = composed.flatMap((words) =>
      words.includes('admin') ? [words.slice(words.indexOf('admin') + 1)] : [],
    );
    expect(commands.map(([command]) => command)).toEqual(['backup', 'restore']);
    const database = await cloneDatabase();
    try {
      for (const words of commands) {
        const done = await admin(database, words);
        expect({ words, ...done }).toMatchObject({ code: 0, error: '' });
      }
    } finally {
      await database.drop();
    }
  }, 120_000);
});
