import { type UserOptions, useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { countermeasureBody, makeCountermeasure, unique } from '#test/support/factories.js';
import { fastestMilliseconds } from '#test/support/processor-time.js';
import { changesNothing } from '#test/support/records.js';
import { browserWith, sessionOf } from '#test/support/sessions.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();
const NOT_AUTHENTICATED = { detail: 'Authentication credentials were not provided.' };
const INVALID = { detail: 'Invalid token.' };

const basic = (email: string, password: string): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

describe('Authentication', () => {
  it('returns 401 with the expected scheme if there are no credentials', async () => {
    const answer = await test.api.as(null).get('/library/tasks/');
    expect([answer.status, answer.body]).toEqual([401, NOT_AUTHENTICATED]);
    expect(answer.headers['www-authenticate']).toBe('Token');
  });

  it('returns 401 for a token without a scheme with the reason, but without repeating a secret', async () => {
    const value = 'a-token-without-a-scheme';
    const answer = await test.api.as(null).with({ Authorization: value }).get('/library/tasks/');
    const detail = `${NOT_AUTHENTICATED.detail} The header "Authorization" must be "Token <your token>". The scheme is missing.`;
    expect([answer.status, answer.body]).toEqual([401, { detail }]);
  });

  it.each(['Basic eDp5', 'Negotiate x', 'Digest username="x"'])('returns 401 for "%s"', async (value) => {
    const answer = await test.api.as(null).with({ Authorization: value }).get('/library/tasks/');
    expect([answer.status, answer.body]).toEqual([401, NOT_AUTHENTICATED]);
  });

  it('returns 401 for a scheme without a token', async () => {
    const answer = await test.api.as(null).with({ Authorization: 'Token' }).get('/library/tasks/');
    expect([answer.status, answer.body]).toEqual([401, INVALID]);
  });

  it('returns 401 for an unknown token', async () => {
    const { token } = test.organization.admin;
    const wrong = [
      `${token}x`,
      token.slice(0, -1),
      token.toUpperCase(),
      'x'.repeat(43),
      `${token.slice(0, 13)}${'A'.repeat(43)}`,
      'ü',
      '',
    ];
    for (const text of wrong) {
      const answer = await test.api
        .as(null)
        .with({ Authorization: `Token ${Buffer.from(text).toString('latin1')}` })
        .get('/library/tasks/');
      expect([answer.status, answer.body]).toEqual([401, INVALID]);
    }
  });

  it.each(['Token', 'token', 'TOKEN', 'tOkEn', 'Bearer', 'bearer'])('accepts the scheme %s', async (scheme) => {
    const { admin } = test.organization;
    const headers = { Authorization: `${scheme} ${admin.token}` };
    expect(await bodyOf(test.api.as(null).with(headers).get('/users/me/'))).toMatchObject({ id: admin.id });
  });

  it.each([
    ['spaces between its parts', (token: string) => `Token${' '.repeat(1000)}${token}`],
    ['many spaces within the token', (token: string) => `Token a${' '.repeat(14_000)}${token}`],
    ['one long token', () => `Token ${'x'.repeat(14_000)}`],
    ['only a scheme', () => 'x'.repeat(14_000)],
  ])('returns 401 within 200 ms for an Authorization header of more than 1 kB with %s', async (_, value) => {
    const { token } = test.organization.admin;
    const client = test.api.as(null).with({ Authorization: value(token) });
    const fastest = await fastestMilliseconds(async () => {
      const answer = await client.get('/users/me/');
      expect([answer.status, answer.body]).toEqual([401, INVALID]);
    });
    expect(fastest).toBeLessThan(200);
  });

  it('ignores whitespace around the scheme and the token', async () => {
    const { admin } = test.organization;
    const headers = { Authorization: `\t Token \t ${admin.token} ` };
    expect(await bodyOf(test.api.as(null).with(headers).get('/users/me/'))).toMatchObject({ id: admin.id });
  });

  it('returns 401 as soon as the user is deactivated, until they are activated again', async () => {
    const user = await test.newUser();
    await bodyOf(user.api.get('/library/tasks/', { page_size: 1 }));
    await bodyOf(test.api.patch(`/users/${user.id}/`, { is_active: false }));
    expect(await bodyOf(user.api.get('/library/tasks/', { page_size: 1 }), 401)).toEqual(INVALID);
    await bodyOf(test.api.patch(`/users/${user.id}/`, { is_active: true }));
    await bodyOf(user.api.get('/library/tasks/', { page_size: 1 }));
  });

  it('returns 401 for a revoked or regenerated token immediately', async () => {
    const { api } = await test.newUser();
    const created = await bodyOf(api.post<{ id: number; token: string }>('/users/me/tokens/', { name: 'x' }), 201);
    const second = api.as(created.token);
    await bodyOf(second.get('/users/me/'));
    const fresh = await bodyOf(api.post<{ token: string }>(`/users/me/tokens/${created.id}/regenerate/`));
    expect(await bodyOf(second.get('/users/me/'), 401)).toEqual(INVALID);
    await bodyOf(api.as(fresh.token).get('/users/me/'));
    await bodyOf(api.delete(`/users/me/tokens/${created.id}/`), 204);
    expect(await bodyOf(api.as(fresh.token).get('/users/me/'), 401)).toEqual(INVALID);
  });

  it('returns 401 within a second for a token that another process revoked', async () => {
    const user = await test.newUser();
    await bodyOf(user.api.get('/users/me/'));
    await test.database.query('DELETE FROM api_token WHERE user_id = $1', [user.id]);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await bodyOf(user.api.get('/users/me/'), 401)).toEqual(INVALID);
  });

  it('returns 401 for an expired token', async () => {
    const { api } = await test.newUser();
    const created = await bodyOf(
      api.post<{ id: number; token: string }>('/users/me/tokens/', { name: 'x', expires: '2099-01-01T00:00:00Z' }),
      201,
    );
    await bodyOf(api.as(created.token).get('/users/me/'));
    await test.database.query(`UPDATE api_token SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      created.id,
    ]);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await bodyOf(api.as(created.token).get('/users/me/'), 401)).toEqual(INVALID);
  });

  it('treats a password as missing credentials where HTTP Basic is not accepted', async () => {
    const { admin } = test.organization;
    for (const path of ['/library/tasks/', '/users/me/', '/users/', '/flags/'])
      expect(
        await bodyOf(
          test.api
            .as(null)
            .with(basic(admin.email, 'x'.repeat(12)))
            .get(path),
          401,
        ),
      ).toEqual(NOT_AUTHENTICATED);
  });

  it('requires no credentials for a public path', async () => {
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs/'])
      expect((await test.api.as(null).get(`${test.origin}${path}`)).status).toBe(200);
  });
});

describe('A token', () => {
  it('does not appear in the database, in responses or in logs after its creation', async () => {
    const { api } = await test.newUser();
    const { token } = await bodyOf(api.post<{ token: string }>('/users/me/tokens/', { name: 'x' }), 201);
    await bodyOf(api.as(token).get('/users/me/'));
    const secret = token.slice(13);
    for (const { name } of await test.database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    ))
      expect(await test.database.query(`SELECT 1 FROM "${name}" t WHERE strpos(t::text, $1) > 0`, [secret])).toEqual(
        [],
      );
    expect((await api.get('/users/me/tokens/')).text).not.toContain(secret);
    expect(test.log.join('')).not.toContain(secret);
  });
});

describe.each(['token', 'session'] as const)('The permission customize_content, with a %s', (credential) => {
  const newUser = async (options?: UserOptions) => {
    const user = await test.newUser(options);
    return credential === 'token' ? user : { ...user, api: browserWith(test, await sessionOf(test, user.id)) };
  };
  const writes = (id: string): [string, string, object | undefined][] => [
    ['POST', '/library/tasks/', countermeasureBody()],
    ['PATCH', `/library/tasks/${id}/`, { priority: 1 }],
    ['DELETE', `/library/tasks/${id}/`, undefined],
    ['POST', '/library/problems/', { title: unique(), text: 'x', risk_rating: 1 }],
    ['PATCH', '/library/problems/P1/', { text: 'x' }],
    ['DELETE', '/library/problems/P1/', undefined],
  ];

  it.each(['UR1', 'UR2', 'UR5'])(
    'is not part of the role %s, which may read content but not change it (403)',
    async (role) => {
      const { id } = await makeCountermeasure(test.api);
      const { api } = await newUser({ role });
      for (const [method, path, body] of writes(id)) {
        const error = await changesNothing(test, () => bodyOf(api.send(method, path, body), 403));
        expect(error).toEqual({ detail: expect.any(String) });
      }
      await bodyOf(api.get(`/library/tasks/${id}/`));
      await rowsOf(api.get<List<object>>('/library/problems/'));
    },
  );

  it('is granted and withdrawn with a role, from the next request on', async () => {
    const user = await newUser();
    const attempt = (): Promise<number> => user.api.patch('/library/tasks/T1/', {}).then(({ status }) => status);
    expect(await attempt()).toBe(403);
    const role = await bodyOf(
      test.api.post<{ id: string }>('/global-roles/', { name: unique(), permissions: ['customize_content'] }),
      201,
    );
    await bodyOf(test.api.patch(`/users/${user.id}/`, { role: role.id }));
    expect(await attempt()).toBe(200);
    await bodyOf(test.api.patch(`/global-roles/${role.id}/`, { permissions: [] }));
    expect(await attempt()).toBe(403);
  });

  it('is granted and withdrawn with a group', async () => {
    const user = await newUser();
    const attempt = (): Promise<number> => user.api.patch('/library/tasks/T1/', {}).then(({ status }) => status);
    const group = await bodyOf(
      test.api.post<{ id: string }>('/groups/', { name: unique(), role: 'UR4', users: [user.id] }),
      201,
    );
    expect(await attempt()).toBe(200);
    await bodyOf(test.api.delete(`/groups/${group.id}/`), 204);
    expect(await attempt()).toBe(403);
  });

  it('is held by a super-user, whatever the role', async () => {
    const { api } = await newUser({ role: 'UR5', superUser: true });
    await bodyOf(api.patch('/library/tasks/T1/', {}));
    await makeCountermeasure(api);
  });
});
