// Loads the same page for several users and tenants, some with names that imitate the keys of others.
import assert from 'node:assert/strict';
import { createClient } from 'redis';
import { startRedis } from './support/redis.mjs';

process.env.REDIS_URL = await startRedis();
const { cached, forget } = await import('./block_1.ts');
const redis = createClient({ url: process.env.REDIS_URL });
await redis.connect();

const scopes = [
  { tenant: 'a', user: '1' },
  { tenant: 'a', user: '2' },
  { tenant: 'b', user: '1' },
  { tenant: 'a', shared: true },
  { tenant: 'a:u:1', shared: true },
  { tenant: 'a', user: '1:0' },
  { tenant: 'a:u', user: '1' },
];
const loads = [];
const page = (scope, seconds = 60, key = 'page') =>
  cached(scope, key, seconds, async () => {
    loads.push(scope);
    return { marker: JSON.stringify(scope) };
  });
for (let n = 0; n < 2; n += 1)
  for (const scope of scopes) assert.deepEqual(await page(scope), { marker: JSON.stringify(scope) });
assert.deepEqual(loads.splice(0), scopes);
const names = await redis.keys('*');
assert.equal(names.length, scopes.length);
assert.ok(names.every((name) => name.startsWith('t:')));

await forget(scopes[0]);
for (const scope of scopes) await page(scope);
assert.deepEqual(loads.splice(0), [scopes[0]]);

const denied = { tenant: 'a', user: '3' };
await assert.rejects(
  cached(denied, 'record', 60, async () => {
    throw new Error('denied');
  }),
  /denied/,
);
assert.equal(await cached(denied, 'record', 60, async () => 'granted'), 'granted');
await page(denied, 3_600, 'long');
const [long] = await redis.keys('*:long');
assert.ok((await redis.ttl(long)) <= 300 && (await redis.ttl(long)) > 0);
for (const scope of [
  { tenant: '', user: '1' },
  { tenant: 'a', user: '' },
  { tenant: 'a' },
  { tenant: '', shared: true },
])
  await assert.rejects(page(scope), /needs a tenant and a user/);
process.exit();
