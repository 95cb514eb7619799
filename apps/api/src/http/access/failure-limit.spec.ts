import { startTestApi, useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { setPassword } from '#domain/access/user/password.commands.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { EntityManager } from '@mikro-orm/postgresql';

const test = useTestApi({ TRUSTED_PROXIES: 'loopback' });

/** Each caller has a separate address, which a trusted proxy reports. */
const from = (address: string): { 'X-Forwarded-For': string } => ({ 'X-Forwarded-For': address });

const PASSWORD = 'correct horse battery staple';
const basic = (email: string, password: string): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

beforeAll(async () => {
  const operator = operatorOf(test.organization.id);
  await inTransaction(test.running.app.get(EntityManager), operator, (em) =>
    setPassword(em, operator, test.organization.admin.id, PASSWORD),
  );
});

interface Attempt {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter: string | undefined;
}

/** Signs in with a password, from an address. */
async function signIn(email: string, password: string, address: string, api = test.api): Promise<Attempt> {
  const { status, body, headers } = await api
    .as(null)
    .with({ ...basic(email, password), ...from(address) })
    .get('/users/me/tokens/');
  return { status, body, retryAfter: headers['retry-after'] };
}

/** A user with a password who has signed in from these addresses. */
async function userWithPassword(...addresses: readonly string[]): Promise<string> {
  const { id, email } = await test.newUser();
  const operator = operatorOf(test.organization.id);
  await inTransaction(test.running.app.get(EntityManager), operator, (em) => setPassword(em, operator, id, PASSWORD));
  for (const address of addresses) expect(await signIn(email, PASSWORD, address)).toMatchObject({ status: 200 });
  return email;
}

/** Guesses an account's password, each time from another address. Returns the statuses. */
async function guess(email: string, count: number, network: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let host = 1; host <= count; host += 1)
    statuses.push((await signIn(email, 'wrong password', `${network}.${host}`)).status);
  return statuses;
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('Failed authentication from one address', () => {
  it('is throttled after 300 unknown tokens, while valid tokens and other addresses are not', async () => {
    const caller = test.api.as('x'.repeat(43)).with(from('192.0.2.1'));
    const statuses = await Promise.all(
      Array.from({ length: 330 }, () => caller.get('/users/me/').then(({ status }) => status)),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(300);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    await bodyOf(test.api.with(from('192.0.2.1')).get('/users/me/'));
    await bodyOf(caller.with(from('192.0.2.2')).get('/users/me/'), 401);
  });

  it('is blocked after ten wrong passwords, even for the right one, while another address is not', async () => {
    const { email } = test.organization.admin;
    const at = (password: string, address: string): Promise<{ status: number }> =>
      test.api
        .as(null)
        .with({ ...basic(email, password), ...from(address) })
        .get('/users/me/tokens/');
    expect((await at(PASSWORD, '192.0.2.3')).status).toBe(200);
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect((await at('wrong password', '192.0.2.3')).status).toBe(401);
    expect((await at('wrong password', '192.0.2.3')).status).toBe(429);
    expect((await at(PASSWORD, '192.0.2.3')).status).toBe(429);
    expect((await at(PASSWORD, '192.0.2.4')).status).toBe(200);
  });

  it('does not reveal whether the user exists', async () => {
    const { email } = test.organization.admin;
    const tell = (of: string): Promise<object> =>
      test.api
        .as(null)
        .with({ ...basic(of, 'wrong password'), ...from('192.0.2.5') })
        .get('/users/me/tokens/')
        .then(({ status, body }) => ({ status, body }));
    expect(await tell('nobody@example.com')).toEqual(await tell(email));
  });
});

describe('The limit on wrong passwords for one account', () => {
  it('applies after 20 attempts from many addresses, whether the account exists or not', async () => {
    for (const [email, network] of [
      [await userWithPassword(), '198.51.100'],
      ['no.one@example.com', '203.0.113'],
    ] as const) {
      expect(await guess(email, 22, network)).toEqual([...times(20, 401), 429, 429]);
      const { body, retryAfter } = await signIn(email.toUpperCase(), PASSWORD, `${network}.100`);
      expect(body).toEqual({ detail: expect.stringMatching(/^Request was throttled/) });
      expect(Number(retryAfter)).toBeGreaterThan(600);
    }
  });

  it('does not lock out the owner at an address from which they have signed in', async () => {
    const email = await userWithPassword('192.0.2.20', '192.0.2.20');
    await guess(email, 21, '198.51.101');
    expect(await signIn(email, PASSWORD, '192.0.2.21')).toMatchObject({ status: 429 });
    expect(await signIn(email, PASSWORD, '192.0.2.20')).toMatchObject({ status: 200 });
  });

  it('does not lock out other users who have signed in from a blocked address', async () => {
    const [mine, stranger] = [await userWithPassword('192.0.2.30'), await userWithPassword()];
    for (const expected of [...times(10, 401), 429])
      expect(await signIn('no.one.here@example.com', 'wrong password', '192.0.2.30')).toMatchObject({
        status: expected,
      });
    expect(await signIn(stranger, PASSWORD, '192.0.2.30')).toMatchObject({ status: 429 });
    expect(await signIn(mine, PASSWORD, '192.0.2.30')).toMatchObject({ status: 200 });
  });

  it('applies across processes and restarts', async () => {
    const email = await userWithPassword();
    await guess(email, 20, '198.51.102');
    const database = { ...test.database, drop: () => Promise.resolve() };
    const other = await startTestApi({ TRUSTED_PROXIES: 'loopback' }, database);
    try {
      expect(await signIn(email, PASSWORD, '192.0.2.40', other.api)).toMatchObject({ status: 429 });
    } finally {
      await other.close();
    }
  });

  it('counts a /64 IPv6 network as one address, and an IPv4 address the same in IPv6 notation', async () => {
    for (let host = 1; host <= 10; host += 1)
      expect(await signIn(`a${host}@example.com`, 'x', `2001:db8:0:1::${host}`)).toMatchObject({ status: 401 });
    expect(await signIn('b@example.com', 'x', '2001:db8:0:1:ffff::1')).toMatchObject({ status: 429 });
    expect(await signIn('b@example.com', 'x', '2001:db8:0:2::1')).toMatchObject({ status: 401 });
    for (const address of [...times(5, '192.0.2.50'), ...times(5, '::ffff:192.0.2.50')])
      expect(await signIn('c@example.com', 'x', address)).toMatchObject({ status: 401 });
    expect(await signIn('c@example.com', 'x', '192.0.2.50')).toMatchObject({ status: 429 });
  });

  it('keeps the 20 most recently used addresses of an account', async () => {
    const email = await userWithPassword(...Array.from({ length: 22 }, (_, host) => `192.0.3.${host}`));
    const rows = await test.database.query<{ address: string }>(
      `SELECT a.address FROM sign_in_address a JOIN user_account u ON u.id = a.user_id WHERE u.email = $1`,
      [email],
    );
    expect(rows.map(({ address }) => address).sort()).toEqual(
      Array.from({ length: 20 }, (_, host) => `192.0.3.${host + 2}`).sort(),
    );
  });
});

describe('A failed sign-in', () => {
  const logged = async (action: () => Promise<unknown>): Promise<Record<string, unknown>[]> => {
    const before = test.log.length;
    await action();
    return test.log
      .slice(before)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'Sign-in failed');
  };

  it('is logged with client address, reason and user, but without password, token and e-mail address', async () => {
    const { id, email } = await test.newUser();
    const lines = await logged(async () => {
      await signIn(email, 'my secret guess', '192.0.2.60');
      await signIn('typed-by-mistake@example.com', 'my secret guess', '192.0.2.61');
      await test.api.as('mrl_abcdefgh_nothing').with(from('192.0.2.62')).get('/users/me/');
    });
    expect(lines).toMatchObject([
      { level: 'warn', address: '192.0.2.60', reason: 'wrong password', user: id, requestId: expect.any(String) },
      { level: 'warn', address: '192.0.2.61', reason: 'unknown or inactive account', requestId: expect.any(String) },
      { level: 'warn', address: '192.0.2.62', reason: 'invalid token', requestId: expect.any(String) },
    ]);
    expect(lines[1]).not.toHaveProperty('user');
    expect(test.log.join('')).not.toMatch(/my secret guess|typed-by-mistake|mrl_abcdefgh_nothing/);
    expect(test.log.join('')).not.toContain(email);
  });

  it('is logged as throttled beyond the limit', async () => {
    const lines = await logged(async () => {
      for (let attempt = 0; attempt < 11; attempt += 1) await signIn('x@example.com', 'x', '192.0.2.63');
    });
    expect(lines.at(-1)).toMatchObject({ address: '192.0.2.63', reason: 'throttled' });
  });
});
