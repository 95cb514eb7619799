// Signs in with several browsers, and replays cookies that no longer count.
import assert from 'node:assert/strict';
import { createClient } from 'redis';
import { startRedis } from './support/redis.mjs';

Object.assign(process.env, { REDIS_URL: await startRedis(), SESSION_KEY: 'key' });
const { app, endSessions } = await import('./block_1.ts');
const redis = createClient({ url: process.env.REDIS_URL });
await redis.connect();
const server = app.listen(0);
const address = `http://127.0.0.1:${server.address().port}`;

/** A browser: it sends the last cookie that it received. */
function browser() {
  const jar = { cookie: '' };
  const send = async (path, body, cookie = jar.cookie) => {
    const response = await fetch(address + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-Proto': 'https', cookie },
      body: body && JSON.stringify(body),
    });
    const [set] = response.headers.getSetCookie();
    if (set) [jar.cookie] = set.split(';');
    return response.status;
  };
  return { jar, send };
}
const credentials = { name: 'ann', password: 'right' };
const one = browser();
assert.equal(await one.send('/me'), 401);
assert.equal(await one.send('/sign-in', { name: 'ann', password: 'wrong' }), 401);
assert.equal(one.jar.cookie, '');

const cookies = [];
for (const [path, body] of [
  ['/sign-in', credentials],
  ['/sign-in', credentials],
  ['/step-up', { code: '123456' }],
]) {
  assert.equal(await one.send(path, body), 204);
  assert.equal(await one.send('/me'), 200);
  for (const old of cookies) assert.equal(await one.send('/me', undefined, old), 401, path);
  cookies.push(one.jar.cookie);
}
const before = one.jar.cookie;
assert.equal(await one.send('/step-up', { code: '000000' }), 401);
assert.equal(await browser().send('/step-up', { code: '123456' }), 401);
assert.equal((await redis.sMembers('user-sessions:ann')).length, 1);

assert.equal(await one.send('/sign-out', {}), 204);
assert.equal(await one.send('/me', undefined, before), 401);
assert.deepEqual(await redis.sMembers('user-sessions:ann'), []);

const [left, right, other] = [browser(), browser(), browser()];
for (const { send } of [left, right]) assert.equal(await send('/sign-in', credentials), 204);
assert.equal(await other.send('/sign-in', { name: 'bob', password: 'right' }), 204);
assert.equal(await left.send('/password', { password: 'right' }), 204);
assert.deepEqual([await left.send('/me'), await right.send('/me'), await other.send('/me')], [200, 401, 200]);
await endSessions('ann');
assert.deepEqual([await left.send('/me'), await other.send('/me')], [401, 200]);
process.exit();
