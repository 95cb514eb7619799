// Answers `fetch` as the issuer does, and sends tokens that it signed and tokens that it did not sign.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mock } from 'node:test';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';

const { privateKey, publicKey } = await generateKeyPair('RS256');
const mallory = await generateKeyPair('RS256');
const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256' };
const original = globalThis.fetch;
const fetched = [];
let running = false;
globalThis.fetch = async (url, options) => {
  if (String(url).startsWith('http://127.0.0.1')) return original(url, options);
  fetched.push(String(url));
  if (!running) throw new TypeError('fetch failed');
  return Response.json({ keys: [jwk] });
};
const { app } = await import('./block_1.ts');
const server = app.listen(0);
const address = `http://127.0.0.1:${server.address().port}/me`;
const call = (token) => original(address, token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } });

const now = () => Math.floor(Date.now() / 1000);
const claims = { iss: 'https://login.example.com', aud: 'orders-api', sub: 'ann', scope: 'orders.read orders.write' };
const tokenWith = (change = {}, header = {}, key = privateKey) => {
  const payload = { ...claims, exp: now() + 300, ...change };
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'k1', ...header }).sign(key);
};
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

const logged = mock.method(console, 'error', () => {});
assert.equal((await call(await tokenWith())).status, 503);
assert.equal(logged.mock.callCount(), 1);
logged.mock.restore();

running = true;
const answer = await call(await tokenWith());
assert.equal(answer.status, 200);
assert.deepEqual(await answer.json(), { id: 'ann', scopes: ['orders.read', 'orders.write'] });

const body = part({ ...claims, exp: now() + 300 });
const unsigned = `${part({ alg: 'none', typ: 'at+jwt' })}.${body}.`;
const keyed = `${part({ alg: 'HS256', typ: 'at+jwt', kid: 'k1' })}.${body}`;
const mac = createHmac('sha256', await exportSPKI(publicKey))
  .update(keyed)
  .digest('base64url');
const own = await exportJWK(mallory.publicKey);
const hostile = {
  unsigned,
  mac: `${keyed}.${mac}`,
  jwk: await tokenWith({}, { jwk: own }, mallory.privateKey),
  jku: await tokenWith({}, { jku: 'https://evil.example/jwks' }, mallory.privateKey),
  x5u: await tokenWith({}, { x5u: 'https://evil.example/x5u' }, mallory.privateKey),
  kid: await tokenWith({}, { kid: 'k2' }),
  issuer: await tokenWith({ iss: 'https://evil.example' }),
  audience: await tokenWith({ aud: 'billing-api' }),
  expiry: await tokenWith({ exp: undefined }),
  expired: await tokenWith({ exp: now() - 60 }),
  idToken: await tokenWith({}, { typ: 'JWT' }),
  scope: await tokenWith({ scope: undefined }),
  words: 'a.b.c',
  none: undefined,
};
for (const [name, token] of Object.entries(hostile)) {
  const response = await call(token);
  assert.equal(response.status, 401, name);
  assert.equal(response.headers.get('www-authenticate'), 'Bearer', name);
}
assert.deepEqual([...new Set(fetched)], ['https://login.example.com/.well-known/jwks.json']);
server.close();
