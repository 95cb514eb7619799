// Fails in a handler, in a middleware, in the body parser, in a stream and in the background.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { compile } from './support/decorators.mjs';

await rename('block_1.ts', 'main.ts');
await rename('app.module.ts.txt', 'app.module.ts');
compile(['main.ts', 'app.module.ts']);
const child = spawn(process.execPath, ['start.mjs'], { stdio: ['ignore', 'pipe', 'pipe'] });
process.once('SIGTERM', () => process.exit(1)).on('exit', () => child.kill());
let logged = '';
child.stderr.on('data', (data) => void (logged += data));
let address;
for await (const line of createInterface({ input: child.stdout })) {
  [, address] = /^listening at (.*)$/.exec(line) ?? [];
  if (address) break;
}
child.stdout.on('data', (data) => void (logged += data)).resume();
const logs = async (text) => {
  while (!logged.includes(text)) await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
};
const send = async (path, options) => {
  const response = await fetch(address + path, options);
  return { status: response.status, text: await response.text() };
};
const post = (body) => send('/orders', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });

for (const path of ['/handler', '/middleware', '/not-an-error', '/http-500', '/exposed-500']) {
  const { status, text } = await send(path);
  assert.equal(status, 500, path);
  const answer = JSON.parse(text);
  assert.deepEqual(Object.keys(answer).sort(), ['error', 'reference'], path);
  assert.doesNotMatch(text, /s3cret/, path);
  await logs(answer.reference);
  await logs(`s3cret of ${path}`);
}
assert.match(logged, /at .*app\.module\.js/);

const expected = [
  [await post('{'), 400],
  [await post(JSON.stringify('a'.repeat(200_000))), 413],
  [await send('/unknown'), 404],
  [await send('/forbidden'), 403],
];
for (const [{ status, text }, code] of expected) {
  assert.equal(status, code);
  assert.doesNotMatch(text, /stack|node_modules|\bat \//, String(code));
}
assert.match(expected[3][0].text, /You cannot do this\./);

await assert.rejects(send('/stream'));
await logs('s3cret of /stream');
assert.equal((await send('/background')).status, 200);
await logs('s3cret of /background');
assert.equal((await send('/ok')).status, 200);

const ended = once(child, 'exit');
await send('/crash').catch(() => {});
assert.deepEqual(await ended, [1, null]);
assert.match(logged, /s3cret of \/crash/);
