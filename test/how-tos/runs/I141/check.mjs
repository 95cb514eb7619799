// Signs in with right and wrong passwords, one after another and at once, through two instances.
import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { state } from './accounts.js';
import { startRedis } from './support/redis.mjs';

process.env.REDIS_URL = await startRedis();
await cp('block_1.ts', 'second.ts');
const { signIn, TooManyRequests } = await import('./block_1.ts');
const second = await import('./second.ts');
const { Redis } = createRequire(import.meta.url)('ioredis');
const redis = new Redis(process.env.REDIS_URL);
for (const instance of [signIn, second.signIn])
  for (;;)
    try {
      await instance('warm-up', 'wrong', 'warm-up');
      break;
    } catch (error) {
      if (!/writeable|offline queue/i.test(error.message)) throw error;
      await setTimeout(20);
    }
const clear = () => redis.flushall();
// A limiter remembers a block in its own process too: each part has names and sources of its own.
let count = 0;
const source = () => `198.51.100.${(count += 1)}`;
const fail = async (name, from = source()) => {
  try {
    return (await signIn(name, 'wrong', from)) ?? 'failed';
  } catch (error) {
    if (!(error instanceof TooManyRequests) && !(error instanceof second.TooManyRequests)) throw error;
    return error.milliseconds;
  }
};
const outcomes = async (name, times) => {
  const all = [];
  for (let n = 0; n < times; n += 1) all.push(await fail(name));
  return all;
};

await clear();
assert.deepEqual(await signIn('ann', 'right', source()), { name: 'ann' });
assert.deepEqual(await outcomes('ann', 9), Array(9).fill('failed'));
assert.deepEqual(await signIn('ann', 'right', source()), { name: 'ann' });
assert.deepEqual(await outcomes('ann', 9), Array(9).fill('failed'));
assert.deepEqual(await signIn('ann', 'right', source()), { name: 'ann' });
for (const name of ['existing', 'unknown']) {
  const all = await outcomes(name, 11);
  assert.deepEqual(all.slice(0, 10), Array(10).fill('failed'));
  assert.ok(all[10] > 50_000 && all[10] <= 60_000, String(all[10]));
}
const spellings = ['Eve', 'eve', ' EVE ', '\uFF25ve'];
for (let n = 0; n < 10; n += 1) await fail(spellings[n % 4]);
for (const spelling of spellings) assert.notEqual(await fail(spelling), 'failed');

const verified = state.verified;
for (let n = 0; n < 50; n += 1) assert.equal(await fail(`name-${n}`, 'one source'), 'failed');
assert.notEqual(await fail('name-50', 'one source'), 'failed');
assert.equal(state.verified, verified + 50);

state.verified = 0;
const attempts = Array.from({ length: 20 }, (_, n) => (n % 2 ? signIn : second.signIn)('mallory', 'wrong', source()));
await Promise.allSettled(attempts);
assert.ok(state.verified > 0 && state.verified <= 10, String(state.verified));

await clear();
assert.equal(state.alerts, 0);
for (let n = 0; n < 601; n += 1) await fail(`many-${n}`);
assert.equal(state.alerts, 1);
process.exit();
