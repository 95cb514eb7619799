// Reads the policy of two pages and of an error page.
import assert from 'node:assert/strict';
import { app } from './block_1.ts';

const server = app.listen(0);
const base = `http://127.0.0.1:${server.address().port}`;
const read = async (path) => {
  const response = await fetch(base + path);
  const policy = response.headers.get('content-security-policy') ?? '';
  const directives = new Map(policy.split(';').map((part) => part.trim().split(/ (.*)/s)));
  return { status: response.status, directives, text: await response.text() };
};

const nonceOf = ({ directives }) => /^'nonce-([\w+/]{22}==)' 'strict-dynamic'$/.exec(directives.get('script-src'))?.[1];
const [first, second, missing] = [await read('/'), await read('/'), await read('/no')];
assert.deepEqual([first.status, missing.status], [200, 404]);
assert.ok(nonceOf(first));
assert.ok(first.text.includes(`<script nonce="${nonceOf(first)}"`));
assert.notEqual(nonceOf(first), nonceOf(second));
for (const { directives, text } of [first, missing]) {
  assert.equal(directives.get('default-src'), "'self'");
  assert.deepEqual(
    ['object-src', 'base-uri', 'frame-ancestors'].map((name) => directives.get(name)),
    ["'none'", "'none'", "'none'"],
  );
  assert.doesNotMatch([...directives].join(' '), /unsafe/);
  assert.doesNotMatch(text, /Error:|node_modules/);
}
server.close();
