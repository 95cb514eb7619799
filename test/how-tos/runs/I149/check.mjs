// Requests links and opens them in the same browser, twice, in another one, and late.
import assert from 'node:assert/strict';
import { app } from './block_1.ts';
import { rows, sent, started } from './sign-in.js';

const server = app.listen(0);
const address = `http://127.0.0.1:${server.address().port}`;
const post = (path, body, cookie = '') =>
  fetch(address + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
async function requestLink(email = 'ann@example.com') {
  const response = await post('/sign-in/link', { email });
  const [set] = response.headers.getSetCookie();
  const [cookie, ...flags] = set.split('; ');
  const [, token] = sent.at(-1)?.[1].split('#') ?? [];
  return { cookie, flags: flags.filter((flag) => !flag.startsWith('Expires')), token, status: response.status };
}
const confirm = async ({ token, cookie }) => (await post('/sign-in/confirm', { token }, cookie)).status;

const first = await requestLink();
assert.equal(first.status, 202);
assert.deepEqual(first.flags.sort(), ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure']);
assert.equal((await fetch(sent[0][1].replace('https://app.example.com', address))).status, 404);
assert.equal(await confirm(first), 204);
assert.deepEqual(started, ['ann']);
assert.equal(await confirm(first), 401);

const opened = await requestLink();
const stranger = await requestLink('unknown@example.com');
assert.deepEqual([stranger.status, stranger.flags.length, sent.length], [202, opened.flags.length, 2]);
assert.equal(await confirm({ ...opened, cookie: stranger.cookie }), 401);
assert.equal(await confirm(opened), 401);
assert.equal(await confirm({ token: (await requestLink()).token, cookie: '' }), 401);

const older = await requestLink();
const newer = await requestLink();
assert.equal(await confirm(older), 401);
assert.equal(await confirm(newer), 204);

const late = await requestLink();
assert.ok(rows[0].expires > Date.now() + 590_000 && rows[0].expires <= Date.now() + 600_000);
rows[0].expires -= 660_000;
assert.equal(await confirm(late), 401);
for (const body of [{}, { token: '' }, { token: [1] }])
  assert.equal((await post('/sign-in/confirm', body)).status, 401);
assert.equal(started.length, 2);
server.close();
server.closeAllConnections();
