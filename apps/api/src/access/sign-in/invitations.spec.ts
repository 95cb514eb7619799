import { bodyOf, rejectedFields } from '#test/support/client.js';
import { BrowserJar } from '#test/support/browser-jar.js';
import { makeIdentityProvider, useOidcProvider } from '#test/support/oidc-provider.js';
import { unique } from '#test/support/factories.js';
import { PASSWORD } from '#test/support/passwords.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import { authPath, browserWith, COOKIE, cookieOf, inviteUser, logIn, pageOf } from '#test/support/sessions.js';
import { withScopes } from '#test/support/scopes.js';

const { test, provider } = useOidcProvider();

const accept = (token: string, password = PASSWORD) =>
  pageOf(test).post(authPath(test, 'invitation'), { token, password });

describe('An invitation', () => {
  it('sets a password and signs the user in, once', async () => {
    const user = await test.newUser();
    const invitation = await bodyOf(
      test.api.post<{ url: string; expires: string }>(`/users/${user.id}/invitations/`),
      201,
    );
    const { url, expires } = invitation;
    expect(invitation).toMatchObject({ mailed: false, mail_error: null });
    expect(url.startsWith(`${test.origin}/invitation#`)).toBe(true);
    expect(Date.parse(expires) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
    const token = new URL(url).hash.slice(1);
    const answer = await accept(token);
    expect(answer.body).toMatchObject({ authenticated: true, user: { id: user.id } });
    await bodyOf(browserWith(test, cookieOf(answer) ?? '').get('/users/me/'));
    await bodyOf(logIn(test, user.email));
    expect(await rejectedFields(accept(token, `${PASSWORD} again`))).toEqual(['token']);
  });

  it('is stored as a hash, expires after 24 hours, and is replaced by the next one', async () => {
    const { id } = await test.newUser();
    const first = await inviteUser(test, id);
    expect(await test.database.query('SELECT 1 FROM invitation t WHERE strpos(t::text, $1) > 0', [first])).toEqual([]);
    const second = await inviteUser(test, id);
    expect(await rejectedFields(accept(first))).toEqual(['token']);
    await test.database.query('UPDATE invitation SET expires_at = now() WHERE user_id = $1', [id]);
    expect(await changesNothing(test, () => rejectedFields(accept(second)))).toEqual(['token']);
  });

  it('can be used again after a password that is rejected, which changes nothing', async () => {
    const token = await inviteUser(test, (await test.newUser()).id);
    for (const password of ['passwordpassword', 'short'])
      expect(await changesNothing(test, () => rejectedFields(accept(token, password)))).toEqual(['password']);
    await bodyOf(accept(token));
  });

  it('works once if it is used several times at once', async () => {
    const token = await inviteUser(test, (await test.newUser()).id);
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
  });

  it('must be accepted by a page of the service', async () => {
    const token = await inviteUser(test, (await test.newUser()).id);
    for (const [path, body] of [
      ['invitation', { token, password: PASSWORD }],
      ['invitation/link', { token }],
    ] as const)
      await changesNothing(test, () =>
        bodyOf(pageOf(test).with({ Origin: 'https://evil.example' }).post(authPath(test, path), body), 403),
      );
  });

  it('is created only by user managers with all permissions of the user, for active users', async () => {
    const manager = await test.newUser({ role: 'UR4' });
    const invite = (id: number, status: number, api = manager.api) =>
      changesNothing(test, () => bodyOf(api.post(`/users/${id}/invitations/`), status));
    await invite(test.organization.admin.id, 403);
    await invite(manager.id, 403, (await test.newUser()).api);
    await invite((await test.newOrganization()).admin.id, 404);
    const inactive = await test.newUser();
    await bodyOf(test.api.patch(`/users/${inactive.id}/`, { is_active: false }));
    await invite(inactive.id, 400);
    const { token } = await bodyOf(
      test.api.post<{ token: string }>('/users/me/tokens/', { name: 'x', expires: '2099-01-01T00:00:00Z' }),
      201,
    );
    await invite(manager.id, 403, test.api.as(token));
    await invite((await test.newUser()).id, 403, await withScopes(manager, ['access:read', 'access:write']));
    const program = { email: `${unique('ci').replaceAll(' ', '')}@example.com`, first_name: 'CI', last_name: 'Job' };
    const service = await bodyOf(
      test.api.post<{ id: number }>('/users/', { ...program, role: 'UR1', is_service_account: true }),
      201,
    );
    await invite(service.id, 400);
    await inviteUser(manager, (await test.newUser()).id);
  });

  it('is no longer valid when the user is deactivated', async () => {
    const { id } = await test.newUser();
    const token = await inviteUser(test, id);
    await bodyOf(test.api.patch(`/users/${id}/`, { is_active: false }));
    expect(await rejectedFields(accept(token))).toEqual(['token']);
  });

  it('has a page whose script sends the secret, which loads nothing from elsewhere, and a link into the console', async () => {
    const { status, headers, text } = await pageOf(test).get(`${test.origin}/invitation`);
    expect([status, headers['content-security-policy']]).toEqual([200, expect.stringContaining("connect-src 'self'")]);
    expect(text).toContain('auth/invitation/link/');
    expect(text).not.toContain('src=');
    expect(text).toContain('<a href="./">Open Merlon</a>');
  });
});

describe('An invitation with an identity provider', () => {
  /** Accepts an invitation with a browser that signs in as this account. */
  async function acceptWith(id: number, token: string, subject: string) {
    const linked = await pageOf(test).post(authPath(test, 'invitation/link'), { token });
    const jar = new BrowserJar();
    jar.of(test.origin).set('merlon-invitation', cookieOf(linked, 'merlon-invitation') ?? '');
    return { ...(await signInWith(id, subject, jar)), linked };
  }
  async function signInWith(id: number, subject: string, jar = new BrowserJar()) {
    provider.signIn(subject, { email: `${subject}@elsewhere.example` });
    const arrival = await jar.visit(`${test.origin}/auth/oidc/${id}/start?return_to=/openapi.json`);
    return { arrival, api: browserWith(test, jar.of(test.origin).get(COOKIE) ?? '') };
  }
  const newProvider = () => makeIdentityProvider(test, provider);

  it('links the account at the provider, whatever its address, and later links another one instead', async () => {
    const id = await newProvider();
    const user = await test.newUser();
    const first = await acceptWith(id, await inviteUser(test, user.id), 'first');
    expect(await bodyOf(first.api.get('/users/me/'))).toMatchObject({ id: user.id });
    expect(await bodyOf((await signInWith(id, 'first')).api.get('/users/me/'))).toMatchObject({ id: user.id });
    // The subject has changed: an administrator invites the person again.
    const token = await inviteUser(test, user.id);
    const names = (await activitiesOf(test, () => acceptWith(id, token, 'second'))).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['AcceptedInvitationActivity', 'UpdatedIdentityActivity']));
    expect(await bodyOf((await signInWith(id, 'second')).api.get('/users/me/'))).toMatchObject({ id: user.id });
    expect((await signInWith(id, 'first')).arrival.status).toBe(403);
  });

  it('is rejected for an account that is linked with someone else, and for a provider of another organization', async () => {
    const id = await newProvider();
    await acceptWith(id, await inviteUser(test, (await test.newUser()).id), 'taken');
    const { id: userId } = await test.newUser();
    const token = await inviteUser(test, userId);
    expect((await acceptWith(id, token, 'taken')).arrival.text).toContain('linked with another account here');
    const theirs = await makeIdentityProvider(await test.newOrganization(), provider);
    expect((await acceptWith(theirs, token, 'free')).arrival.text).toContain('invitation is not valid');
    // It can still be used.
    expect(await bodyOf((await acceptWith(id, token, 'free')).api.get('/users/me/'))).toMatchObject({ id: userId });
    expect((await acceptWith(id, token, 'free')).linked.status).toBe(400);
  });
});
