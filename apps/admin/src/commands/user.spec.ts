import { runAdmin, runAdminProcess, runAdminWithInput } from '#test/support/admin.js';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '#test/support/database.js';

const EMAIL = 'ada@example.com';
const settingsOf = ({ url }: TestDatabase) => ({ DATABASE_URL: url, SECRET_KEY: 'k'.repeat(40) });

describe('The command "user password"', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await cloneDatabase();
    await runAdmin(settingsOf(database), 'organization', 'create', '--name', 'Ours', '--email', EMAIL);
  });
  afterAll(() => database.drop());

  const setPassword = (password: string, ...words: string[]) =>
    runAdminWithInput(`${password}\n`, settingsOf(database), 'user', 'password', '--email', EMAIL, ...words);
  const tokens = async (): Promise<number> =>
    (
      await database.query('SELECT 1 FROM api_token t JOIN user_account u ON u.id = t.user_id WHERE u.email = $1', [
        EMAIL,
      ])
    ).length;

  it('rejects an invalid password with a reason on a single line', async () => {
    for (const [password, reason] of [
      ['x1 y2 z3 w4 v5', /15/],
      ['passwordpassword', /common/],
    ] as const) {
      const { code, error } = await setPassword(password);
      expect([code, error]).toEqual([1, expect.stringMatching(reason)]);
      expect(error.trim().split('\n')).toHaveLength(1);
    }
  });

  it('reads a password that is piped into it', async () => {
    const words = ['user', 'password', '--email', EMAIL];
    const run = await runAdminProcess('passwordpassword\n', settingsOf(database), ...words);
    expect(run).toMatchObject({ code: 1, error: expect.stringMatching(/common/) });
  });

  it('keeps tokens when it sets a first password or with --keep-tokens, and otherwise deletes them', async () => {
    expect(await setPassword('correct horse battery staple')).toMatchObject({ code: 0, error: '' });
    expect(await tokens()).toBe(1);
    expect(await setPassword('staple battery horse correct', '--keep-tokens')).toMatchObject({ code: 0, error: '' });
    expect(await tokens()).toBe(1);
    expect(await setPassword('battery staple correct horse')).toMatchObject({ code: 0, error: '' });
    expect(await tokens()).toBe(0);
  });
});

describe('ADMIN_PASSWORD', () => {
  it('is rejected with a reason by the first setup if it breaks the password rules, and not checked later', async () => {
    const database = await emptyDatabase();
    try {
      const settings = { ...settingsOf(database), ADMIN_TOKEN: 't'.repeat(40) };
      const setup = (password: string) => runAdmin({ ...settings, ADMIN_PASSWORD: password }, 'setup');
      const rejected = [
        ['twelve chars', /15/],
        ['passwordpassword', /common/],
        ['admin@example.com', /e-mail/],
      ] as const;
      for (const [password, reason] of rejected) {
        const { code, error } = await setup(password);
        expect([code, error]).toEqual([1, expect.stringMatching(reason)]);
        expect(error).toContain('ADMIN_PASSWORD');
        expect(error).not.toContain(password);
        expect(await database.query('SELECT 1 FROM organization')).toEqual([]);
      }
      expect(await setup('correct horse battery staple')).toMatchObject({ code: 0, result: { fresh: true } });
      // Only the first password is checked: one that an older release accepted must not prevent a later start.
      for (const [password] of rejected)
        expect(await setup(password)).toMatchObject({ code: 0, result: { fresh: false } });
    } finally {
      await database.drop();
    }
  });
});
