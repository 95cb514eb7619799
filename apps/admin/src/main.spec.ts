import path from 'node:path';
import { releaseVersion } from '#platform/version.js';
import { adminOutput, runAdmin, runAdminProcess } from '#test/support/admin.js';
import { emptyDatabase, type TestDatabase } from '#test/support/database.js';

let database: TestDatabase;
beforeAll(async () => void (database = await emptyDatabase()));
afterAll(() => database.drop());

const admin = (...words: string[]) => runAdmin({ DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(40) }, ...words);

describe('A command on a database that is not set up', () => {
  it.each([
    ['organization create', ['organization', 'create', '--name', 'Ours', '--email', 'ada@example.com']],
    ['token create', ['token', 'create', '--email', 'ada@example.com']],
    ['export', ['export', '--models', 'standard', '--format', 'csv', '--out', 'never.zip']],
    ['library load', ['library', 'load']],
    ['trends snapshot', ['trends', 'snapshot']],
  ])('reports that setup is required: %s', async (_, words) => {
    expect(await admin(...words)).toEqual({
      code: 1,
      result: {},
      error: 'The database is not set up for this release. Run "admin setup" first.\n',
    });
  });

  it('succeeds after migrate has set up the database', async () => {
    expect(await admin('migrate')).toMatchObject({ code: 0, error: '', result: { migrations: expect.any(Array) } });
    const settings = { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(40) };
    expect(await runAdminProcess('', settings, 'trends', 'snapshot')).toMatchObject({ code: 0, error: '' });
  });
});

describe('A database from before the first release', () => {
  it.each(['setup', 'migrate'])('is rejected by %s with a hint to back it up', async (command) => {
    await database.query(`UPDATE mikro_orm_migrations SET name = 'Migration20261121000000_Foundation'`);
    const { code, error } = await admin(command);
    expect([code, error]).toEqual([1, expect.stringContaining('admin backup FILE')]);
  });
});

describe('The command line', () => {
  const output = (...words: string[]) => adminOutput({}, ...words);

  it.each([
    ['backup', ['backup', '--help']],
    ['user create', ['user', 'create', '--email', 'ada@example.com', '-h']],
    ['library import-catalog', ['help', 'library', 'import-catalog']],
  ])('explains one command: %s', async (name, words) => {
    const { code, stdout, stderr } = await output(...words);
    expect([code, stderr, stdout.match(/^  \S.*$/gm)?.length]).toEqual([0, '', 1]);
    expect(stdout).toContain(`  ${name} `);
  });

  it('explains related commands together, and all without a name', async () => {
    expect((await output('token', '--help')).stdout.match(/^  \S+ \S+/gm)).toEqual([
      '  token create',
      '  token list',
      '  token revoke',
    ]);
    expect((await output('help')).stdout).toContain('  restore <file>');
  });

  it('prints JSON for programs, also with --json', async () => {
    expect(await runAdmin({}, 'version', '--json')).toEqual(await runAdmin({}, 'version'));
    expect((await output('version', '--help')).stdout).toMatch(/Every command:\n +--json /);
  });

  it('shows the version without a database', async () => {
    expect(await runAdminProcess('', {}, 'version')).toEqual({
      code: 0,
      result: { version: releaseVersion() },
      error: '',
    });
  });

  it.each([
    [
      'an option that the command lacks',
      ['backup', 'x.tar', '--fast'],
      '"--fast" is not an option of "backup". "admin backup --help" lists them.',
    ],
    ['an option without a value', ['user', 'list', '--organization'], '--organization has no value.'],
    [
      'an option with a value that it does not take',
      ['restore', 'package.json', '--check=yes'],
      '--check takes no value.',
    ],
    [
      'a file that does not exist',
      ['import', 'nowhere.zip'],
      `The file ${path.resolve('nowhere.zip')} does not exist.`,
    ],
    ['a folder instead of a file', ['import', 'docs'], `${path.resolve('docs')} is a folder, not a file.`],
  ])('rejects %s', async (_, words, error) => {
    expect(await admin(...words)).toEqual({ code: 1, result: {}, error: `${error}\n` });
  });

  it('names a folder that does not exist, before it begins to write', async () => {
    const { code, error } = await admin('backup', 'nowhere/x.tar');
    expect([code, error]).toEqual([1, `${path.resolve('nowhere')} does not exist.\n`]);
  });

  it('suggests no command for a word that resembles none', async () => {
    const { code, error } = await runAdminProcess('', {}, 'frobnicate');
    expect([code, error.split('\n')[0]]).toEqual([2, 'The command "frobnicate" does not exist.']);
  });
});
