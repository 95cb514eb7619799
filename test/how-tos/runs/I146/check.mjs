// Signs in at a provider that answers correctly, and at the same provider when one thing is wrong.
import assert from 'node:assert/strict';
import { startProvider } from './support/openid-provider.mjs';

const provider = await startProvider();
Object.assign(process.env, { OIDC_CLIENT_ID: 'shop', OIDC_CLIENT_SECRET: 'secret' });
const { finish, start } = await import('./block_1.ts');

async function signIn(change) {
  const session = {};
  return finish(provider.signIn(await start(session), 'ann', change), session);
}
assert.deepEqual(await signIn(), { issuer: 'https://login.example.com', subject: 'ann' });

const addresses = [await start({}), await start({})];
for (const name of ['state', 'nonce', 'code_challenge'])
  assert.notEqual(addresses[0].searchParams.get(name), addresses[1].searchParams.get(name), name);
assert.equal(addresses[0].searchParams.get('code_challenge_method'), 'S256');

const now = Math.floor(Date.now() / 1000);
const none = Buffer.from('{"alg":"none"}').toString('base64url');
const claims = { iss: 'https://login.example.com', aud: 'shop', sub: 'ann', iat: now, exp: now + 300 };
const wrong = {
  audience: { aud: 'another' },
  audiences: { aud: ['shop', 'another'], azp: 'another' },
  issuer: { iss: 'https://login.example.org' },
  'no nonce': { nonce: undefined },
  'another nonce': { nonce: 'x' },
  expired: { exp: now - 3_600, iat: now - 7_200 },
  'no subject': { sub: undefined },
  'unknown key': { foreign: true },
  unsigned: { idToken: `${none}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.` },
};
for (const [name, change] of Object.entries(wrong)) await assert.rejects(signIn(change), name);

// The address of another browser, a second use, and changed parameters.
const [victim, attacker] = [{}, {}];
await start(victim);
const stolen = provider.signIn(await start(attacker), 'mallory');
await assert.rejects(finish(stolen, victim));
await assert.rejects(finish(stolen, {}), /no sign-in/);
const session = {};
const callback = provider.signIn(await start(session), 'ann');
assert.equal((await finish(callback, session)).subject, 'ann');
await assert.rejects(finish(callback, session), /no sign-in/);
const edits = {
  state: (url) => url.searchParams.set('state', `${url.searchParams.get('state').slice(0, -1)}.`),
  'no state': (url) => url.searchParams.delete('state'),
  code: (url) => url.searchParams.set('code', 'x'),
  issuer: (url) => url.searchParams.set('iss', 'https://login.example.org'),
};
for (const [name, edit] of Object.entries(edits)) {
  const own = {};
  const url = provider.signIn(await start(own), 'ann');
  edit(url);
  await assert.rejects(finish(url, own), name);
  assert.equal(own.oidc, undefined, name);
}

// The code of another sign-in, put into the own callback: only the verifier and the nonce reveal it.
const own = {};
const injected = provider.signIn(await start(own), 'ann');
injected.searchParams.set('code', provider.signIn(await start({}), 'mallory').searchParams.get('code'));
await assert.rejects(finish(injected, own));
