// Signs in behind a proxy that ends TLS, and reads the cookie.
import assert from 'node:assert/strict';
import { startRedis } from './support/redis.mjs';

process.env.REDIS_URL = await startRedis();
await assert.rejects(import('./block_1.ts?without-a-key'), /SESSION_KEY is missing/);
Object.assign(process.env, { SESSION_KEY: 'new', SESSION_KEY_PREVIOUS: 'old' });
const { app } = await import('./block_1.ts');
app.post('/sign-in', (request, response) => {
  request.session.user = 'ann';
  response.sendStatus(204);
});
app.get('/me', (request, response) => {
  response.status(request.session.user ? 200 : 401).json({ secure: request.secure });
});
const server = app.listen(0);
const address = `http://127.0.0.1:${server.address().port}`;
const call = (path, headers = {}, method = 'GET') =>
  fetch(address + path, { method, headers: { 'X-Forwarded-Proto': 'https', ...headers } });

const values = [];
for (let n = 0; n < 20; n += 1) {
  const cookies = (await call('/sign-in', {}, 'POST')).headers.getSetCookie();
  assert.equal(cookies.length, 1);
  const [pair, ...attributes] = cookies[0].split('; ');
  assert.match(pair, /^__Host-session=s%3A[\w-]{32}\./);
  const flags = attributes.filter((attribute) => !attribute.startsWith('Expires='));
  assert.deepEqual(flags.sort(), ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
  values.push(pair);
}
assert.equal(new Set(values).size, 20);
assert.equal((await call('/me', { Cookie: values[0] })).status, 200);
assert.equal((await call('/me')).status, 401);
assert.deepEqual((await call('/me')).headers.getSetCookie(), []);
const changed = values[0].replace(/s%3A../, 's%3Axx');
assert.equal((await call('/me', { Cookie: changed })).status, 401);
// Over plain HTTP, no cookie is set.
assert.deepEqual((await call('/sign-in', { 'X-Forwarded-Proto': 'http' }, 'POST')).headers.getSetCookie(), []);
// The proxy is the last hop: what a client sent before it does not count.
assert.deepEqual((await call('/sign-in', { 'X-Forwarded-Proto': '' }, 'POST')).headers.getSetCookie(), []);
const forged = { 'X-Forwarded-For': '192.0.2.1, 192.0.2.2' };
app.get('/ip', (request, response) => response.send(request.ip));
assert.equal(await (await call('/ip', forged)).text(), '192.0.2.2');
process.exit();
