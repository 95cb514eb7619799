import { EntityManager } from '@mikro-orm/postgresql';
import { operatorOf } from '#domain/kernel/operator.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { setPassword } from '#domain/access/user/password.commands.js';
import { hashPassword } from '#platform/crypto/password.js';
import { type TestUser, useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, refusedBy, rowsOf } from '#test/support/client.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();
const path = '/users/me/tokens/';
const PASSWORD = 'correct horse battery staple';

interface Token {
  id: number;
  name: string;
  prefix: string;
  expires: string | null;
  last_used: string | null;
  token?: string;
}

/** A user who has a password. */
async function userWithPassword(): Promise<TestUser> {
  const user = await test.newUser();
  const operator = operatorOf(test.organization.id);
  await inTransaction(test.running.app.get(EntityManager), (em) => setPassword(em, operator, user.id, PASSWORD));
  return user;
}

const basic = (email: string, password: string): ApiClient =>
  test.api.as(null).with({ Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` });

describe('A token', () => {
  it('is shown once, when it is made, and begins with its prefix', async () => {
    const { api } = await test.newUser();
    const made = await bodyOf(api.post<Token>(path, { name: 'CI' }), 201);
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'CI',
      prefix: expect.stringMatching(/^mrl_/),
      created: expect.any(String),
      expires: null,
      last_used: null,
      token: expect.stringMatching(/^mrl_[a-z2-7]{8}_[A-Za-z0-9_-]{43}$/),
    });
    expect(made.token?.startsWith(made.prefix)).toBe(true);
    const { token: _, ...shown } = made;
    expect((await rowsOf(api.get<List<Token>>(path))).find(({ id }) => id === made.id)).toEqual(shown);
    await bodyOf(api.as(made.token ?? '').get('/users/me/'));
  });

  it('tells when it was last used', async () => {
    const { api } = await test.newUser();
    const made = await bodyOf(api.post<Token>(path, { name: 'x' }), 201);
    await bodyOf(api.as(made.token ?? '').get('/users/me/'));
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const row = (await rowsOf(api.get<List<Token>>(path))).find(({ id }) => id === made.id);
      if (row?.last_used) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('last_used stays empty.');
  });

  it.each([
    ['name', ''],
    ['name', null],
    ['name', 'x'.repeat(1000)],
    ['expires', 'tomorrow'],
    ['expires', '2001-01-01T00:00:00Z'],
    ['expires', 5],
  ])('is refused with %s %j', async (field, value) => {
    expect(await changesNothing(test, () => refusedBy(test.api.post(path, { name: 'x', [field]: value })))).toEqual([
      field,
    ]);
  });

  it('may expire, to the microsecond', async () => {
    const { expires } = await bodyOf(
      test.api.post<Token>(path, { name: 'x', expires: '2099-03-04T15:43:51.615743+02:00' }),
      201,
    );
    expect(expires).toBe('2099-03-04T13:43:51.615743+00:00');
  });

  it('that is regenerated keeps id, name and expiry, and has a new text', async () => {
    const made = await bodyOf(test.api.post<Token>(path, { name: 'x', expires: '2099-01-01T00:00:00Z' }), 201);
    const again = await bodyOf(test.api.post<Token>(`${path}${made.id}/regenerate/`));
    expect(again).toMatchObject({ id: made.id, name: 'x', expires: made.expires });
    expect(again.token).not.toBe(made.token);
  });

  it("of another user can't be seen, regenerated or revoked, not even by a super-user", async () => {
    const { api } = await test.newUser();
    const { id } = await bodyOf(api.post<Token>(path, { name: 'mine' }), 201);
    expect((await rowsOf(test.api.get<List<Token>>(path))).map((row) => row.id)).not.toContain(id);
    await changesNothing(test, () => bodyOf(test.api.post(`${path}${id}/regenerate/`), 404));
    await changesNothing(test, () => bodyOf(test.api.delete(`${path}${id}/`), 404));
  });

  it('is made for another user by super-users alone', async () => {
    const user = await test.newUser();
    const manager = await test.newUser({ role: 'UR4' });
    await changesNothing(test, () => bodyOf(manager.api.post(`/users/${user.id}/tokens/`, { name: 'x' }), 403));
    const { token } = await bodyOf(test.api.post<Token>(`/users/${user.id}/tokens/`, { name: 'x' }), 201);
    expect(await bodyOf(test.api.as(token ?? '').get('/users/me/'))).toMatchObject({ id: user.id });
    await bodyOf(test.api.post('/users/999999/tokens/', { name: 'x' }), 404);
  });

  it('tells of itself, and never what it is', async () => {
    const user = await test.newUser({ firstName: 'Grace', lastName: 'Hopper' });
    let text = '';
    const activities = await activitiesOf(test, async () => {
      const { id, token = '' } = await bodyOf(user.api.post<Token>(path, { name: 'x' }), 201);
      text = token;
      await bodyOf(user.api.post(`${path}${id}/regenerate/`));
      await bodyOf(user.api.delete(`${path}${id}/`), 204);
    });
    expect(activities).toMatchObject(
      ['CreatedTokenActivity', 'RegeneratedTokenActivity', 'RevokedTokenActivity'].map((name) => ({
        name,
        icon: 'key',
        data: { user: `U${user.id}`, user_desc: 'Grace Hopper', token_desc: 'x' },
      })),
    );
    expect(JSON.stringify(activities)).not.toContain(text.slice(4, 12));
  });
});

describe('A token that expires', () => {
  const EXPIRES = '2050-01-01T00:00:00.000001+00:00';

  /** A super-user by a token that expires at `EXPIRES`. */
  async function expiring(): Promise<{ id: number; email: string; api: ApiClient; token: Token }> {
    const { id, email, api } = await test.newUser({ superUser: true });
    const token = await bodyOf(api.post<Token>(path, { name: 'expires', expires: EXPIRES }), 201);
    return { id, email, api: api.as(token.token ?? ''), token };
  }

  it.each([
    ['a later expiry', { expires: '2050-01-01T00:00:00.000002+00:00' }],
    ['no expiry', {}],
    ['null', { expires: null }],
  ])('makes none with %s, for its owner or others', async (_, expiry) => {
    const { api } = await expiring();
    const other = await test.newUser();
    for (const target of [path, `/users/${other.id}/tokens/`])
      expect(await changesNothing(test, () => refusedBy(api.post(target, { name: 'x', ...expiry })))).toEqual([
        'expires',
      ]);
  });

  it('makes one with the same expiry or an earlier one, for its owner or others', async () => {
    const { api } = await expiring();
    const other = await test.newUser();
    for (const target of [path, `/users/${other.id}/tokens/`])
      for (const expires of [EXPIRES, '2049-01-01T00:00:00Z'])
        await bodyOf(api.post(target, { name: 'x', expires }), 201);
  });

  it('regenerates itself, and none that lives longer', async () => {
    const { api, token } = await expiring();
    const [longer] = await rowsOf(api.get<List<Token>>(path, { name: 'Test' }));
    expect(await changesNothing(test, () => refusedBy(api.post(`${path}${longer?.id}/regenerate/`)))).toEqual([
      'expires',
    ]);
    const again = await bodyOf(api.post<Token>(`${path}${token.id}/regenerate/`));
    expect(again.expires).toBe(EXPIRES);
  });

  it('makes none that lives longer through a composite request either', async () => {
    const { api } = await expiring();
    const request = { method: 'POST', path: 'users/me/tokens/', reference_id: 'a', body: { name: 'x' } };
    const { composite_response: answers } = await bodyOf(
      api.post<{ composite_response: { http_status_code: number; body: object }[] }>('/composite/', {
        all_or_none: true,
        composite_request: [request],
      }),
    );
    expect(answers).toMatchObject([{ http_status_code: 400, body: { expires: [expect.any(String)] } }]);
  });

  it('does not limit what its owner makes with their password', async () => {
    const user = await userWithPassword();
    await bodyOf(user.api.post(path, { name: 'x', expires: EXPIRES }), 201);
    await bodyOf(basic(user.email, PASSWORD).post(path, { name: 'y' }), 201);
  });
});

describe('HTTP Basic', () => {
  it('opens the four endpoints of tokens, so that a first one can be had', async () => {
    const { email } = await userWithPassword();
    const api = basic(email, PASSWORD);
    const { id, token } = await bodyOf(api.post<Token>(path, { name: 'first' }), 201);
    await bodyOf(api.get(path));
    await bodyOf(test.api.as(token ?? '').get('/users/me/'));
    await bodyOf(api.post(`${path}${id}/regenerate/`));
    await bodyOf(api.delete(`${path}${id}/`), 204);
  });

  it('takes the e-mail in any case, and passwords with colons and other letters', async () => {
    const { email } = await userWithPassword();
    const odd = 'p:ä:ß 😀 wörd, länger';
    await bodyOf(
      basic(email.toUpperCase(), PASSWORD).post('/users/me/password/', {
        current_password: PASSWORD,
        new_password: odd,
      }),
      204,
    );
    await bodyOf(basic(email, odd).get(path));
  });

  it.each(['/users/me/', '/users/me/permissions/', '/library/tasks/', '/flags/', '/users/'])(
    'opens nothing else: %s',
    async (other) => {
      const { email } = await userWithPassword();
      await bodyOf(basic(email, PASSWORD).get(other), 401);
    },
  );

  it('is not taken for a method that a path lacks either', async () => {
    const { email } = await userWithPassword();
    for (const other of [path, '/library/tasks/'])
      expect((await basic(email, PASSWORD).send('PUT', other, {})).status).toBe(401);
  });

  it('opens nothing for an inactive user or a wrong password', async () => {
    const user = await userWithPassword();
    await bodyOf(basic(user.email, `${PASSWORD}x`).get(path), 401);
    await bodyOf(basic(user.email, '').get(path), 401);
    await bodyOf(test.api.patch(`/users/${user.id}/`, { is_active: false }));
    await bodyOf(basic(user.email, PASSWORD).get(path), 401);
  });

  it('notes the time of the login', async () => {
    const user = await userWithPassword();
    await bodyOf(basic(user.email, PASSWORD).get(path));
    expect(await bodyOf(user.api.get('/users/me/'))).toMatchObject({ last_login: expect.any(String) });
  });
});

describe('A password', () => {
  const change = (api: ApiClient, current: unknown, fresh: unknown) =>
    api.post('/users/me/password/', { current_password: current, new_password: fresh });

  it('is changed with the present one, by HTTP Basic alone', async () => {
    const user = await userWithPassword();
    const fresh = 'staple battery horse correct';
    await bodyOf(change(user.api, PASSWORD, fresh), 401);
    await bodyOf(change(basic(user.email, PASSWORD), PASSWORD, fresh), 204);
    await bodyOf(basic(user.email, PASSWORD).get(path), 401);
    await bodyOf(basic(user.email, fresh).get(path));
  });

  it('has at least 15 characters, and the present one must be right', async () => {
    const { email } = await userWithPassword();
    const api = basic(email, PASSWORD);
    expect(await refusedBy(change(api, 'wrong password', 'staple battery horse'))).toEqual(['current_password']);
    for (const short of ['x1 y2 z3 w4 v5', '', null, 5, '😀'.repeat(14)])
      expect(await refusedBy(change(api, PASSWORD, short))).toEqual(['new_password']);
    await bodyOf(api.get(path));
    await bodyOf(change(api, PASSWORD, '😀'.repeat(15)), 204);
  });

  it.each([
    'passwordpassword',
    'PasswordPassword',
    'password1234567',
    '123456789012345',
    'aaaaaaaaaaaaaaa',
    'qwertyuiopasdfghjkl',
    'ｐａｓｓｗｏｒｄｐａｓｓｗｏｒｄ',
    '1qaz2wsx3edc4rfv',
  ])('is refused where it is a common one or a variation of one: %s', async (common) => {
    const { email } = await userWithPassword();
    const answer = await change(basic(email, PASSWORD), PASSWORD, common);
    expect(await bodyOf(answer, 400)).toEqual({ new_password: [expect.stringContaining('common')] });
    await bodyOf(basic(email, PASSWORD).get(path));
  });

  it('takes no rules about kinds of characters', async () => {
    const { email } = await userWithPassword();
    let current = PASSWORD;
    for (const fresh of ['only lower case letters here', '8301 7462 9913 4422', 'ПАРОЛЬ ИЗ СЛОВ И ЕЩЁ СЛОВ']) {
      await bodyOf(change(basic(email, current), current, fresh), 204);
      current = fresh;
    }
  });

  it('is neither the e-mail address, nor what stands before its @, nor the present password', async () => {
    const user = await userWithPassword();
    const address = 'grace.brewster.murray@example.com';
    await bodyOf(test.api.patch(`/users/${user.id}/`, { email: address }));
    for (const fresh of [address, address.toUpperCase(), 'Grace.Brewster.Murray', 'gracebrewstermurray', PASSWORD])
      expect(await refusedBy(change(basic(address, PASSWORD), PASSWORD, fresh))).toEqual(['new_password']);
    await bodyOf(basic(address, PASSWORD).get(path));
  });

  it('that is older than these rules keeps working', async () => {
    const { id, email } = await test.newUser();
    await test.database.query('UPDATE user_account SET password_hash = $2 WHERE id = $1', [
      id,
      await hashPassword('password'),
    ]);
    await bodyOf(basic(email, 'password').get(path));
  });

  it('that is changed ends all tokens of its user and no others, and tells of each', async () => {
    const user = await userWithPassword();
    const second = await bodyOf(user.api.post<Token>(path, { name: 'CI' }), 201);
    const bystander = await test.newUser();
    const activities = await activitiesOf(test, () =>
      bodyOf(change(basic(user.email, PASSWORD), PASSWORD, 'staple battery horse correct'), 204),
    );
    await bodyOf(user.api.get(path), 401);
    await bodyOf(user.api.as(second.token ?? '').get(path), 401);
    await bodyOf(bystander.api.get(path));
    expect(await rowsOf(basic(user.email, 'staple battery horse correct').get<List<Token>>(path))).toEqual([]);
    expect(activities.map(({ name }) => name).sort()).toEqual([
      'RevokedTokenActivity',
      'RevokedTokenActivity',
      'UpdatedUserActivity',
    ]);
  });

  it('that is changed with keep_tokens ends none', async () => {
    const user = await userWithPassword();
    const body = { current_password: PASSWORD, new_password: 'staple battery horse correct', keep_tokens: true };
    await bodyOf(basic(user.email, PASSWORD).post('/users/me/password/', body), 204);
    await bodyOf(user.api.get(path));
  });

  it('that is the first one of its user ends no tokens', async () => {
    const user = await userWithPassword();
    await bodyOf(user.api.get(path));
  });

  it('is kept as a slow hash, and stands in no log', async () => {
    const { id, email } = await userWithPassword();
    await bodyOf(basic(email, PASSWORD).get(path));
    const [row] = await test.database.query<{ password_hash: string }>(
      'SELECT password_hash FROM user_account WHERE id = $1',
      [id],
    );
    expect(row?.password_hash).toMatch(/argon2id|scrypt/);
    expect(row?.password_hash).not.toContain(PASSWORD);
    expect(test.log.join('')).not.toContain(PASSWORD);
  });
});
