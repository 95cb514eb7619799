import { bodyOf } from '#test/support/client.js';
import { PASSWORD, useTestPasswords } from '#test/support/passwords.js';
import { fastestMilliseconds } from '#test/support/processor-time.js';
import { changesNothing } from '#test/support/records.js';
import { authPath, browserWith, COOKIE, cookieOf, logIn, pageOf, sessionOf, signIn } from '#test/support/sessions.js';

const { test, userWithPassword } = useTestPasswords();

const browserOf = async (id = test.organization.admin.id) => browserWith(test, await sessionOf(test, id));

describe('A change with a session', () => {
  const FLAG = { name: 'FROM_A_PAGE' };

  it.each([
    ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }],
    ['Sec-Fetch-Site: none', { 'Sec-Fetch-Site': 'none' }],
    ['an empty Sec-Fetch-Site', { 'Sec-Fetch-Site': '' }],
    ['another Origin', { Origin: 'https://evil.example' }],
    ['the Origin of another port', { Origin: 'http://127.0.0.1:1' }],
    ['the Origin null', { Origin: 'null' }],
    ['neither header', { Origin: undefined }],
  ])('is rejected with 403 and changes nothing with %s', async (_, headers) => {
    const browser = await browserOf();
    await bodyOf(browser.get('/flags/'));
    const attack = browser.with(headers);
    const { id } = await bodyOf(test.api.post<{ id: string }>('/groups/', { name: `Group ${Math.random()}` }), 201);
    await changesNothing(test, async () => {
      for (const [method, path, body] of [
        ['POST', '/flags/', FLAG],
        ['PATCH', `/groups/${id}/`, { description: 'x' }],
        ['DELETE', `/groups/${id}/`, undefined],
        [
          'POST',
          '/composite/',
          { composite_request: [{ method: 'POST', path: 'flags/', reference_id: 'a', body: FLAG }] },
        ],
      ] as const)
        expect(await bodyOf(attack.send(method, path, body), 403)).toEqual({
          detail: expect.stringContaining('does not come from a page of this service'),
        });
    });
  });

  it.each([
    ['Sec-Fetch-Site: same-origin', { 'Sec-Fetch-Site': 'same-origin', Origin: undefined }],
    ['the Origin of the service', {}],
  ])('is accepted with %s', async (_, headers) => {
    const browser = (await browserOf()).with(headers);
    await bodyOf(browser.post('/flags/', FLAG), 201);
    await bodyOf(browser.delete('/flags/FROM_A_PAGE/'), 204);
    const part = { method: 'POST', path: 'flags/', reference_id: 'a', body: FLAG };
    expect(await bodyOf(browser.post('/composite/', { composite_request: [part] }))).toMatchObject({
      composite_response: [{ http_status_code: 201 }],
    });
    await bodyOf(browser.delete('/flags/FROM_A_PAGE/'), 204);
  });

  it('needs neither header with a token, even if there is a cookie too', async () => {
    const browser = await browserOf();
    const both = browser.with({ Authorization: `Token ${test.organization.admin.token}`, Origin: 'https://x.example' });
    await bodyOf(both.post('/flags/', FLAG), 201);
    await bodyOf(both.delete('/flags/FROM_A_PAGE/'), 204);
  });

  it('is reported as 404 or 405 before, if the path or the method does not exist', async () => {
    const attack = (await browserOf()).with({ Origin: 'https://evil.example' });
    await bodyOf(attack.post('/nothing/', {}), 404);
    await bodyOf(attack.send('PUT', '/flags/', {}), 405);
  });
});

describe('Signing in and out', () => {
  it.each(['login', 'logout', 'setup', 'reauthenticate'])(
    'is rejected with 403 from the page of another site: %s',
    async (name) => {
      const user = await userWithPassword();
      const { api } = await signIn(test, user.email);
      const body = { email: user.email, password: PASSWORD };
      for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: undefined }])
        await changesNothing(test, async () => {
          const answer = await api.with(headers).post(authPath(test, name), name === 'logout' ? undefined : body);
          expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
        });
      await bodyOf(api.get('/users/me/'));
    },
  );
});

