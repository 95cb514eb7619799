// A model that never stops by itself, alone and with other agents, against each limit and the switch.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS, runAgent, runTask, setStopSwitch } from './src/agent-loop.ts';

assert.deepEqual(LIMITS, { steps: 25, toolCalls: 50, milliseconds: 600_000, cents: 100 });
const state = { on: false, steps: 0, calls: 0, waiting: 0, last: '' };
const store = { isOn: async () => state.on, set: async (on) => (state.on = on) };
const tools = {
  look: async () => `${(state.calls += 1)}`,
  delegate: async (_input, budget) => runAgent(endless(1, 'delegate'), tools, 'again', budget),
  wait: async (_input, { signal }) => {
    state.waiting += 1;
    await sleep(3_600_000, undefined, { signal });
    return 'never';
  },
  hang: () => new Promise(() => {}),
};
const endless = (callsPerStep, tool = 'look', cents = 1) => ({
  centsFor: () => cents,
  next: async (messages) => {
    state.steps += 1;
    state.last = messages.at(-1);
    return { calls: Array.from({ length: callsPerStep }, () => ({ tool, input: {} })), text: '' };
  },
});
async function used(model, expected) {
  Object.assign(state, { steps: 0, calls: 0 });
  assert.equal(await runTask(model, tools, 'Do it.', store), 'The task needed more than is allowed and was ended.');
  assert.deepEqual([state.steps, state.calls], expected);
}
await used(endless(1), [25, 25]);
await used(endless(10), [6, 50]);
await used(endless(1, 'look', 30), [3, 3]);
await used(endless(1, 'look', Number.NaN), [0, 0]);
await used(endless(1, 'look', -5), [0, 0]);
await used(endless(2, 'delegate'), [25, 0]);
await used(endless(1, 'toString'), [25, 0]);
assert.equal(state.last, 'There is no such tool.');

let turns = 0;
const normal = {
  centsFor: () => 2,
  next: async () => ({ calls: (turns += 1) < 4 ? [{ tool: 'look', input: {} }] : [], text: 'Done.' }),
};
assert.equal(await runTask(normal, tools, 'Do it.', store), 'Done.');

// The deadline, with a shorter one of the same kind: for a tool that ends when it is told to, and for one that hangs.
const short = { ...LIMITS, milliseconds: 50 };
for (const tool of ['wait', 'hang'])
  assert.equal(await runTask(endless(1, tool), tools, 'Do it.', store, short), 'The task took too long and was ended.');

state.waiting = 0;
const running = [endless(1, 'wait'), endless(1, 'wait')].map((model) => runTask(model, tools, 'Do it.', store));
while (state.waiting < running.length) await sleep(10);
await assert.rejects(setStopSwitch(store, true, 'u-2000'), /may not/);
assert.equal(state.on, false);
await setStopSwitch(store, true, 'u-1001');
const stopped = performance.now();
for (const answer of await Promise.all(running)) assert.equal(answer, 'Agents are switched off at the moment.');
assert.ok(performance.now() - stopped < 10_000);
Object.assign(state, { steps: 0, calls: 0 });
assert.equal(await runTask(normal, tools, 'Do it.', store), 'Agents are switched off at the moment.');
assert.deepEqual([state.steps, state.calls], [0, 0]);
await assert.rejects(setStopSwitch(store, false, 'u-2000'), /may not/);
await setStopSwitch(store, false, 'u-1002');
assert.equal(await runTask(normal, tools, 'Do it.', store), 'Done.');
