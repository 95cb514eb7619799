import { bodyOf, type Json } from '#test/support/client.js';
import { PASSWORD, useTestPasswords } from '#test/support/passwords.js';
import { newEmail } from '#test/support/factories.js';
import { activitiesOf } from '#test/support/records.js';
import { startTestApi } from '#test/support/api.js';
import { authPath, browserWith, COOKIE, cookieOf, logIn, pageOf, rejectionOf, signIn } from '#test/support/sessions.js';

const { test, userWithPassword, basic } = useTestPasswords();

const WRONG = { detail: 'The e-mail address or the password is not correct.' };
const ENDED = { detail: 'Your session has ended. Sign in again.' };

const stateOf = async (api = pageOf(test)): Promise<Json> => bodyOf(api.get(authPath(test, 'session')));

describe('GET /auth/session/', () => {
  it('returns the methods of sign-in if there is no session, and lists only methods that exist', async () => {
    await userWithPassword();
    expect(await stateOf()).toEqual({
      authenticated: false,
      methods: { password: true, oidc: [] },
      setup_required: false,
    });
  });

  it('describes the user, their organization, permissions and flags if there is a session', async () => {
    const user = await userWithPassword();
    const { api } = await signIn(test, user.email);
    expect(await stateOf(api)).toEqual({
      authenticated: true,
      methods: { password: true, oidc: [] },
      setup_required: false,
      user: await bodyOf(api.get('/users/me/')),
      organization: { id: test.organization.id, name: test.organization.name },
      permissions: [],
      flags: ['ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS', 'Webhooks'],
      credential: 'session',
      scopes: ['*'],
      expires: expect.any(String),
    });
  });

  it.each([
    ['an unknown session', `${COOKIE}=${'A'.repeat(43)}`],
    ['a value that is not an id', `${COOKIE}=x`],
    ['an empty cookie', `${COOKIE}=`],
  ])('returns 200 and no user for a cookie with %s', async (_, Cookie) => {
    expect(await stateOf(pageOf(test).with({ Cookie }))).toMatchObject({ authenticated: false });
  });
});

describe('GET /session/', () => {
  it('describes the caller for every kind of credential, with its expiry', async () => {
    const user = await userWithPassword();
    const { api } = await signIn(test, user.email);
    const byToken = await bodyOf(
      user.api.post<{ token: string; expires: string }>('/users/me/tokens/', {
        name: 'x',
        expires: '2099-01-01T00:00:00Z',
      }),
      201,
    );
    const described = { user: { id: user.id }, organization: { id: test.organization.id }, scopes: ['*'] };
    const cases = [
      [api, { credential: 'session', expires: expect.any(String) }],
      [user.api, { credential: 'token', expires: null }],
      [test.api.as(byToken.token), { credential: 'token', expires: byToken.expires }],
      [basic(user.email, PASSWORD), { credential: 'basic', expires: null }],
    ] as const;
    for (const [client, credential] of cases)
      expect(await bodyOf(client.get('/session/'))).toMatchObject({ ...described, ...credential });
    await bodyOf(test.api.as(null).get('/session/'), 401);
  });
});

