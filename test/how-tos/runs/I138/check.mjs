// Calls the tool as an agent would: with approval, without it, over budget and with changed arguments.
import assert from 'node:assert/strict';
import { state } from './application.js';
import { callTool, payInvoice } from './block_1.ts';

const invoice = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const taskWith = (change = {}) => ({
  id: 't',
  userId: 'ann',
  startedAt: Date.now(),
  steps: 0,
  costCents: 0,
  ...change,
});
const call = (task, input = { invoice }) => callTool(task, payInvoice(task), input);

await call(taskWith());
assert.deepEqual(state.asked, [['ann', 'Pay 12.50 EUR to Example Ltd']]);
assert.deepEqual(state.paid.splice(0), [[invoice, { payee: 'Example Ltd', cents: 1250 }]]);

state.approves = false;
assert.deepEqual(await call(taskWith()), { refused: 'The user declined.' });
assert.equal(state.records.at(-1).approved, false);
state.approves = true;
for (const spent of [{ steps: 20 }, { startedAt: Date.now() - 601_000 }, { costCents: 201 }])
  await assert.rejects(call(taskWith(spent)), /budget/);
for (const input of [{ invoice, payee: 'Mallory' }, { invoice: '1' }, {}, { invoice, cents: 1 }])
  await assert.rejects(call(taskWith(), input));
await assert.rejects(call(taskWith({ userId: 'bob' })), /no such invoice/);
const unknown = { ...payInvoice(taskWith()), effect: 'harmless' };
await assert.rejects(callTool(taskWith(), unknown, { invoice }), /no known effect/);
state.stopsMeanwhile = true;
await assert.rejects(call(taskWith()), /switched off/);
await assert.rejects(call(taskWith()), /switched off/);
assert.deepEqual(state.paid, []);
