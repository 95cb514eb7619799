import { runAdmin } from '#test/support/admin.js';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';

const EMAIL = 'ada@example.com';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await admin('organization', 'create', '--name', 'Ours', '--email', EMAIL);
  await admin('organization', 'create', '--name', 'Theirs', '--email', 'eve@example.com');
});
afterAll(() => database.drop());

const admin = (...words: string[]) => runAdmin({ DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(40) }, ...words);

interface Listed {
  readonly id: number;
  readonly name: string;
}

const tokensOf = async (email: string): Promise<Listed[]> =>
  (await admin('token', 'list', '--email', email)).result['tokens'] as Listed[];

describe('List commands', () => {
  it('show all organizations, but users of the given organization only', async () => {
    const { organizations } = (await admin('organization', 'list')).result as { organizations: Listed[] };
    expect(organizations.map(({ name }) => name)).toEqual(expect.arrayContaining(['Ours', 'Theirs']));
    const { users } = (await admin('user', 'list', '--organization', 'Ours')).result as { users: object[] };
    expect(users).toEqual([expect.objectContaining({ email: EMAIL, is_superuser: true })]);
    expect(await admin('user', 'list', '--organization', 'None')).toMatchObject({
      code: 1,
      error: '--organization: the organization "None" does not exist.\n',
    });
  });

  it('show the tokens of a user without their values', async () => {
    const { token } = (await admin('token', 'create', '--email', EMAIL, '--name', 'Second')).result;
    const listed = await tokensOf(EMAIL);
    expect(listed.map(({ name }) => name).sort()).toEqual(['First token', 'Second']);
    expect(JSON.stringify(listed)).not.toContain(token);
  });
});

describe('The command "token revoke"', () => {
  it('deletes only the given token of the user', async () => {
    await admin('token', 'create', '--email', EMAIL, '--name', 'Lost');
    const before = await tokensOf(EMAIL);
    const lost = before.find(({ name }) => name === 'Lost');
    const theirs = (await tokensOf('eve@example.com'))[0];
    const revoke = (id: unknown) => admin('token', 'revoke', '--email', EMAIL, '--id', String(id));
    expect(await revoke(lost?.id)).toMatchObject({ code: 0, result: { revoked: lost?.id } });
    expect(await tokensOf(EMAIL)).toEqual(before.filter(({ id }) => id !== lost?.id));
    const foreign = [lost?.id, theirs?.id, 'x'];
    const rejected = await Promise.all(foreign.map(revoke));
    for (const [n, id] of foreign.entries())
      expect(rejected[n]).toMatchObject({ code: 1, error: `--id: the user does not have a token "${id}".\n` });
    expect(await tokensOf('eve@example.com')).toEqual([theirs]);
    const trail = await database.query(`SELECT data FROM activity WHERE name = 'RevokedTokenActivity'`);
    expect(trail).toEqual([{ data: expect.objectContaining({ token_desc: 'Lost' }) }]);
  });
});

describe('An unknown command', () => {
  it('is rejected with the nearest command as a suggestion', async () => {
    expect(await admin('token', 'revok')).toMatchObject({
      code: 2,
      error: expect.stringMatching(/^The command "token revok" does not exist\. Did you mean "token revoke"\?/),
    });
  });
});