describe('Signing in', () => {
  it('starts a session in a cookie that scripts cannot read, and returns the state of the session', async () => {
    const { email, id } = await userWithPassword();
    const answer = await logIn(test, email.toUpperCase());
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ authenticated: true, user: { id }, credential: 'session' });
    const [cookie] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^merlon=[\w-]{43}; Max-Age=604800; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    await bodyOf(browserWith(test, cookieOf(answer) ?? '').get('/library/tasks/', { page_size: 1 }));
  });

  it('uses a cookie with the prefix __Host- and Secure over HTTPS, and only reads that one', async () => {
    const api = await startTestApi({ PUBLIC_URL: 'https://merlon.example.com' }, undefined);
    try {
      const setUp = await bodyOf(
        api.api.post<{ id: number }>('/users/', {
          email: 'https@example.com',
          first_name: 'H',
          last_name: 'S',
          password: PASSWORD,
        }),
        201,
      );
      const page = api.api.as(null).with({ Origin: 'https://merlon.example.com' });
      const answer = await logIn(api, 'https@example.com', PASSWORD, page);
      expect(answer.body).toMatchObject({ user: { id: setUp.id } });
      const [cookie] = answer.headers['set-cookie'] ?? [];
      expect(cookie).toMatch(/^__Host-merlon=[\w-]{43}; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
      expect(cookie).not.toMatch(/Domain/);
      const id = cookieOf(answer, '__Host-merlon') ?? '';
      await bodyOf(page.with({ Cookie: `__Host-merlon=${id}` }).get('/users/me/'));
      await bodyOf(page.with({ Cookie: `merlon=${id}` }).get('/users/me/'), 401);
      await bodyOf(page.with({ Cookie: `merlon=tossed; __Host-merlon=${id}` }).get('/users/me/'));
    } finally {
      await api.close();
    }
  });

  it('returns the same 401 for a wrong password, an unknown user, and one who is inactive or has no password', async () => {
    const [user, inactive, without] = [await userWithPassword(), await userWithPassword(), await test.newUser()];
    await bodyOf(test.api.patch(`/users/${inactive.id}/`, { is_active: false }));
    const attempts = [
      [user.email, `${PASSWORD}x`],
      ['nobody@example.com', PASSWORD],
      [inactive.email, PASSWORD],
      [without.email, PASSWORD],
    ] as const;
    for (const [email, password] of attempts) {
      const answer = await logIn(test, email, password);
      expect([answer.status, answer.body, answer.headers['set-cookie']]).toEqual([401, WRONG, undefined]);
    }
  });

  it('takes as long for an unknown user as for a wrong password', async () => {
    const user = await userWithPassword();
    const fastest = { known: Infinity, unknown: Infinity };
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await test.database.query('DELETE FROM rate_limit');
      for (const [kind, email] of [
        ['known', user.email],
        ['unknown', 'nobody@example.com'],
      ] as const) {
        const start = performance.now();
        await bodyOf(logIn(test, email, 'wrong password here'), 401);
        fastest[kind] = Math.min(fastest[kind], performance.now() - start);
      }
    }
    // Without the hash of a password, it would take a tenth of the time.
    expect(fastest.unknown / fastest.known).toBeGreaterThan(0.5);
    expect(fastest.unknown / fastest.known).toBeLessThan(2);
  });

  it('limits wrong passwords for one account, whatever its spelling, together with HTTP Basic', async () => {
    const user = await userWithPassword();
    await bodyOf(logIn(test, user.email));
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const email = attempt % 2 ? user.email.toUpperCase() : user.email;
      statuses.push(
        attempt % 3
          ? (await logIn(test, email, 'wrong password here')).status
          : (await basic(email, 'wrong password here').get('/users/me/tokens/')).status,
      );
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const throttled = await logIn(test, user.email);
    expect(throttled.status).toBe(429);
    expect(throttled.headers['retry-after']).toMatch(/^\d+$/);
  });

  it('records an activity with the address, and a rejected attempt as one of the organization, without secrets', async () => {
    const user = await userWithPassword();
    const started = await activitiesOf(test, async () => void (await signIn(test, user.email)));
    expect(started).toMatchObject([
      { name: 'StartedSessionActivity', data: { user: `U${user.id}`, address_desc: '127.0.0.1' } },
    ]);
    const secret = 'something secret 1234';
    const rejected = await activitiesOf(test, async () => {
      await logIn(test, user.email, secret);
      await rejectionOf(test, user.id);
    });
    expect(rejected).toMatchObject([
      {
        name: 'RejectedSignInActivity',
        data: { user: `U${user.id}`, address_desc: '127.0.0.1' },
        log_level: 'admin',
      },
    ]);
    expect(JSON.stringify([started, rejected])).not.toMatch(/secret 1234|correct horse/);
  });

  it('stores only a hash of the id, which appears neither in responses nor in logs', async () => {
    const user = await userWithPassword();
    const { id, api } = await signIn(test, user.email);
    for (const { name } of await test.database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    ))
      expect(await test.database.query(`SELECT 1 FROM "${name}" t WHERE strpos(t::text, $1) > 0`, [id])).toEqual([]);
    expect((await api.get('/users/me/sessions/')).text).not.toContain(id);
    expect(test.log.join('')).not.toContain(id);
  });
});

