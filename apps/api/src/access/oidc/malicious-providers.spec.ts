import { startTestApi, type TestApi, type TestOrganization } from '#test/support/api.js';
import { type Arrival, BrowserJar } from '#test/support/browser-jar.js';
import { bodyOf } from '#test/support/client.js';
import { type MaliciousProvider, startMaliciousProvider, type Tricks } from '#test/support/malicious-provider.js';
import { makeIdentityProvider } from '#test/support/oidc-provider.js';
import { startRawServer } from '#test/support/raw-server.js';
import { authPath, COOKIE } from '#test/support/sessions.js';

let test: TestApi;
let provider: MaliciousProvider;
let organization: TestOrganization;
let id: number;
beforeAll(async () => {
  test = await startTestApi({ SIGN_IN_ALLOW_PRIVATE: 'true', SIGN_IN_TIMEOUT_SECONDS: '1' });
});
beforeEach(async () => {
  // The metadata of an issuer are cached, so each test has its own.
  provider = await startMaliciousProvider();
  organization = await test.newOrganization();
  id = await makeIdentityProvider(organization, provider, { create_users: true });
  await test.database.query('DELETE FROM user_identity');
  await test.database.query(`UPDATE user_account SET email = 'm' || id || '@example.com' WHERE email ~ 'mallory'`);
});
afterEach(() => provider.close());
afterAll(() => test?.close());

const startOf = (): string => `${test.origin}/auth/oidc/${id}/start`;
const isHome = ({ origin, pathname }: URL): boolean => origin === test.origin && pathname === '/';

async function signIn(
  tricks: Tricks,
  jar = new BrowserJar(),
): Promise<{ arrival: Arrival; jar: BrowserJar; signedIn: boolean }> {
  provider.play(tricks);
  const arrival = await jar.visit(startOf(), isHome);
  return { arrival, jar, signedIn: jar.of(test.origin).has(COOKIE) };
}

/** The reason on the page of a sign-in that failed; it must also be an activity. */
async function reasonFor(tricks: Tricks): Promise<string> {
  const { arrival, signedIn } = await signIn(tricks);
  expect([arrival.status, signedIn]).toEqual([403, false]);
  const [, reason = ''] = /<h1>Sign-in failed<\/h1>\n<p>(.*?)<\/p>/s.exec(arrival.text) ?? [];
  return reason.replaceAll('&#34;', '"');
}

const rejections = async (): Promise<{ data: { reason: string; claims?: object } }[]> => {
  const query = { name: 'RejectedSignInActivity' };
  const stream = organization.api.get<{ results: { data: { reason: string } }[] }>('/activity-stream/', query);
  return (await bodyOf(stream)).results;
};

const without = <Claims extends object>(claims: Claims, name: keyof Claims & string): Partial<Claims> =>
  Object.fromEntries(Object.entries(claims).filter(([other]) => other !== name)) as Partial<Claims>;

describe('A provider that follows the protocol', () => {
  it('signs in, also with a key that it has rotated since the last sign-in', async () => {
    expect((await signIn({})).signedIn).toBe(true);
    await provider.rotateKey();
    expect((await signIn({})).signedIn).toBe(true);
  });
});

describe('The secret of the client', () => {
  it('is encoded only as far as it must be, since not all providers decode it', async () => {
    const credentials = async (client_secret: string): Promise<string> => {
      await bodyOf(organization.api.patch(`/identity-providers/${id}/`, { client_secret }));
      expect((await signIn({})).signedIn).toBe(true);
      return Buffer.from(provider.authorizations.at(-1)?.replace('Basic ', '') ?? '', 'base64').toString();
    };
    expect(await credentials('a-secret_with.marks~')).toBe('merlon:a-secret_with.marks~');
    expect(await credentials('one: two+%')).toBe('merlon:one%3A+two%2B%25');
  });
});

