import { EntityManager } from '@mikro-orm/postgresql';
import { setTimeout as sleep } from 'node:timers/promises';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { deleteExpiredSessions } from '#domain/access/session/session.commands.js';
import { MAX_SESSIONS } from '#domain/access/session/session.rules.js';
import { setPassword } from '#domain/access/user/password.commands.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { unique } from '#test/support/factories.js';
import { PASSWORD, useTestPasswords } from '#test/support/passwords.js';
import { activitiesOf } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';
import { authPath, browserWith, cookieOf, sessionOf, signIn } from '#test/support/sessions.js';

const { test, userWithPassword, basic } = useTestPasswords();

interface Session {
  readonly id: number;
  readonly expires: string;
  readonly last_used: string;
  readonly current: boolean;
}

const OWN = '/users/me/sessions/';

const browserOf = async (userId: number) => browserWith(test, await sessionOf(test, userId));
const isSignedIn = async (api: ReturnType<typeof browserWith>): Promise<boolean> =>
  (await api.get('/users/me/')).status === 200;

describe('Sessions', () => {
  it('are listed for their user, with the time, address and browser of the sign-in, and marked if current', async () => {
    const user = await userWithPassword();
    const first = await signIn(test, user.email);
    const second = await signIn(test, user.email);
    const rows = await rowsOf(second.api.get<List<Session>>(OWN));
    expect(rows).toEqual([
      {
        id: expect.any(Number),
        created: expect.any(String),
        last_used: expect.any(String),
        expires: expect.any(String),
        address: '127.0.0.1',
        user_agent: '',
        credential: 'password',
        current: false,
      },
      expect.objectContaining({ current: true }),
    ]);
    expect((await rowsOf(first.api.get<List<Session>>(OWN))).map(({ current }) => current)).toEqual([true, false]);
    expect((await rowsOf(user.api.get<List<Session>>(OWN))).map(({ current }) => current)).toEqual([false, false]);
    expect(await bodyOf(second.api.get(`${OWN}${rows[0]?.id}/`))).toEqual(rows[0]);
  });

  it('can be ended by their user, at once for parallel requests too', async () => {
    const user = await test.newUser();
    const [one, two] = [await browserOf(user.id), await browserOf(user.id)];
    const [, { id } = { id: 0 }] = await rowsOf(one.get<List<Session>>(OWN));
    await bodyOf(two.get('/users/me/'));
    const activities = await activitiesOf(test, () => bodyOf(one.delete(`${OWN}${id}/`), 204));
    expect(activities).toMatchObject([{ name: 'EndedSessionActivity' }]);
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await two.get('/users/me/')).status));
    expect(new Set(statuses)).toEqual(new Set([401]));
    await bodyOf(one.get('/users/me/'));
    await bodyOf(one.delete(`${OWN}${id}/`), 404);
  });

  it('can be listed and ended by administrators of the organization, but by no one else', async () => {
    const user = await test.newUser();
    const browser = await browserOf(user.id);
    const path = `/users/${user.id}/sessions/`;
    const [{ id } = { id: 0 }] = await rowsOf(test.api.get<List<Session>>(path));
    expect(await bodyOf(test.api.get(`${path}${id}/`))).toMatchObject({ id, current: false });
    const other = await test.newUser();
    const stranger = await test.newOrganization();
    for (const [client, status] of [
      [other.api, 403],
      [browser, 403],
      [stranger.api, 404],
    ] as const) {
      await bodyOf(client.get(path), status);
      await bodyOf(client.delete(`${path}${id}/`), status);
      await bodyOf(client.delete(path), status);
    }
    await bodyOf(other.api.delete(`${OWN}${id}/`), 404);
    await bodyOf(test.api.delete(`/users/${other.id}/sessions/${id}/`), 404);
    await bodyOf(test.api.delete('/users/x/sessions/'), 404);
    expect(await isSignedIn(browser)).toBe(true);
    await bodyOf(test.api.delete(`${path}${id}/`), 204);
    expect(await isSignedIn(browser)).toBe(false);
    const others = [await browserOf(user.id), await browserOf(user.id)];
    await bodyOf(test.api.delete(path), 204);
    expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false]);
    expect(await rowsOf(test.api.get<List<Session>>(path))).toEqual([]);
  });

  it('end at the deactivation of their user, and do not come back with the next activation', async () => {
    const user = await test.newUser();
    const browser = await browserOf(user.id);
    expect(await isSignedIn(browser)).toBe(true);
    await bodyOf(test.api.patch(`/users/${user.id}/`, { is_active: false }));
    expect(await isSignedIn(browser)).toBe(false);
    await bodyOf(test.api.patch(`/users/${user.id}/`, { is_active: true }));
    expect(await isSignedIn(browser)).toBe(false);
  });

  it.each([true, false])('end at a change of the password, all but the current one (keep_tokens: %s)', async (keep) => {
    const user = await userWithPassword();
    const [one, two] = [await signIn(test, user.email), await signIn(test, user.email)];
    const confirmed = browserWith(
      test,
      cookieOf(await one.api.post(authPath(test, 'reauthenticate'), { password: PASSWORD })) ?? '',
    );
    const body = { current_password: PASSWORD, new_password: 'staple battery horse correct', keep_tokens: keep };
    await bodyOf(confirmed.post('/users/me/password/', body), 204);
    expect([await isSignedIn(confirmed), await isSignedIn(two.api), await isSignedIn(user.api)]).toEqual([
      true,
      false,
      keep,
    ]);
  });

  it('end at a change of the password with HTTP Basic or by the operator', async () => {
    const user = await userWithPassword();
    const { api } = await signIn(test, user.email);
    const fresh = 'staple battery horse correct';
    const change = { current_password: PASSWORD, new_password: fresh, keep_tokens: true };
    await bodyOf(basic(user.email, PASSWORD).post('/users/me/password/', change), 204);
    expect(await isSignedIn(api)).toBe(false);
    const again = await signIn(test, user.email, fresh);
    const operator = operatorOf(test.organization.id);
    await inTransaction(test.running.app.get(EntityManager), operator, (em) =>
      setPassword(em, operator, user.id, 'horse correct staple battery'),
    );
    await sleep(1000);
    expect(await isSignedIn(again.api)).toBe(false);
  });

  it('are rejected within a second if another process ended them', async () => {
    const user = await test.newUser();
    const browser = await browserOf(user.id);
    expect(await isSignedIn(browser)).toBe(true);
    await test.database.query('DELETE FROM user_session WHERE user_id = $1', [user.id]);
    await sleep(1000);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('of one user can be many at once: each sign-in starts its own', async () => {
    const user = await userWithPassword();
    const signIns = await Promise.all(Array.from({ length: 5 }, () => signIn(test, user.email)));
    expect(new Set(signIns.map(({ id }) => id)).size).toBe(5);
    expect(await Promise.all(signIns.map(({ api }) => isSignedIn(api)))).toEqual(Array(5).fill(true));
  });

  it(`of one user are at most ${MAX_SESSIONS}: the next sign-in ends the one that was unused for the longest time`, async () => {
    const user = await test.newUser();
    const first = await browserOf(user.id);
    await test.database.query(
      `INSERT INTO user_session (user_id, credential, hash, rights, address, user_agent, expires_at)
        SELECT $1, 'password', sha256(n::text::bytea), '', '', '', now() + interval '1 hour'
        FROM generate_series(2, $2::integer) AS n`,
      [user.id, MAX_SESSIONS],
    );
    expect(await isSignedIn(first)).toBe(true);
    const next = await browserOf(user.id);
    await sleep(600);
    expect([await isSignedIn(first), await isSignedIn(next)]).toEqual([false, true]);
  });
});

