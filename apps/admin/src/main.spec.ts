import { runAdmin } from '#test/support/admin.js';
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
    expect(await admin('trends', 'snapshot')).toMatchObject({ code: 0, error: '' });
  });
});

describe('A database from before the first release', () => {
  it.each(['setup', 'migrate'])('is rejected by %s with a hint to back it up', async (command) => {
    await database.query(`UPDATE mikro_orm_migrations SET name = 'Migration20261121000000_Foundation'`);
    const { code, error } = await admin(command);
    expect([code, error]).toEqual([1, expect.stringContaining('admin backup FILE')]);
  });
});
