// Cancels a contract as a client of the SDK does, whose user agrees or not, and then with messages of an attacker.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { contractServer } from './src/cancel-contract.ts';

const key = randomBytes(32);
const used = new Set();
const cancelled = [];
const log = [];
let monthsLeft = 7;
const contracts = {
  get: async (userId, id) => {
    if (!['ann', 'amy'].includes(userId)) throw new Error('There is no such contract.');
    return { id, partner: 'Example Ltd', monthsLeft };
  },
  cancel: async (userId, id) => cancelled.push([userId, id]),
  useOnce: async (id) => !used.has(id) && Boolean(used.add(id)),
  log: async (entry) => log.push(entry),
};
const MANAGER = new Set(['contract.cancel']);
const callerOf = (request) => {
  const userId = request.headers.get('x-user');
  return { userId, permissions: userId === 'amy' ? new Set() : MANAGER };
};
const handle = (request) => createMcpHandler(() => contractServer(callerOf(request), contracts, key)).fetch(request);

const bodies = [];
async function clientOf(user, decide) {
  const client = new Client(
    { name: 'check', version: '1.0.0' },
    { capabilities: decide ? { elicitation: {} } : {}, versionNegotiation: { mode: 'auto' } },
  );
  if (decide) client.setRequestHandler('elicitation/create', async ({ params }) => decide(params.message));
  const transport = new StreamableHTTPClientTransport(new URL('https://mcp.example.com/mcp'), {
    requestInit: { headers: { 'x-user': user } },
    fetch: (url, init) => {
      bodies.push(init?.body);
      return handle(new Request(url, init));
    },
  });
  await client.connect(transport);
  return client;
}
const cancel = { name: 'cancel_contract', arguments: { contract: '7' } };
const shown = [];
const agrees = (message) => shown.push(message) && { action: 'accept', content: { confirm: true } };

const ann = await clientOf('ann', agrees);
assert.match(JSON.stringify(await ann.callTool(cancel)), /was canceled/);
assert.deepEqual(cancelled.splice(0), [['ann', '7']]);
assert.deepEqual(shown, ['Cancel contract 7 with Example Ltd, which has 7 months left? This is final.']);
assert.match(log.at(-1).result, /^confirmed: Cancel contract 7/);

for (const answer of [{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: { confirm: false } }]) {
  const client = await clientOf('ann', () => answer);
  assert.match(JSON.stringify(await client.callTool(cancel)), /not canceled/);
  assert.equal(log.at(-1).result, 'refused');
}
const mute = await clientOf('ann');
await assert.rejects(mute.callTool(cancel));

const amy = await clientOf('amy', agrees);
assert.deepEqual(
  (await amy.listTools()).tools.map(({ name }) => name),
  ['get_contract'],
);
await assert.rejects(amy.callTool(cancel));
assert.match(JSON.stringify(await amy.callTool({ ...cancel, name: 'get_contract' })), /Example/);
const bob = await clientOf('bob', agrees);
assert.match(JSON.stringify(await bob.callTool(cancel)), /"isError":true/);
assert.deepEqual(cancelled, []);

// The last message of the client that agreed has the answer and the state of the server. An attacker sends it again.
const confirmed = bodies.map((body) => body && JSON.parse(body)).find((body) => body?.params?.requestState);
async function send(change, user = 'ann') {
  const params = { ...confirmed.params, ...change };
  const response = await handle(
    new Request('https://mcp.example.com/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'cancel_contract',
        'x-user': user,
      },
      body: JSON.stringify({ ...confirmed, params }),
    }),
  );
  return response.text();
}
assert.match(await send({}), /not canceled/);
assert.match(await send({ arguments: { contract: '8' } }), /input_required/);
assert.match(await send({ requestState: undefined }), /input_required/);
monthsLeft = 8;
assert.match(await send({}), /input_required/);
monthsLeft = 7;
assert.match(await send({ requestState: `${confirmed.params.requestState.slice(0, -2)}AA` }), /invalid_request_state/);
assert.match(await send({}, 'cat'), /invalid_request_state/);
assert.match(await send({ arguments: { contract: '7', user: 'bob' } }), /"isError":true|"error"/);
assert.deepEqual(cancelled, []);