describe('A session', () => {
  const age = (userId: number, changes: string) =>
    test.database.query(`UPDATE user_session SET ${changes} WHERE user_id = $1`, [userId]);
  const expiryOf = async (userId: number) => {
    const [row] = await test.database.query<{ hours: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::float AS hours FROM user_session WHERE user_id = $1`,
      [userId],
    );
    return row?.hours;
  };

  it('ends 12 hours after its last use, and each use postpones its end', async () => {
    const user = await test.newUser();
    const browser = await browserOf(user.id);
    expect(await expiryOf(user.id)).toBe(12);
    await age(user.id, `last_used_at = now() - interval '5 hours', expires_at = now() + interval '7 hours'`);
    expect(await isSignedIn(browser)).toBe(true);
    await eventually(async () => (await expiryOf(user.id)) === 12, 20);
    await age(user.id, `expires_at = now() - interval '1 second'`);
    await sleep(600);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('ends 7 days after the sign-in, even if it is in use', async () => {
    const user = await test.newUser();
    const browser = await browserOf(user.id);
    await age(user.id, `created_at = now() - interval '160 hours', last_used_at = now() - interval '5 hours'`);
    expect(await isSignedIn(browser)).toBe(true);
    await eventually(async () => (await expiryOf(user.id)) === 8, 20);
  });

  it('is deleted by the worker when it has expired', async () => {
    const user = await test.newUser();
    await browserOf(user.id);
    await age(user.id, `expires_at = now() - interval '1 second'`);
    const sweep = () =>
      acrossOrganizations(test.running.app.get(EntityManager), 'sweep what is over', deleteExpiredSessions);
    expect(await sweep()).toBeGreaterThan(0);
    expect(await sweep()).toBe(0);
  });

  it('gets another id when the permissions of its user change; the old one works for a few seconds', async () => {
    const user = await test.newUser();
    const id = await sessionOf(test, user.id);
    const browser = browserWith(test, id);
    expect((await browser.get('/users/me/')).headers['set-cookie']).toBeUndefined();
    const role = await bodyOf(
      test.api.post<{ id: string }>('/global-roles/', { name: unique(), permissions: ['customize_content'] }),
      201,
    );
    const change = async (body: object) => bodyOf(test.api.patch(`/users/${user.id}/`, body));
    let current = browser;
    const changes = [
      () => change({ role: role.id }),
      () => bodyOf(test.api.patch(`/global-roles/${role.id}/`, { permissions: [] })),
      () => change({ is_superuser: true }),
    ];
    for (const make of changes) {
      await make();
      const answers = await Promise.all(Array.from({ length: 4 }, () => current.get('/users/me/')));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const cookies = answers.flatMap((answer) => cookieOf(answer) ?? []);
      expect(cookies).toHaveLength(1);
      const renewed = browserWith(test, cookies[0] ?? '');
      expect((await renewed.get('/users/me/')).headers['set-cookie']).toBeUndefined();
      await test.database.query('UPDATE user_session SET previous_until = now() WHERE user_id = $1', [user.id]);
      await sleep(600);
      expect([await isSignedIn(current), await isSignedIn(renewed)]).toEqual([false, true]);
      current = renewed;
    }
    expect(await rowsOf(current.get<List<Session>>(OWN))).toHaveLength(1);
  });

  it('gets no other id from a sub-request of a composite request, which could not set the cookie', async () => {
    const user = await test.newUser({ superUser: true });
    const browser = await browserOf(user.id);
    const parts = [
      { method: 'PATCH', path: `users/${user.id}/`, reference_id: 'a', body: { role: 'UR2' } },
      { method: 'GET', path: 'users/me/', reference_id: 'b' },
    ];
    expect(await bodyOf(browser.post('/composite/', { composite_request: parts }))).toMatchObject({
      composite_response: [{ http_status_code: 200 }, { http_status_code: 200 }],
    });
    expect(cookieOf(await browser.get('/users/me/'))).toMatch(/^[\w-]{43}$/);
  });
});
