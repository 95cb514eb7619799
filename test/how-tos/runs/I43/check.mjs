// Opens sockets as the page does, from another origin, and with tickets that no longer count.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { mock } from 'node:test';
import { WebSocket } from 'ws';
import { state } from './session.js';

const code = await readFile('block_1.ts', 'utf8');
assert.ok(code.includes('server.listen(8080)'));
const here = code.replace('server.listen(8080)', "server.listen(0, '127.0.0.1')");
await writeFile('here.ts', `${here}\nexport { server };\n`);
const { server } = await import('./here.ts');
if (!server.listening) await once(server, 'listening');
const host = `127.0.0.1:${server.address().port}`;
const ticketFor = (cookie, method = 'POST') => fetch(`http://${host}/ticket`, { method, headers: { cookie } });

/** What the server answers to the upgrade and to the first messages. */
async function talk({ origin = 'https://app.example.com', messages = [] }) {
  const socket = new WebSocket(`ws://${host}/`, { origin });
  const received = [];
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
    socket.on('close', (status) => resolve(status === 1005 ? received : status));
    socket.on('open', () => void (messages[0] && socket.send(messages[0])));
    socket.on('message', (data) => {
      received.push(data.toString());
      const next = messages[received.length];
      if (next) socket.send(next);
      else socket.close();
    });
    socket.on('error', () => {});
  });
}

const response = await ticketFor('session=ann');
assert.equal(response.headers.get('cache-control'), 'no-store');
const ticket = await response.text();
assert.deepEqual(await talk({ messages: [ticket, 'hello'] }), ['welcome', 'ann: hello']);
assert.equal(await talk({ messages: [ticket] }), 4401);
assert.equal(await talk({ messages: ['guessed'] }), 4401);
for (const origin of ['https://evil.example', 'https://app.example.com.evil.example', 'null', ''])
  assert.equal(await talk({ origin, messages: [await (await ticketFor('session=ann')).text()] }), 403, origin);
assert.equal((await ticketFor('session=other')).status, 401);
assert.equal((await ticketFor('session=ann', 'GET')).status, 401);

const old = await (await ticketFor('session=ann')).text();
mock.timers.enable({ apis: ['Date'], now: Date.now() + 31_000 });
assert.equal(await talk({ messages: [old] }), 4401);
mock.timers.reset();
assert.equal(await talk({}), 1006);

const logged = mock.method(console, 'error', () => {});
state.broken = true;
assert.equal((await ticketFor('session=ann')).status, 500);
logged.mock.restore();
state.broken = false;
assert.equal((await ticketFor('session=ann')).status, 200);
process.exit();
