// Sends bodies, headers and requests that are just within the limits, and such that are not.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();
const code = await readFile('block_1.ts', 'utf8');
// Another port, and shorter times and fewer connections than a check could wait for or open.
const replaced = Object.entries({
  'listen(8080)': `listen(${port}, '127.0.0.1')`,
  'headersTimeout: 10_000': 'headersTimeout: 1_000',
  'requestTimeout: 30_000': 'requestTimeout: 2_000',
  'connectionsCheckingInterval: 5_000': 'connectionsCheckingInterval: 200',
  'maxConnections = 5_000': 'maxConnections = 20',
}).reduce((text, [from, to]) => {
  assert.ok(text.includes(from), from);
  return text.replace(from, to);
}, code);
await writeFile('here.ts', `${replaced}\nexport { server };\n`);
const { server } = await import('./here.ts');
if (!server.listening) await once(server, 'listening');

const url = `http://127.0.0.1:${port}/orders`;
const json = { 'Content-Type': 'application/json', Connection: 'close' };
const post = async (size) =>
  (await fetch(url, { method: 'POST', headers: json, body: `"${'x'.repeat(size - 2)}"` })).status;
const object = (size) => `{"a":"${'x'.repeat(size - 8)}"}`;
const send = async (body) => (await fetch(url, { method: 'POST', headers: json, body })).status;
assert.equal(await send(object(102_400)), 201);
assert.equal(await send(object(102_401)), 413);
assert.equal(await post(200_000), 413);
const headers = (size) => ({ Connection: 'close', 'X-Long': 'x'.repeat(size) });
assert.equal((await fetch(url, { method: 'POST', headers: headers(15_000) })).status, 201);
assert.equal((await fetch(url, { headers: headers(17_000) })).status, 431);

async function connect() {
  const socket = createConnection(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.text = '';
  socket.on('data', (data) => void (socket.text += data));
  socket.ended = new Promise((resolve) => void socket.on('close', resolve));
  await once(socket, 'connect');
  return socket;
}
for (const start of [
  'POST /orders HTTP/1.1\r\nHost: a\r\n',
  'POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
]) {
  const slow = await connect();
  slow.write(start);
  await slow.ended;
  assert.match(slow.text, /^HTTP\/1\.1 408 /);
}

const open = [];
for (let n = 0; n < 20; n += 1) open.push(await connect());
const extra = await connect();
await extra.ended;
assert.equal(extra.text, '');
open[0].write('POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
await open[0].ended;
assert.match(open[0].text, /^HTTP\/1\.1 201 /);
for (const socket of open) socket.destroy();
server.close();
server.closeAllConnections();
