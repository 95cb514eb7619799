import { hashPassword } from '#platform/crypto/password.js';
import { type ApiClient, bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { activitiesOf } from '#test/support/records.js';
import { SCRYPT_HASH } from '#test/support/scrypt-hash.js';
import type { List } from '#test/support/resources.js';
import { TOKENS_PATH as path, PASSWORD, type Token, useTestPasswords } from '#test/support/passwords.js';

const { test, userWithPassword, basic } = useTestPasswords();

describe('HTTP Basic authentication', () => {
  it('gives access to the four token endpoints, so that a user can create a first token', async () => {
    const { email } = await userWithPassword();
    const api = basic(email, PASSWORD);
    const { id, token } = await bodyOf(api.post<Token>(path, { name: 'first' }), 201);
    await bodyOf(api.get(path));
    await bodyOf(test.api.as(token ?? '').get('/users/me/'));
    await bodyOf(api.post(`${path}${id}/regenerate/`));
    await bodyOf(api.delete(`${path}${id}/`), 204);
  });

  it('accepts the e-mail address in any case, and passwords with colons and non-ASCII characters', async () => {
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
    'does not give access to %s',
    async (other) => {
      const { email } = await userWithPassword();
      await bodyOf(basic(email, PASSWORD).get(other), 401);
    },
  );

  it('returns 401, not 405, for a method that the path does not support', async () => {
    const { email } = await userWithPassword();
    for (const other of [path, '/library/tasks/'])
      expect((await basic(email, PASSWORD).send('PUT', other, {})).status).toBe(401);
  });

  it('returns 401 for an inactive user and for a wrong or empty password', async () => {
    const user = await userWithPassword();
    await bodyOf(basic(user.email, `${PASSWORD}x`).get(path), 401);
    await bodyOf(basic(user.email, '').get(path), 401);
    await bodyOf(test.api.patch(`/users/${user.id}/`, { is_active: false }));
    await bodyOf(basic(user.email, PASSWORD).get(path), 401);
  });

  it('records the time of the last login', async () => {
    const user = await userWithPassword();
    await bodyOf(basic(user.email, PASSWORD).get(path));
    expect(await bodyOf(user.api.get('/users/me/'))).toMatchObject({ last_login: expect.any(String) });
  });

  it('keeps the 20 most recently used addresses of a user', async () => {
    const user = await userWithPassword();
    const others = Array.from({ length: 25 }, (_, n) => `192.0.2.${n}`);
    await test.database.query(
      `INSERT INTO sign_in_address (user_id, address, last_used_at)
        SELECT $1, address, now() - n * interval '1 day' FROM unnest($2::text[]) WITH ORDINALITY AS used(address, n)`,
      [user.id, others],
    );
    await bodyOf(basic(user.email, PASSWORD).get(path));
    const kept = await test.database.query<{ address: string }>(
      'SELECT address FROM sign_in_address WHERE user_id = $1 ORDER BY last_used_at DESC',
      [user.id],
    );
    expect(kept.map(({ address }) => address)).toEqual([
      expect.not.stringContaining('192.0.2'),
      ...others.slice(0, 19),
    ]);
  });
});

describe('Passwords', () => {
  const change = (api: ApiClient, current: unknown, fresh: unknown) =>
    api.post('/users/me/password/', { current_password: current, new_password: fresh });

  it('changes the password only with HTTP Basic authentication, and rejects the old one afterwards', async () => {
    const user = await userWithPassword();
    const fresh = 'staple battery horse correct';
    await bodyOf(change(user.api, PASSWORD, fresh), 401);
    await bodyOf(change(basic(user.email, PASSWORD), PASSWORD, fresh), 204);
    await bodyOf(basic(user.email, PASSWORD).get(path), 401);
    await bodyOf(basic(user.email, fresh).get(path));
  });

  it('requires at least 15 characters and the correct current password', async () => {
    const { email } = await userWithPassword();
    const api = basic(email, PASSWORD);
    expect(await rejectedFields(change(api, 'wrong password', 'staple battery horse'))).toEqual(['current_password']);
    for (const short of ['x1 y2 z3 w4 v5', '', null, 5, '😀'.repeat(14)])
      expect(await rejectedFields(change(api, PASSWORD, short))).toEqual(['new_password']);
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
  ])('rejects a common password or a variation of one: %s', async (common) => {
    const { email } = await userWithPassword();
    const answer = await change(basic(email, PASSWORD), PASSWORD, common);
    expect(await bodyOf(answer, 400)).toEqual({ new_password: [expect.stringContaining('common')] });
    await bodyOf(basic(email, PASSWORD).get(path));
  });

  it('does not require particular kinds of characters', async () => {
    const { email } = await userWithPassword();
    let current = PASSWORD;
    for (const fresh of ['only lower case letters here', '8301 7462 9913 4422', 'ПАРОЛЬ ИЗ СЛОВ И ЕЩЁ СЛОВ']) {
      await bodyOf(change(basic(email, current), current, fresh), 204);
      current = fresh;
    }
  });

  it('rejects the e-mail address, the part before its @ and the current password', async () => {
    const user = await userWithPassword();
    const address = 'grace.brewster.murray@example.com';
    await bodyOf(test.api.patch(`/users/${user.id}/`, { email: address }));
    for (const fresh of [address, address.toUpperCase(), 'Grace.Brewster.Murray', 'gracebrewstermurray', PASSWORD])
      expect(await rejectedFields(change(basic(address, PASSWORD), PASSWORD, fresh))).toEqual(['new_password']);
    await bodyOf(basic(address, PASSWORD).get(path));
  });

  it('still accepts an existing password that does not meet these rules', async () => {
    const { id, email } = await test.newUser();
    await test.database.query('UPDATE user_account SET password_hash = $2 WHERE id = $1', [
      id,
      await hashPassword('password'),
    ]);
    await bodyOf(basic(email, 'password').get(path));
  });

  it('rehashes a password from an earlier release at the next successful sign-in, not at a failed one', async () => {
    const { id, email } = await test.newUser();
    await test.database.query('UPDATE user_account SET password_hash = $2 WHERE id = $1', [id, SCRYPT_HASH]);
    const stored = async (): Promise<string | undefined> => {
      const rows = await test.database.query<{ password_hash: string }>(
        'SELECT password_hash FROM user_account WHERE id = $1',
        [id],
      );
      return rows[0]?.password_hash;
    };
    await bodyOf(basic(email, `${PASSWORD}x`).get(path), 401);
    expect(await stored()).toBe(SCRYPT_HASH);
    await bodyOf(basic(email, PASSWORD).get(path));
    const renewed = await stored();
    expect(renewed).toMatch(/^\$argon2id\$/);
    await bodyOf(basic(email, PASSWORD).get(path));
    expect(await stored()).toBe(renewed);
  });

  it('revokes all tokens of the user, and no others, on a change, and writes an activity for each', async () => {
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

  it('keeps all tokens on a change with keep_tokens', async () => {
    const user = await userWithPassword();
    const body = { current_password: PASSWORD, new_password: 'staple battery horse correct', keep_tokens: true };
    await bodyOf(basic(user.email, PASSWORD).post('/users/me/password/', body), 204);
    await bodyOf(user.api.get(path));
  });

  it('keeps all tokens when the first password is set', async () => {
    const user = await userWithPassword();
    await bodyOf(user.api.get(path));
  });

  it('stores a slow hash (Argon2id) and never logs the password', async () => {
    const { id, email } = await userWithPassword();
    await bodyOf(basic(email, PASSWORD).get(path));
    const [row] = await test.database.query<{ password_hash: string }>(
      'SELECT password_hash FROM user_account WHERE id = $1',
      [id],
    );
    expect(row?.password_hash).toMatch(/^\$argon2id\$/);
    expect(row?.password_hash).not.toContain(PASSWORD);
    expect(test.log.join('')).not.toContain(PASSWORD);
  });
});