describe('The session cookie', () => {
  it('gets an id that the service has chosen: one that an attacker has set is never adopted', async () => {
    const user = await userWithPassword();
    const fixed = 'F'.repeat(43);
    const answer = await logIn(test, user.email, PASSWORD, browserWith(test, fixed));
    expect(cookieOf(answer)).not.toBe(fixed);
    await bodyOf(browserWith(test, fixed).get('/users/me/'), 401);
  });

  it("replaces the attacker's own session if they have put it into the browser before the sign-in", async () => {
    const [attacker, victim] = [await userWithPassword(), await userWithPassword()];
    const planted = await signIn(test, attacker.email);
    const answer = await logIn(test, victim.email, PASSWORD, planted.api);
    expect(cookieOf(answer)).not.toBe(planted.id);
    expect(answer.body).toMatchObject({ user: { id: victim.id } });
    await bodyOf(planted.api.get('/users/me/'), 401);
  });

  it('does not count if there are two of them, in either order', async () => {
    const [own, tossed] = [
      await sessionOf(test, test.organization.admin.id),
      await sessionOf(test, (await test.newUser()).id),
    ];
    for (const ids of [
      [own, tossed],
      [tossed, own],
      [own, 'x'],
    ]) {
      const Cookie = ids.map((id) => `${COOKIE}=${id}`).join('; ');
      await bodyOf(pageOf(test).with({ Cookie }).get('/users/me/'), 401);
      expect(await bodyOf(pageOf(test).with({ Cookie }).get(authPath(test, 'session')))).toMatchObject({
        authenticated: false,
      });
    }
    await bodyOf(
      pageOf(test)
        .with({ Cookie: `a=1; ${COOKIE}=${own}; xmerlon=${tossed}` })
        .get('/users/me/'),
    );
  });

  it('is rejected within 200 ms if it is huge', async () => {
    for (const value of ['A'.repeat(14_000), `${';'.repeat(7000)} ${' ='.repeat(3000)}`]) {
      const page = pageOf(test).with({ Cookie: `${COOKIE}=${value}` });
      expect(await fastestMilliseconds(() => bodyOf(page.get('/users/me/'), 401))).toBeLessThan(200);
    }
  });

  it('is ignored if there is an Authorization header, valid or not', async () => {
    const user = await test.newUser();
    const browser = await browserOf();
    expect(await bodyOf(browser.with({ Authorization: `Token ${user.token}` }).get('/users/me/'))).toMatchObject({
      id: user.id,
    });
    for (const Authorization of ['Token x', 'Bearer x', 'Negotiate x', 'x', ''])
      await bodyOf(browser.with({ Authorization }).get('/users/me/'), 401);
  });

  it('contains an id that is no token, and no token is the id of a session, also while it is cached', async () => {
    const id = await sessionOf(test, test.organization.admin.id);
    await bodyOf(browserWith(test, id).get('/users/me/'));
    for (const scheme of ['Token', 'Bearer'])
      await bodyOf(
        test.api
          .as(null)
          .with({ Authorization: `${scheme} ${id}` })
          .get('/users/me/'),
        401,
      );
    await bodyOf(browserWith(test, test.organization.admin.token).get('/users/me/'), 401);
  });

  it('gives no access to the endpoints of reports, but to the short-lived token that they take', async () => {
    const id = await sessionOf(test, test.organization.admin.id);
    const browser = browserWith(test, id);
    await bodyOf(browser.get(`${test.origin}/cubejs-api/v1/meta`), 403);
    const { token } = await bodyOf(browser.get<{ token: string }>('/users/me/auth-token/'));
    const report = test.api.as(null).with({ Authorization: token });
    await bodyOf(report.get(`${test.origin}/cubejs-api/v1/meta`));
    await bodyOf(browser.post(authPath(test, 'logout')), 204);
    await bodyOf(report.get(`${test.origin}/cubejs-api/v1/meta`), 403);
  });
});
