import { BrowserJar } from '#test/support/browser-jar.js';
import { bodyOf } from '#test/support/client.js';
import { newEmail, unique } from '#test/support/factories.js';
import { makeIdentityProvider, useOidcProvider } from '#test/support/oidc-provider.js';
import { PASSWORD } from '#test/support/passwords.js';
import { setPasswordOf } from '#test/support/set-password.js';
import { authPath, browserWith, COOKIE } from '#test/support/sessions.js';

const { test, provider } = useOidcProvider();

let id: number;
beforeAll(async () => {
  id = await makeIdentityProvider(test, provider, { create_users: true, default_role: 'UR4' });
});

const isCallback = ({ pathname }: URL): boolean => pathname === '/auth/oidc/callback';

const newPerson = () => ({ subject: unique('subject'), claims: { email: newEmail() } });

/** Someone with a session that began with the provider. */
async function someone(person = newPerson()) {
  provider.signIn(person.subject, person.claims);
  const jar = new BrowserJar();
  await jar.visit(`${test.origin}/auth/oidc/${id}/start?return_to=/openapi.json`);
  const session = (): string => jar.of(test.origin).get(COOKIE) ?? '';
  const api = () => browserWith(test, session());
  const { id: userId } = await bodyOf(api().get<{ id: number }>('/users/me/'));
  return { ...person, jar, api, session, userId };
}

type Someone = Awaited<ReturnType<typeof someone>>;

/** Asks how to confirm a session; returns the address. */
async function redirectFor({ api }: Pick<Someone, 'api'>, body: object = {}): Promise<string> {
  const asked = api().post<{ redirect: string }>(authPath(test, 'reauthenticate'), body);
  return test.origin + (await bodyOf(asked, 202)).redirect;
}

/** Changes something that needs a confirmation; returns the status. */
const changeEmail = async ({ api, userId }: Someone): Promise<number> =>
  (await api().patch(`/users/${userId}/`, { email: newEmail() })).status;

describe('Confirming a session that began with an identity provider', () => {
  it('asks the person to sign in there again, renews the session under another id, and returns to the path', async () => {
    const ada = await someone();
    const before = ada.session();
    const stale = ada.api();
    expect(await changeEmail(ada)).toBe(403);
    const redirect = await redirectFor(ada, { return_to: '/openapi.json?a=1' });
    const arrival = await ada.jar.visit(redirect);
    expect(arrival.url.href).toBe(`${test.origin}/openapi.json?a=1`);
    const { searchParams } = arrival.redirects[0] ?? new URL('about:blank');
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '60']);
    expect(ada.session()).not.toBe(before);
    await bodyOf(stale.get('/users/me/'), 401);
    expect(await changeEmail(ada)).toBe(200);
    const sessions = bodyOf(ada.api().get<{ results: object[] }>('/users/me/sessions/'));
    expect((await sessions).results).toHaveLength(1);
  });

  it('lasts for ten minutes', async () => {
    const ada = await someone();
    await ada.jar.visit(await redirectFor(ada));
    await test.database.query(
      `UPDATE user_session SET confirmed_at = now() - interval '10 minutes' WHERE user_id = $1`,
      [ada.userId],
    );
    expect(await changeEmail(ada)).toBe(403);
  });

  it('returns to the start page instead of another host', async () => {
    const ada = await someone();
    const redirect = await redirectFor(ada, { return_to: '//evil.example' });
    expect(new URL(redirect).searchParams.get('return_to')).toBe('/');
  });

  it('fails for an earlier sign-in, and for another person, who gets no session either', async () => {
    const ada = await someone();
    const before = ada.session();
    provider.signIn(ada.subject, ada.claims, 300);
    expect(await ada.jar.visit(await redirectFor(ada))).toMatchObject({
      status: 403,
      text: expect.stringContaining('did not ask you to sign in again'),
    });
    const eve = await someone();
    provider.signIn(eve.subject, eve.claims);
    // Otherwise, this provider first asks whether to sign out the other account.
    ada.jar.of(provider.issuer).clear();
    expect(await ada.jar.visit(await redirectFor(ada))).toMatchObject({
      status: 403,
      text: expect.stringContaining('with another account than the one of your session'),
    });
    expect(ada.session()).toBe(before);
    expect(await changeEmail(ada)).toBe(403);
  });

  it('works once, and only in the browser and during the session that have begun it', async () => {
    const ada = await someone();
    const { redirects } = await ada.jar.visit(await redirectFor(ada), isCallback);
    const callback = redirects.at(-1) ?? '';
    const eve = await someone();
    expect((await eve.jar.visit(callback)).text).toContain('begun in another browser');
    expect((await ada.jar.visit(callback, ({ pathname }) => pathname === '/')).status).toBe(302);
    expect((await ada.jar.visit(callback)).text).toContain('already used');

    provider.signIn(ada.subject, ada.claims);
    const other = await ada.jar.visit(await redirectFor(ada), isCallback);
    // The same browser belongs to someone else now, but has kept the cookie of the sign-in.
    ada.jar.of(test.origin).set(COOKIE, eve.session());
    expect((await ada.jar.visit(other.redirects.at(-1) ?? '')).text).toContain('has ended');
    expect(await changeEmail(eve)).toBe(403);

    const ended = await someone();
    const last = await ended.jar.visit(await redirectFor(ended), isCallback);
    await bodyOf(ended.api().post(authPath(test, 'logout')));
    expect((await ended.jar.visit(last.redirects.at(-1) ?? '')).status).toBe(403);
    expect((await ended.jar.visit(`${test.origin}/auth/oidc/${id}/start?confirm=true`)).text).toContain('no session');
  });

  it('also works with a password, if the person has one', async () => {
    const ada = await someone();
    const confirm = (password: string) => ada.api().post(authPath(test, 'reauthenticate'), { password });
    await bodyOf(confirm(PASSWORD), 401);
    await setPasswordOf(test, ada.userId, PASSWORD);
    await bodyOf(confirm(PASSWORD));
  });
});
