// Calls the gate as a model would that follows an attacker's text.
import assert from 'node:assert/strict';
import { callTool } from './src/gate.ts';

const run = [];
const refusals = [];
const orders = { 7: ['north', 'ann@example.com'], 8: ['north', 'cat@example.com'], 9: ['south', 'bob@example.com'] };
const world = {
  ownsOrder: async (tenant, order) => orders[order]?.[0] === tenant,
  addressOf: async (tenant, order) => orders[order][1],
  run: async (tool, input) => {
    run.push([tool, input]);
    return 'done';
  },
  logRefusal: async (entry) => refusals.push(entry),
};
const task = (kind) => ({ id: 't1', userId: 'ann', tenantId: 'north', kind });

const permitted = [
  ['question', 'get_order', { order: '7' }],
  ['complaint', 'get_order', { order: '7' }],
  ['complaint', 'refund_order', { order: '7', cents: 5000 }],
  ['complaint', 'send_mail', { order: '7', to: 'ann@example.com', text: 'We are sorry.' }],
];
for (const [kind, tool, input] of permitted) assert.equal(await callTool(task(kind), tool, input, world), 'done');
assert.deepEqual(
  run.splice(0),
  permitted.map(([, tool, input]) => [tool, input]),
);
assert.deepEqual(refusals, []);

const mail = { order: '7', to: 'ann@example.com', text: 'Hello' };
const hostile = [
  ['question', 'refund_order', { order: '7', cents: 1 }, /not a tool/],
  ['question', 'delete_all', {}, /not a tool/],
  ['question', 'toString', {}, /not a tool/],
  ['question', '__proto__', {}, /not a tool/],
  ['question', 'get_order', { order: '9' }, /another tenant/],
  ['question', 'get_order', { order: '404' }, /another tenant/],
  ['question', 'get_order', { order: '7', tenant: 'south' }, /unrecognized_keys/],
  ['question', 'get_order', { order: ['7'] }, /invalid_type/],
  ['question', 'get_order', { order: "7' OR 1=1" }, /invalid_format/],
  ['question', 'get_order', undefined, /invalid_type/],
  ['complaint', 'refund_order', { order: '7', cents: 5001 }, /too_big/],
  ['complaint', 'refund_order', { order: '7', cents: -1 }, /too_small/],
  ['complaint', 'refund_order', { order: '7', cents: 0.5 }, /invalid_type/],
  ['complaint', 'refund_order', { order: '9', cents: 1 }, /another tenant/],
  ['complaint', 'send_mail', { ...mail, to: 'mallory@evil.example' }, /recipient/],
  ['complaint', 'send_mail', { ...mail, to: 'cat@example.com' }, /recipient/],
  ['complaint', 'send_mail', { ...mail, to: 'ann@example.com,mallory@evil.example' }, /invalid_format/],
  ['complaint', 'send_mail', { ...mail, bcc: 'mallory@evil.example' }, /unrecognized_keys/],
];
for (const [kind, tool, input, reason] of hostile) {
  await assert.rejects(callTool(task(kind), tool, input, world), { message: 'This action is not possible.' });
  const { tool: logged, reason: why, userId } = refusals.pop();
  assert.deepEqual([logged, userId], [tool, 'ann']);
  assert.match(why, reason);
}
assert.deepEqual(run, []);
