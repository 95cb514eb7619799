// Sends webhooks as the provider would, and then with one thing changed.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { events } from './queue.js';

Object.assign(process.env, { PAYMENT_HOOK_KEY: 'key-1', PAYMENT_HOOK_KEY_NEXT: 'key-2' });
const { app } = await import('./block_1.ts');
const server = app.listen(0);
const url = `http://127.0.0.1:${server.address().port}/hooks/payments`;
const now = () => Math.floor(Date.now() / 1000);

async function send(body, { key = 'key-1', time = now(), header, sent = body } = {}) {
  const mac = createHmac('sha256', key).update(`${time}.${body}`).digest('hex');
  const headers = { 'Content-Type': 'application/json', 'X-Signature': header ?? `t=${time},v1=${mac}` };
  return (await fetch(url, { method: 'POST', headers, body: sent })).status;
}

const paid = '{ "type": "paid",  "amount": 5 }';
assert.equal(await send(paid), 202);
assert.equal(await send(paid, { key: 'key-2' }), 202);
assert.deepEqual(events.splice(0), [JSON.parse(paid), JSON.parse(paid)]);
assert.equal(await send('{'), 400);
const forged = [
  { key: 'key-3' },
  { sent: paid.replace('5', '6') },
  { sent: JSON.stringify(JSON.parse(paid)) },
  { time: now() - 400 },
  { time: now() + 400 },
  { header: '' },
  { header: `t=${now()},v1=${'0'.repeat(64)}` },
  { header: `t=${now()},v1=00` },
];
for (const change of forged) assert.equal(await send(paid, change), 401, JSON.stringify(change));
assert.deepEqual(events, []);
server.close();