describe('A sign-in fails with a page and an activity that name the reason', () => {
  it.each<[string, Tricks, string]>([
    ['an ID token of another issuer', { claims: (c) => ({ ...c, iss: 'https://other.example' }) }, '"iss" (issuer)'],
    ['an ID token for another client', { claims: (c) => ({ ...c, aud: 'other' }) }, '"aud" (audience)'],
    ['an ID token with another nonce', { claims: (c) => ({ ...c, nonce: 'x' }) }, '"nonce"'],
    ['an ID token without a nonce', { claims: (c) => without(c, 'nonce') }, 'nonce'],
    ['an ID token that has expired', { claims: (c) => ({ ...c, exp: 1 }) }, '"exp" (expiration time)'],
    ['an ID token without a subject', { claims: (c) => without(c, 'sub') }, '"sub" (subject)'],
    ['an ID token without a signature', { signature: 'none' }, 'is not valid'],
    ['an ID token that the client secret has signed', { signature: 'secret' }, 'is not valid'],
    ['an ID token that a foreign key has signed', { signature: 'foreign' }, 'signature'],
    ['metadata of another issuer', { metadata: (m) => ({ ...m, issuer: 'https://other.example' }) }, 'issuer'],
    ['a callback of another issuer', { callback: (p) => p.set('iss', 'https://other.example') }, '"iss"'],
    ['a callback without an issuer', { callback: (p) => p.delete('iss') }, '"iss"'],
    ['a callback without a code', { callback: (p) => p.delete('code') }, 'no authorization code'],
    ['no address at the token endpoint', { metadata: (m) => ({ ...m, token_endpoint: 'x' }) }, 'not valid'],
    ['no ID token', { answers: { '/token': { json: { access_token: 'a', token_type: 'Bearer' } } } }, '"id_token"'],
    ['a page that is no https', { metadata: (m) => ({ ...m, authorization_endpoint: 'http://a.example' }) }, 'https'],
    ['a page of scripts', { metadata: (m) => ({ ...m, authorization_endpoint: 'javascript:alert(1)' }) }, 'https'],
    [
      'an error of the person',
      { callback: (p) => (p.delete('code'), p.set('error', 'access_denied')) },
      'access_denied',
    ],
  ])('%s', async (_, tricks, part) => {
    expect(await reasonFor(tricks)).toContain(part);
  });

  it('which contain no secrets, and nothing that the provider has written', async () => {
    const script = '<script>alert(1)</script>';
    const reason = await reasonFor({
      callback: (parameters) => {
        parameters.delete('code');
        parameters.set('error', script);
        parameters.set('error_description', script);
      },
    });
    expect(reason).toContain('did not sign you in.');
    await reasonFor({ claims: (claims) => ({ ...claims, aud: 'other' }) });
    const recorded = await rejections();
    expect(recorded).toHaveLength(2);
    expect(JSON.stringify(recorded)).not.toMatch(/script|eyJ|secret of this client/);
  });
});

describe('A confirmation of a session fails with a page that names the reason', () => {
  const now = (): number => Math.floor(Date.now() / 1000);
  it.each<[string, Tricks, string]>([
    ['without the time of the sign-in', {}, 'does not say when you signed in'],
    ['with a text for it', { claims: (c) => ({ ...c, auth_time: `${now()}` }) }, 'auth_time'],
    ['with an earlier sign-in', { claims: (c) => ({ ...c, auth_time: now() - 120 }) }, 'too old'],
    ['with a sign-in in the future', { claims: (c) => ({ ...c, auth_time: now() + 120 }) }, 'its clock is not right'],
    ['of another subject', { claims: (c) => ({ ...c, sub: 'eve', auth_time: now() }) }, 'with another account'],
  ])('%s', async (_, tricks, part) => {
    const { jar, signedIn } = await signIn({});
    expect(signedIn).toBe(true);
    provider.play(tricks);
    const before = jar.of(test.origin).get(COOKIE);
    const { status, text } = await jar.visit(`${startOf()}?confirm=true`, isHome);
    expect(status).toBe(403);
    expect(text).toContain(part);
    expect(jar.of(test.origin).get(COOKIE)).toBe(before);
    expect(await rejections()).toMatchObject([{ data: { reason: expect.stringContaining(part) } }]);
    const rows = await test.database.query('SELECT 1 FROM user_session WHERE confirmed_at IS NOT NULL');
    expect(rows).toEqual([]);
  });

  it('but not for a clock that differs by less than a minute', async () => {
    const { jar } = await signIn({});
    provider.play({ claims: (claims) => ({ ...claims, auth_time: now() - 30 }) });
    expect((await jar.visit(`${startOf()}?confirm=true`, isHome)).status).toBe(302);
    await test.database.query('DELETE FROM user_session');
  });
});

