// Answers `fetch` as the OpenID provider https://login.example.com would.
import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const ISSUER = 'https://login.example.com';
const ALGORITHM = 'RS256';
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [ALGORITHM],
  code_challenge_methods_supported: ['S256'],
};
const refusal = () => Response.json({ error: 'invalid_grant' }, { status: 400 });

/** `exchange` answers requests for tokens that redeem no code. */
export async function startProvider(exchange = refusal) {
  const [known, unknown] = [await generateKeyPair(ALGORITHM), await generateKeyPair(ALGORITHM)];
  const key = { ...(await exportJWK(known.publicKey)), kid: 'k1', alg: ALGORITHM };
  const codes = new Map();

  async function idToken({ query, user, claims }, foreign) {
    const now = Math.floor(Date.now() / 1000);
    const stated = { iss: ISSUER, aud: query.get('client_id'), sub: user, nonce: query.get('nonce') };
    const whole = { ...stated, iat: now, exp: now + 300, ...claims };
    const signer = foreign ? unknown.privateKey : known.privateKey;
    return new SignJWT(whole).setProtectedHeader({ alg: ALGORITHM, kid: 'k1' }).sign(signer);
  }

  async function redeem(form) {
    const code = codes.get(form.get('code'));
    codes.delete(form.get('code'));
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!code || code.query.get('code_challenge') !== challenge) return refusal();
    if (form.get('redirect_uri') !== code.query.get('redirect_uri')) return refusal();
    const answer = { access_token: 'token', token_type: 'Bearer', expires_in: 300 };
    return Response.json({ ...answer, id_token: code.idToken ?? (await idToken(code, code.foreign)) });
  }

  globalThis.fetch = async (url, options) => {
    const { pathname } = new URL(url);
    if (pathname === '/.well-known/openid-configuration') return Response.json(METADATA);
    if (pathname === '/jwks') return Response.json({ keys: [key] });
    if (pathname !== '/token') throw new TypeError(`${String(url)} is unknown`);
    const form = new URLSearchParams(String(options.body));
    return form.has('code') ? redeem(form) : exchange(form, new Headers(options.headers));
  };

  return {
    privateKey: known.privateKey,
    /** The address to which the browser returns. `change` replaces what the ID token says, or `foreign` its key. */
    signIn(address, user, { foreign, idToken: fixed, ...claims } = {}) {
      const query = new URL(address).searchParams;
      const code = `code-${codes.size}-${Math.random()}`;
      codes.set(code, { query, user, claims, foreign, idToken: fixed });
      const callback = new URL(query.get('redirect_uri'));
      callback.search = new URLSearchParams({ code, state: query.get('state'), iss: ISSUER }).toString();
      return callback;
    },
  };
}
