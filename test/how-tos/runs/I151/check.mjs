// Signs in with a client that does what it should, and with requests that must be refused.
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import { connect } from './browser.mjs';
import { listening } from './support/listening.mjs';

const { privateKey } = await generateKeyPair('RS256', { extractable: true });
Object.assign(process.env, {
  COOKIE_KEY_NEW: 'new',
  COOKIE_KEY_OLD: 'old',
  SIGNING_KEYS: JSON.stringify({ keys: [{ ...(await exportJWK(privateKey)), kid: 'own', alg: 'RS256', use: 'sig' }] }),
  WEB_CLIENT_SECRET: 'the-secret-of-the-web-client',
});
for (const name of ['warn', 'info']) mock.method(console, name, () => {});
let provider;
const { server } = await listening(async () => ({ provider } = await import('./block_1.ts')));
const { authorize, redeem, token, userInfo } = connect(server.address().port);

// The pages that the how-to leaves to the reader: everyone is Ann and consents.
const [answer] = server.listeners('request');
async function interact(request, response) {
  const { params, prompt } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: 'ann' } });
  }
  const grant = new provider.Grant({ accountId: 'ann', clientId: params.client_id });
  grant.addOIDCScope('openid offline_access');
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}
server.removeAllListeners('request').on('request', (request, response) => {
  if (request.url.startsWith('/interaction/')) void interact(request, response);
  else answer(request, response);
});

const signedIn = await authorize();
assert.equal(signedIn.callback.searchParams.get('iss'), 'https://login.example.com');
const tokens = await redeem(signedIn);
assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
assert.equal(tokens.body.expires_in, 600);
assert.equal(await userInfo(tokens.body.access_token), 200);
const [header] = tokens.body.id_token.split('.');
assert.equal(JSON.parse(Buffer.from(header, 'base64url')).kid, 'own');

// A refresh token counts once; a second use ends all tokens of the sign-in.
const refresh = (value) => token({ grant_type: 'refresh_token', refresh_token: value });
const renewed = await refresh(tokens.body.refresh_token);
assert.equal(renewed.status, 200);
assert.equal((await refresh(tokens.body.refresh_token)).body.error, 'invalid_grant');
assert.equal(await userInfo(renewed.body.access_token), 401);

// A code counts once; a second use revokes the tokens of the first.
const repeated = await authorize();
const first = await redeem(repeated);
assert.equal(await userInfo(first.body.access_token), 200);
assert.equal((await redeem(repeated)).body.error, 'invalid_grant');
assert.equal(await userInfo(first.body.access_token), 401);

const faults = [
  { code_challenge: undefined },
  { code_challenge: undefined, code_challenge_method: undefined },
  { code_challenge_method: 'plain' },
  { code_challenge_method: undefined },
  { response_type: 'token' },
];
for (const fault of faults) {
  const { callback, page } = await authorize(fault);
  const name = JSON.stringify(Object.keys(fault));
  assert.ok(page?.status === 400 || /[?#&]error=/.test(callback.href), name);
  if (callback) assert.doesNotMatch(callback.href, /code=|access_token=/, name);
}
const places = [
  'https://app.example.com/callback/more',
  'https://app.example.com:8443/callback',
  'https://user@app.example.com/callback',
  'https://app.example.com/%2fcallback',
  'https://app.example.com/callback#fragment',
  'https://app.example.com/callback?more=1',
  'https://app.example.com.evil.example/callback',
  'http://app.example.com/callback',
];
for (const place of places) assert.equal((await authorize({ redirect_uri: place })).page?.status, 400, place);

const password = await token({ grant_type: 'password', username: 'ann', password: 'x' });
assert.equal(password.body.error, 'unsupported_grant_type');
const clients = [{ secret: 'guessed' }, { client: 'other', secret: 'x' }];
for (const client of clients) assert.equal((await redeem(await authorize(), {}, client)).status, 401);
for (const change of [{ code_verifier: 'x'.repeat(43) }, { redirect_uri: 'https://app.example.com/other' }])
  assert.equal((await redeem(await authorize(), change)).body.error, 'invalid_grant');

// A code lives for a minute.
const [early, late] = [await authorize(), await authorize()];
const begin = Date.now();
mock.timers.enable({ apis: ['Date'], now: begin + 50_000 });
assert.equal((await redeem(early)).status, 200);
mock.timers.setTime(begin + 75_000);
assert.equal((await redeem(late)).body.error, 'invalid_grant');
process.exit();