describe('A code', () => {
  it('of another sign-in is rejected, although the provider accepts it again', async () => {
    provider.play({});
    const victim = new BrowserJar();
    const isCallback = ({ pathname }: URL): boolean => pathname === '/auth/oidc/callback';
    const { redirects } = await victim.visit(startOf(), isCallback);
    const stolen = redirects.at(-1)?.searchParams.get('code') ?? '';
    expect(await reasonFor({ callback: (parameters) => parameters.set('code', stolen) })).toContain('"nonce"');
    // The victim's own sign-in still works, once.
    expect((await victim.visit(redirects.at(-1) ?? '', isHome)).status).toBe(302);
    expect((await victim.visit(redirects.at(-1) ?? '', isHome)).status).toBe(403);
  });
});

describe('Requests to a provider', () => {
  const WELL_KNOWN = '/.well-known/openid-configuration';

  it.each([
    [WELL_KNOWN, 'hang'],
    ['/token', 'hang'],
    ['/keys', 'trickle'],
    ['/token', 'flood'],
    [WELL_KNOWN, 'flood'],
  ] as const)('end at the limits of time and length, and passwords still work: %s %s', async (path, answer) => {
    expect(await reasonFor({ answers: { [path]: answer } })).toMatch(/could not be reached|not valid/);
    expect((await test.api.as(null).get(authPath(test, 'session'))).status).toBe(200);
  });

  it.each([WELL_KNOWN, '/token', '/keys'])('do not follow redirects: %s', async (path) => {
    let connections = 0;
    const other = await startRawServer(() => (connections += 1));
    try {
      const tricks: Tricks = { answers: { [path]: { redirect: `http://127.0.0.1:${other.port}/` } } };
      expect(await reasonFor(tricks)).toContain('not valid');
      expect(connections).toBe(0);
    } finally {
      await other.stop();
    }
  });

  it('never leave https for another host', async () => {
    const metadata = (usual: object) => ({ ...usual, token_endpoint: 'http://169.254.169.254/token' });
    expect(await reasonFor({ metadata })).toContain('could not be reached');
  });

  it('do not reach private addresses, unless SIGN_IN_ALLOW_PRIVATE allows it', async () => {
    const strict = await startTestApi();
    try {
      const strictId = await makeIdentityProvider(strict, provider);
      const { text } = await new BrowserJar().visit(`${strict.origin}/auth/oidc/${strictId}/start`);
      expect(text).toContain('private or reserved address');
      expect(provider.requests).toEqual([]);
    } finally {
      await strict.close();
    }
  });

  it('may fail in the middle of a sign-in, when the provider goes down', async () => {
    provider.play({});
    const jar = new BrowserJar();
    const { redirects } = await jar.visit(startOf(), ({ pathname }) => pathname === '/auth/oidc/callback');
    await provider.close();
    const { status, text } = await jar.visit(redirects.at(-1) ?? '');
    expect([status, text]).toEqual([403, expect.stringContaining('could not be reached')]);
    provider = await startMaliciousProvider();
  });
});

describe('Claims', () => {
  it('of any type neither break a sign-in nor its activity', async () => {
    const odd = { groups: { a: 1 }, given_name: 7, family_name: ['x'], name: '\u0000', email_verified: 'true' };
    expect((await signIn({ claims: (claims) => ({ ...claims, ...odd }) })).signedIn).toBe(true);
    const long = { ...odd, groups: Array.from({ length: 5000 }, (_, index) => `group ${index}`) };
    expect((await signIn({ claims: (claims) => ({ ...claims, ...long }) })).signedIn).toBe(true);
    expect(await reasonFor({ claims: (claims) => ({ ...claims, sub: 'other', email: ['a@b.c'] }) })).toContain(
      'no valid e-mail address',
    );
    expect((await rejections())[0]?.data.claims).toMatchObject({ sub: 'other' });
  });

  it('from userinfo must be about the same subject', async () => {
    const metadata = (usual: object) => ({ ...usual, userinfo_endpoint: `${provider.issuer}/userinfo` });
    const reason = await reasonFor({
      metadata,
      claims: (c) => without(c, 'email'),
      answers: { '/userinfo': { json: { sub: 'the administrator', email: organization.admin.email } } },
    });
    expect(reason).toContain('"sub"');
  });
});