describe('Signing out', () => {
  it('ends the session at once, deletes the cookie, and records an activity', async () => {
    const user = await userWithPassword();
    const { api } = await signIn(test, user.email);
    await bodyOf(api.get('/users/me/'));
    const activities = await activitiesOf(test, async () => {
      const answer = await api.post(authPath(test, 'logout'));
      expect([answer.status, cookieOf(answer)]).toEqual([204, '']);
    });
    expect(activities).toMatchObject([{ name: 'EndedSessionActivity', data: { user: `U${user.id}` } }]);
    expect(await bodyOf(api.get('/users/me/'), 401)).toEqual(ENDED);
    expect((await api.post(authPath(test, 'logout'))).status).toBe(204);
  });
});

describe('Confirming the password', () => {
  const confirm = (api: ReturnType<typeof pageOf>, password: string) =>
    api.post(authPath(test, 'reauthenticate'), { password });
  const body = { current_password: PASSWORD, new_password: 'staple battery horse correct' };

  it('is required for what requires a password, for ten minutes, and gives the session another id', async () => {
    const user = await userWithPassword();
    const { id, api } = await signIn(test, user.email);
    expect(await bodyOf(api.post('/users/me/password/', body), 403)).toEqual({
      detail: 'Confirm who you are first, with POST /auth/reauthenticate/.',
    });
    const answer = await confirm(api, PASSWORD);
    expect(answer.body).toMatchObject({ authenticated: true, user: { id: user.id } });
    const newId = cookieOf(answer) ?? '';
    expect(newId).not.toBe(id);
    expect(await bodyOf(api.get('/users/me/'), 401)).toEqual(ENDED);
    const confirmed = browserWith(test, newId);
    await test.database.query(
      `UPDATE user_session SET confirmed_at = now() - interval '10 minutes' WHERE user_id = $1`,
      [user.id],
    );
    await new Promise((resolve) => setTimeout(resolve, 600));
    await bodyOf(confirmed.post('/users/me/password/', body), 403);
    const again = browserWith(test, cookieOf(await confirm(confirmed, PASSWORD)) ?? '');
    await bodyOf(again.post('/users/me/password/', body), 204);
    await bodyOf(again.get('/users/me/'));
  });

  it('fails with a wrong password (401), without a session, and with a token (401)', async () => {
    const user = await userWithPassword();
    const { api } = await signIn(test, user.email);
    expect(await bodyOf(confirm(api, 'something else 123'), 401)).toEqual({ detail: 'The password is not correct.' });
    await bodyOf(confirm(pageOf(test), PASSWORD), 401);
    await bodyOf(confirm(user.api, PASSWORD), 401);
    await bodyOf(api.post('/users/me/password/', body), 403);
    const withoutPassword = api.post(authPath(test, 'reauthenticate'), { return_to: '/account' });
    expect(await bodyOf(withoutPassword, 400)).toEqual({ password: ['This field is required.'] });
  });

  it('is also required to change an e-mail address, but not to send it back unchanged', async () => {
    const user = await userWithPassword();
    await bodyOf(test.api.patch(`/users/${user.id}/`, { role: 'UR4' }));
    const { api } = await signIn(test, user.email);
    const path = `/users/${user.id}/`;
    const email = newEmail();
    expect(await bodyOf(api.patch(path, { first_name: 'Other', email }), 403)).toEqual({
      detail: 'Confirm who you are first, with POST /auth/reauthenticate/.',
    });
    expect(await bodyOf(api.patch(path, { email: user.email }))).not.toMatchObject({ first_name: 'Other' });
    const confirmed = browserWith(test, cookieOf(await confirm(api, PASSWORD)) ?? '');
    expect(await bodyOf(confirmed.patch(path, { email }))).toMatchObject({ email });
    // A token has its scopes instead.
    await bodyOf(test.api.patch(path, { email: user.email }));
  });
});
