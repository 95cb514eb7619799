import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '#orm';
import { startSession } from '#domain/access/session/session.commands.js';
import { findActor } from '#domain/access/user/principal.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { runAdmin } from '#test/support/admin.js';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';
import { PASSWORD } from '#test/support/passwords.js';

const EMAIL = 'ada@example.com';

let database: TestDatabase;
let orm: MikroORM;
let userId: number;

const run = (words: readonly string[]) =>
  runAdmin(
    { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(40), PUBLIC_URL: 'https://merlon.example.com' },
    ...words,
  );

beforeAll(async () => {
  database = await cloneDatabase();
  orm = await MikroORM.init({
    ...ormOptions({ url: database.url, poolSize: 2, timeZone: 'UTC' }),
    logger: () => undefined,
  });
  const { result } = await run(['organization', 'create', '--name', 'Ours', '--email', EMAIL]);
  userId = (result['user'] as { id: number }).id;
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

async function signIn(): Promise<void> {
  const actor = await findActor(orm.em.fork(), userId);
  if (!actor) throw new Error('There is no user.');
  await inTransaction(orm.em, actor, (em) =>
    startSession(em, actor, { address: '192.0.2.1', userAgent: 'Browser' }, { idleHours: 12, maximumHours: 168 }),
  );
}

const listed = async (): Promise<{ id: number; user_agent: string }[]> =>
  (await run(['session', 'list', '--email', EMAIL])).result['sessions'] as { id: number; user_agent: string }[];

describe('Session commands', () => {
  it('list the sessions of a user, and end one or all of them', async () => {
    for (let count = 0; count < 3; count += 1) await signIn();
    const [first] = await listed();
    expect(await listed()).toEqual(Array(3).fill(expect.objectContaining({ user_agent: 'Browser', current: false })));
    const end = ['session', 'end', '--email', EMAIL];
    expect(await run([...end, '--id', String(first?.id)])).toMatchObject({ result: { ended: 1 } });
    expect(await run([...end, '--id', String(first?.id)])).toMatchObject({
      code: 1,
      error: `--id: the user does not have a session "${first?.id}".\n`,
    });
    expect(await run(end)).toMatchObject({ result: { ended: 2 } });
    expect(await listed()).toEqual([]);
  });
});

describe('The command setup-link', () => {
  it('creates a link to the public address, which replaces the one before, until someone can sign in', async () => {
    const first = (await run(['setup-link'])).result['url'];
    const second = (await run(['setup-link'])).result['url'];
    expect(second).toMatch(/^https:\/\/merlon\.example\.com\/setup#[\w-]{43}$/);
    expect(second).not.toBe(first);
    expect(await database.query('SELECT 1 FROM setup_link')).toHaveLength(1);
    await database.query('UPDATE user_account SET password_hash = $1 WHERE id = $2', [PASSWORD, userId]);
    expect(await run(['setup-link'])).toMatchObject({
      code: 1,
      error: 'Someone can sign in already. "user password" sets the password of a user.\n',
    });
  });
});

describe('Identity provider commands', () => {
  it('list the providers of each organization, and end signing in with one', async () => {
    await database.query(
      `INSERT INTO identity_provider (organization_id, name, issuer, client_id, sealed_client_secret, scopes,
         default_role_id, domains, claims, group_mappings)
       SELECT u.organization_id, 'Directory', 'https://login.example.com', 'merlon', 'v1', '{}', u.role_id, '{}', '{}', '[]'
       FROM user_account u WHERE u.id = $1`,
      [userId],
    );
    const providers = async (): Promise<Record<string, unknown>[]> => {
      const { organizations } = (await run(['identity-provider', 'list'])).result as {
        organizations: { name: string; identity_providers: Record<string, unknown>[] }[];
      };
      return organizations.find(({ name }) => name === 'Ours')?.identity_providers ?? [];
    };
    const [provider] = await providers();
    expect(provider).toMatchObject({ name: 'Directory', active: true });
    const disable = ['identity-provider', 'disable', '--id'];
    expect(await run([...disable, String(provider?.['id'])])).toMatchObject({
      result: { identity_provider: { name: 'Directory', active: false } },
    });
    expect(await providers()).toMatchObject([{ active: false }]);
    expect(await run([...disable, '999999'])).toMatchObject({
      code: 1,
      error: '--id: the identity provider "999999" does not exist.\n',
    });
  });
});
