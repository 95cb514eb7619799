import { randomBytes } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { findTokenOwners, recordTokenUse } from '#domain/access/user/principal.js';
import { publicIdOf } from '#platform/crypto/token.js';
import { deleteExpiredTokens, installToken } from '#domain/access/token/token.commands.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { type ApiClient, bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { userBody, userWith } from '#test/support/factories.js';
import { eventually } from '#test/support/eventually.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';
import { TOKENS_PATH as path, PASSWORD, type Token, useTestPasswords } from '#test/support/passwords.js';

const { test, userWithPassword, basic } = useTestPasswords();

const lastUsed = async (api: ApiClient, token: number): Promise<string | null | undefined> =>
  (await rowsOf(api.get<List<Token>>(path))).find(({ id }) => id === token)?.last_used;

describe('API tokens', () => {
  it('returns the token value only on creation, starting with its prefix', async () => {
    const { api } = await test.newUser();
    const created = await bodyOf(api.post<Token>(path, { name: 'CI' }), 201);
    expect(created).toEqual({
      id: expect.any(Number),
      name: 'CI',
      prefix: expect.stringMatching(/^mrl_/),
      created: expect.any(String),
      expires: null,
      last_used: null,
      last_used_address: null,
      scopes: ['*'],
      projects: null,
      token: expect.stringMatching(/^mrl_[a-z2-7]{8}_[A-Za-z0-9_-]{43}$/),
    });
    expect(created.token?.startsWith(created.prefix)).toBe(true);
    const { token: _, ...shown } = created;
    expect((await rowsOf(api.get<List<Token>>(path))).find(({ id }) => id === created.id)).toEqual(shown);
    await bodyOf(api.as(created.token ?? '').get('/users/me/'));
  });

  it('reports when a token was last used', async () => {
    const { api } = await test.newUser();
    const created = await bodyOf(api.post<Token>(path, { name: 'x' }), 201);
    await bodyOf(api.as(created.token ?? '').get('/users/me/'));
    await eventually(async () => Boolean(await lastUsed(api, created.id)));
  });

  it.each([
    ['name', ''],
    ['name', null],
    ['name', 'x'.repeat(1000)],
    ['expires', 'tomorrow'],
    ['expires', '2001-01-01T00:00:00Z'],
    ['expires', 5],
  ])('rejects %s = %j with an error for that field and changes nothing', async (field, value) => {
    expect(
      await changesNothing(test, () => rejectedFields(test.api.post(path, { name: 'x', [field]: value }))),
    ).toEqual([field]);
  });

  it('accepts an expiry with microseconds', async () => {
    const { expires } = await bodyOf(
      test.api.post<Token>(path, { name: 'x', expires: '2099-03-04T15:43:51.615743+02:00' }),
      201,
    );
    expect(expires).toBe('2099-03-04T13:43:51.615743+00:00');
  });

  it('keeps id, name and expiry on regeneration, but replaces the token value', async () => {
    const created = await bodyOf(test.api.post<Token>(path, { name: 'x', expires: '2099-01-01T00:00:00Z' }), 201);
    const again = await bodyOf(test.api.post<Token>(`${path}${created.id}/regenerate/`));
    expect(again).toEqual({ ...created, token: expect.any(String), prefix: expect.any(String) });
    expect(again.token).not.toBe(created.token);
    expect(again.token?.startsWith(`${again.prefix}_`)).toBe(true);
    await bodyOf(test.api.as(again.token ?? '').get('/users/me/'));
    await bodyOf(test.api.as(created.token ?? '').get('/users/me/'), 401);
  });

  it('resets last_used on regeneration, both in the response and in the list', async () => {
    const { api } = await test.newUser();
    const created = await bodyOf(api.post<Token>(path, { name: 'x' }), 201);
    await bodyOf(api.as(created.token ?? '').get('/users/me/'));
    await eventually(async () => Boolean(await lastUsed(api, created.id)));
    expect(await bodyOf(api.post<Token>(`${path}${created.id}/regenerate/`))).toMatchObject({ last_used: null });
    expect(await lastUsed(api, created.id)).toBeNull();
  });

  it('resets last_used if a token regenerates itself, even if the use of its old value is recorded late', async () => {
    const { api } = await test.newUser();
    const created = await bodyOf(api.post<Token>(path, { name: 'x' }), 201);
    const em = test.running.app.get(EntityManager);
    const [owner] = await findTokenOwners(em.fork(), publicIdOf(created.token ?? ''));
    if (!owner) throw new Error('The token has no owner.');
    const again = await bodyOf(api.as(created.token ?? '').post<Token>(`${path}${created.id}/regenerate/`));
    await inTransaction(em, owner.actor, (bound) => recordTokenUse(bound, owner, '127.0.0.1'));
    expect([again.last_used, await lastUsed(api, created.id)]).toEqual([null, null]);
  });

  it('rejects regenerating an expired token', async () => {
    const { api } = await test.newUser();
    const { id } = await bodyOf(api.post<Token>(path, { name: 'x' }), 201);
    await test.database.query(`UPDATE api_token SET expires_at = now() - interval '1 minute' WHERE id = $1`, [id]);
    expect(await changesNothing(test, () => rejectedFields(api.post(`${path}${id}/regenerate/`)))).toEqual([
      'non_field_errors',
    ]);
  });

  it.each([(id: number) => `0x${id.toString(16)}`, (id: number) => `${id}.0`, (id: number) => `${id}e0`])(
    'finds a token and its owner only by a plain decimal id',
    async (spell) => {
      const { id: user, api } = await test.newUser();
      const { id } = await bodyOf(api.post<Token>(path, { name: 'x' }), 201);
      await changesNothing(test, () => bodyOf(api.post(`${path}${spell(id)}/regenerate/`), 404));
      await changesNothing(test, () => bodyOf(api.delete(`${path}${spell(id)}/`), 404));
      await changesNothing(test, () => bodyOf(test.api.post(`/users/${spell(user)}/tokens/`, { name: 'x' }), 404));
    },
  );

  it('installs a configured token only once, even after it was revoked', async () => {
    const { id: user, api } = await test.newUser();
    const actor = operatorOf(test.organization.id);
    const install = (text: string): Promise<boolean> =>
      inTransaction(test.running.app.get(EntityManager), actor, (em) =>
        installToken(em, actor, user, 'Installation', text),
      );
    const text = randomBytes(20).toString('hex');
    expect(await install(text)).toBe(true);
    expect(await install(text)).toBe(false);
    const [token] = await rowsOf(api.as(text).get<List<Token>>(path, { name: 'Installation' }));
    expect(token).toMatchObject({ prefix: null });
    await bodyOf(api.delete(`${path}${token?.id}/`), 204);
    expect(await install(text)).toBe(false);
    const { token: known } = await bodyOf(api.post<Token>(path, { name: 'x' }), 201);
    expect(await install(known ?? '')).toBe(false);
  });

  it('does not list, regenerate or revoke tokens of another user, even for a super-user', async () => {
    const { api } = await test.newUser();
    const { id } = await bodyOf(api.post<Token>(path, { name: 'mine' }), 201);
    expect((await rowsOf(test.api.get<List<Token>>(path))).map((row) => row.id)).not.toContain(id);
    await changesNothing(test, () => bodyOf(test.api.post(`${path}${id}/regenerate/`), 404));
    await changesNothing(test, () => bodyOf(test.api.delete(`${path}${id}/`), 404));
  });

  it('lets only super-users create tokens for other users', async () => {
    const user = await test.newUser();
    const manager = await test.newUser({ role: 'UR4' });
    await changesNothing(test, () => bodyOf(manager.api.post(`/users/${user.id}/tokens/`, { name: 'x' }), 403));
    const { token } = await bodyOf(test.api.post<Token>(`/users/${user.id}/tokens/`, { name: 'x' }), 201);
    expect(await bodyOf(test.api.as(token ?? '').get('/users/me/'))).toMatchObject({ id: user.id });
    await bodyOf(test.api.post('/users/999999/tokens/', { name: 'x' }), 404);
  });

  it('writes activities for creation, regeneration and revocation without the token value', async () => {
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

describe('An expiring token', () => {
  const EXPIRES = '2050-01-01T00:00:00.000001+00:00';

  /** A super-user who is authenticated by a token that expires at `EXPIRES`. */
  async function expiring(): Promise<{ id: number; email: string; api: ApiClient; token: Token }> {
    const { id, email, api } = await test.newUser({ superUser: true });
    const token = await bodyOf(api.post<Token>(path, { name: 'expires', expires: EXPIRES }), 201);
    return { id, email, api: api.as(token.token ?? ''), token };
  }

  it.each([
    ['a later expiry', { expires: '2050-01-01T00:00:00.000002+00:00' }],
    ['no expiry', {}],
    ['a null expiry', { expires: null }],
  ])('cannot create a token with %s, for its owner or another user', async (_, expiry) => {
    const { api } = await expiring();
    const other = await test.newUser();
    for (const target of [path, `/users/${other.id}/tokens/`])
      expect(await changesNothing(test, () => rejectedFields(api.post(target, { name: 'x', ...expiry })))).toEqual([
        'expires',
      ]);
  });

  it('can create a token with the same or an earlier expiry, for its owner or another user', async () => {
    const { api } = await expiring();
    const other = await test.newUser();
    for (const target of [path, `/users/${other.id}/tokens/`])
      for (const expires of [EXPIRES, '2049-01-01T00:00:00Z'])
        await bodyOf(api.post(target, { name: 'x', expires }), 201);
  });

  it('can regenerate itself, but not a token that outlives it', async () => {
    const { api, token } = await expiring();
    const [longer] = await rowsOf(api.get<List<Token>>(path, { name: 'Test' }));
    expect(await changesNothing(test, () => rejectedFields(api.post(`${path}${longer?.id}/regenerate/`)))).toEqual([
      'expires',
    ]);
    const again = await bodyOf(api.post<Token>(`${path}${token.id}/regenerate/`));
    expect(again.expires).toBe(EXPIRES);
  });

  it('cannot create a token that outlives it in a composite request', async () => {
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

  it('does not limit the tokens that its owner creates with a password', async () => {
    const user = await userWithPassword();
    await bodyOf(user.api.post(path, { name: 'x', expires: EXPIRES }), 201);
    await bodyOf(basic(user.email, PASSWORD).post(path, { name: 'y' }), 201);
  });
});

describe('Token cleanup', () => {
  it('deletes tokens of every user that expired more than 30 days ago, and keeps all others', async () => {
    const users = [await test.newUser(), await test.newUser()];
    const expiries = {
      'no expiry': null,
      'expires in a minute': '1 minute',
      'expires in a year': '1 year',
      'expired a minute ago': '-1 minute',
      'expired 30 days ago, but for a minute': '-30 days 1 minute',
      'expired 30 days ago': '-30 days',
    };
    const ids: number[] = [];
    for (const { api } of users)
      for (const [name, expiry] of Object.entries(expiries)) {
        const { id } = await bodyOf(api.post<Token>(path, { name }), 201);
        await test.database.query('UPDATE api_token SET expires_at = now() + $2::interval WHERE id = $1', [id, expiry]);
        ids.push(id);
      }
    const names = async (): Promise<string[]> =>
      (
        await test.database.query<{ name: string }>('SELECT name FROM api_token WHERE id = ANY($1) ORDER BY id', [ids])
      ).map(({ name }) => name);
    const cleanUp = () =>
      acrossOrganizations(test.running.app.get(EntityManager), 'sweep what is over', deleteExpiredTokens);
    expect(await cleanUp()).toBe(users.length);
    const kept = Object.keys(expiries).slice(0, -1);
    expect(await names()).toEqual([...kept, ...kept]);
    expect(await cleanUp()).toBe(0);
    await bodyOf(users[0]?.api.get('/users/me/') ?? Promise.reject(new Error('There is no user.')));
  });
});

describe('A token that expires', () => {
  it('cannot create a user with a password, who could create a token that never expires', async () => {
    const manager = await userWith(test, 'manage_users');
    const { token } = await bodyOf(
      manager.api.post<{ token: string }>('/users/me/tokens/', { name: 'x', expires: '2099-01-01T00:00:00Z' }),
      201,
    );
    const temporary = manager.api.as(token);
    const body = { ...userBody(), password: 'correct horse battery staple' };
    expect(await changesNothing(test, () => bodyOf(temporary.post('/users/', body), 400))).toEqual({
      password: ['A token that expires cannot set passwords.'],
    });
    await bodyOf(temporary.post('/users/', userBody()), 201);
    await bodyOf(manager.api.post('/users/', body), 201);
  });
});
