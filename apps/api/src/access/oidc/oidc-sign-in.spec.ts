import { BrowserJar } from '#test/support/browser-jar.js';
import { bodyOf, type Json } from '#test/support/client.js';
import type { Person } from '#test/support/oidc-provider.js';
import { newPerson, reasonOf, word, useOidcSignIn } from '#test/support/oidc-sign-in.js';
import { authPath } from '#test/support/sessions.js';

const { test, provider, startOf, signIn, me, activities, newProvider } = useOidcSignIn();

const CREATE = { create_users: true };

describe('Signing in with an identity provider', () => {
  it('creates an account with the claims, starts a session, and returns to the path of the link', async () => {
    const { id } = await newProvider({ ...CREATE, default_role: 'UR2' });
    const person = newPerson();
    const signedIn = await signIn(id, person);
    expect(signedIn.arrival.status).toBe(200);
    expect(signedIn.arrival.url.href).toBe(`${test.origin}/openapi.json?a=1`);
    expect(await bodyOf(signedIn.api.get('/users/me/'))).toMatchObject({
      email: person.claims.email,
      first_name: 'Ada',
      last_name: 'L',
      role: 'UR2',
      last_login: expect.any(String),
    });
    const [session] = (await bodyOf(signedIn.api.get<{ results: object[] }>('/users/me/sessions/'))).results;
    expect(session).toMatchObject({ credential: 'oidc', current: true });
  });

  it('verifies the signature of the ID token with the keys of the provider, which it requests every time', async () => {
    const { id } = await newProvider(CREATE);
    for (let time = 0; time < 2; time += 1) {
      const before = provider.requests.length;
      await signIn(id, newPerson());
      expect(provider.requests.slice(before).filter((path) => path === '/jwks')).toHaveLength(1);
    }
  });

  it('is offered by GET /auth/session/ while the provider is active', async () => {
    const { organization, id } = await newProvider({ name: 'Our directory' });
    const offered = async () =>
      (await bodyOf(test.api.as(null).get<{ methods: { oidc: Json[] } }>(authPath(test, 'session')))).methods.oidc;
    const own = { id: String(id), name: 'Our directory', start: `/auth/oidc/${id}/start` };
    expect(await offered()).toContainEqual(own);
    await bodyOf(organization.api.patch(`/identity-providers/${id}/`, { active: false }));
    expect(await offered()).not.toContainEqual(own);
    expect(reasonOf((await signIn(id, newPerson())).arrival)).toContain('not active');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/', '/\t/evil.example', '/.//evil.example', 'x'])(
    'returns to the start page instead of %j',
    async (returnTo) => {
      const { id } = await newProvider(CREATE);
      const { subject, claims } = newPerson();
      provider.signIn(subject, claims);
      const jar = new BrowserJar();
      const arrival = await jar.visit(
        startOf(id, `?return_to=${encodeURIComponent(returnTo)}`),
        ({ origin, pathname }) => origin === test.origin && !pathname.startsWith('/auth/'),
      );
      expect(arrival.redirects.at(-1)?.href).toBe(`${test.origin}/`);
    },
  );

  it('is not cached, and accepts each state once, and only from the browser that has begun', async () => {
    const { id } = await newProvider(CREATE);
    const { subject, claims } = newPerson();
    provider.signIn(subject, claims);
    const isCallback = ({ pathname }: URL): boolean => pathname === '/auth/oidc/callback';
    const jar = new BrowserJar();
    const before = await jar.visit(startOf(id), (url) => url.origin === provider.issuer);
    expect(before.headers.get('cache-control')).toBe('no-store');
    const callback = (await jar.visit(before.redirects.at(-1) ?? '', isCallback)).redirects.at(-1) ?? '';
    const stranger = new BrowserJar();
    expect(reasonOf(await stranger.visit(callback))).toContain('begun in another browser');
    await stranger.visit(startOf(id), (url) => url.origin === provider.issuer);
    expect(reasonOf(await stranger.visit(callback))).toContain('begun in another browser');
    const arrival = await jar.visit(callback, ({ pathname }) => pathname === '/');
    expect([arrival.status, arrival.headers.get('cache-control')]).toEqual([302, 'no-store']);
    expect(reasonOf(await jar.visit(callback))).toContain('already used');
  });

  it('expires after ten minutes', async () => {
    const { id } = await newProvider(CREATE);
    const { subject, claims } = newPerson();
    provider.signIn(subject, claims);
    const jar = new BrowserJar();
    const { redirects } = await jar.visit(startOf(id), ({ pathname }) => pathname === '/auth/oidc/callback');
    await test.database.query(`UPDATE sign_in_attempt SET expires_at = expires_at - interval '10 minutes'`);
    expect(reasonOf(await jar.visit(redirects.at(-1) ?? ''))).toContain('expired');
  });

  it('stores no state, verifier, ID token or client secret in plain text', async () => {
    const { id } = await newProvider(CREATE);
    const { jar } = await signIn(id, newPerson());
    const { redirects } = await jar.visit(startOf(id), (url) => url.origin === provider.issuer);
    const state = redirects.at(-1)?.searchParams.get('state') ?? '';
    expect(state).toMatch(/^[\w-]{43}$/);
    const rows = JSON.stringify([
      await test.database.query('SELECT t::text FROM sign_in_attempt t'),
      await test.database.query('SELECT t::text FROM user_session t'),
      await test.database.query('SELECT t::text FROM identity_provider t'),
    ]);
    for (const secret of [state, 'a secret of this client']) expect(rows).not.toContain(secret);
    // Header and claims of an ID token; sealed texts contain any three letters by chance.
    expect(rows).not.toMatch(/eyJ[\w-]+\.eyJ/);
  });
});

describe('Signing out', () => {
  it('ends the session of the provider too, with the ID token as a hint, and returns to the service', async () => {
    const { id } = await newProvider(CREATE);
    const { api } = await signIn(id, newPerson());
    const { redirect } = await bodyOf(api.post<{ redirect: string }>(authPath(test, 'logout')));
    const url = new URL(redirect);
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${test.origin}/`);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    await bodyOf(api.get('/users/me/'), 401);
    // The provider accepts both.
    const asked = await new BrowserJar().visit(redirect);
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('logout')]);
  });
});

describe('An identity', () => {
  it('is the issuer with the subject: neither an e-mail address nor a name of someone else signs in as them', async () => {
    const { organization, id } = await newProvider({ ...CREATE, domains: [] });
    const { admin } = organization;
    const attack = newPerson({ email: admin.email, given_name: 'Admin', preferred_username: 'admin' });
    const rejected = await signIn(id, attack);
    expect(reasonOf(rejected.arrival)).toContain('not linked');
    expect(rejected.cookie).toBeUndefined();
    const person = newPerson();
    const { id: userId } = await me(await signIn(id, person));
    // Later claims do not matter.
    expect(await me(await signIn(id, { ...person, claims: { ...person.claims, email: admin.email } }))).toMatchObject({
      id: userId,
      email: person.claims.email,
    });
  });

  it('is linked with an existing account only by a verified address of a listed domain', async () => {
    const { organization, id } = await newProvider({ ...CREATE, domains: ['Example.com'] });
    const user = await test.newUser({ organization });
    const attempt = (claims: Person) => signIn(id, newPerson({ email: user.email, ...claims }));
    for (const claims of [{ email_verified: false }, { email_verified: undefined }, { email_verified: 'no' }])
      expect(reasonOf((await attempt(claims)).arrival)).toContain('does not confirm that it has verified');
    await bodyOf(organization.api.patch(`/identity-providers/${id}/`, { domains: ['example.org'] }));
    expect(reasonOf((await attempt({})).arrival)).toContain('not on the list');
    await bodyOf(organization.api.patch(`/identity-providers/${id}/`, { domains: ['example.com'] }));
    await test.database.query('UPDATE user_account SET is_service_account = true WHERE id = $1', [user.id]);
    expect(reasonOf((await attempt({})).arrival)).toContain('service account');
    await test.database.query('UPDATE user_account SET is_service_account = false WHERE id = $1', [user.id]);
    expect(await me(await attempt({ email: user.email.toUpperCase() }))).toMatchObject({ id: user.id });
    const [linked] = await activities('CreatedIdentityActivity', organization);
    expect(linked).toMatchObject({ log_level: 'admin', data: { user: `U${user.id}`, identity_provider: id } });
  });

  it('never reaches an account of another organization', async () => {
    const { id } = await newProvider({ ...CREATE, domains: ['example.com'] });
    const { email } = await test.newUser();
    expect(reasonOf((await signIn(id, newPerson({ email }))).arrival)).toContain('You have no account here');
  });

  it('of another subject is not linked again by its address, and an activity says so', async () => {
    const { organization, id } = await newProvider({ ...CREATE, domains: ['example.com'] });
    const person = newPerson();
    const { id: userId } = await me(await signIn(id, person));
    const moved = await signIn(id, { ...person, subject: word() });
    expect(reasonOf(moved.arrival)).toContain('linked with another one there');
    const [rejected] = await activities('RejectedSignInActivity', organization);
    expect(rejected?.data).toMatchObject({ user: `U${userId}`, reason: expect.stringContaining('another one there') });
  });
});

describe('A new account', () => {
  it('is only created if the provider may create users, for an address of its domains that it has verified', async () => {
    const { organization, id } = await newProvider();
    const change = (changes: object) => bodyOf(organization.api.patch(`/identity-providers/${id}/`, changes));
    const reason = async (claims?: Person) => reasonOf((await signIn(id, newPerson(claims))).arrival);
    expect(await reason()).toContain('You have no account here');
    await change(CREATE);
    expect(await reason({ email_verified: false })).toContain('has not verified your e-mail address');
    expect(await reason({ email: 'no address' })).toContain('no valid e-mail address for you, in the claim "email"');
    await change({ domains: ['example.org'] });
    expect(await reason()).toContain('another domain');
    await change({ domains: ['example.com'] });
    expect(await reason({ email_verified: undefined })).toContain('does not confirm');
    await me(await signIn(id, newPerson()));
  });
});

describe('Inactive users', () => {
  it('cannot sign in', async () => {
    const { organization, id } = await newProvider(CREATE);
    const person = newPerson();
    const user = await me(await signIn(id, person));
    await bodyOf(organization.api.patch(`/users/${user.id}/`, { is_active: false }));
    expect(reasonOf((await signIn(id, person)).arrival)).toContain('not active');
  });
});
