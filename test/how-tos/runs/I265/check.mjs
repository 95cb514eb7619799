// Asks the endpoint as clients do, with tokens of the issuer and with others, and records what leaves the process.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { generateKeyPair, SignJWT } from 'jose';
import { endpoint } from './src/mcp-endpoint.ts';
import { toolCall } from './support/mcp.mjs';

const { privateKey, publicKey } = await generateKeyPair('ES256');
const foreign = await generateKeyPair('ES256');
const sent = [];
const orders = {
  read: async (userId, order) => {
    sent.push([userId, order]);
    if (userId !== 'ann') throw new Error('There is no such order.');
    return { order, total: 12 };
  },
  cancel: async (userId, order) => {
    sent.push([userId, order]);
    return { order, cancelled: true };
  },
};
const handle = endpoint(orders, async () => publicKey);

const tokenWith = (change = {}) => {
  const { user = 'ann', scope = 'orders:read', audience = 'https://mcp.example.com/mcp', ...other } = change;
  const token = new SignJWT({ scope, ...('client' in other ? {} : { client_id: 'agent' }) })
    .setProtectedHeader({ alg: 'ES256', typ: other.typ ?? 'at+jwt' })
    .setAudience(audience)
    .setIssuer(other.issuer ?? 'https://login.example.com/');
  if (user) token.setSubject(user);
  if (other.expires !== 'never') token.setExpirationTime(other.expires ?? '5m');
  return token.sign(other.key ?? privateKey);
};

async function call(token, name, input, headers = {}) {
  const response = await handle(toolCall(token, name, input, headers));
  const challenge = response.headers.get('WWW-Authenticate') ?? '';
  return { status: response.status, challenge, text: await response.text() };
}

/** A client of the SDK, whose requests the endpoint answers. */
async function clientWith(token) {
  const client = new Client({ name: 'check', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(new URL('https://mcp.example.com/mcp'), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
    fetch: (url, init) => handle(new Request(url, init)),
  });
  await client.connect(transport);
  return client;
}

const reader = await tokenWith();
const client = await clientWith(reader);
assert.match(JSON.stringify(await client.callTool({ name: 'read_order', arguments: { order: '7' } })), /total/);
await assert.rejects(client.callTool({ name: 'cancel_order', arguments: { order: '7' } }));
await client.close();
assert.equal((await call(reader, 'read_order', { order: '7' })).status, 200);
assert.deepEqual(sent.splice(0), [
  ['ann', '7'],
  ['ann', '7'],
]);

const withoutScope = await call(reader, 'cancel_order', { order: '7' });
assert.equal(withoutScope.status, 403);
assert.match(withoutScope.challenge, /error="insufficient_scope".*scope="orders:cancel"/);
const both = await tokenWith({ scope: 'orders:read orders:cancel' });
assert.match((await call(both, 'cancel_order', { order: '7' })).text, /cancelled/);
assert.deepEqual(sent.splice(0), [['ann', '7']]);

const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';
const refused = [
  { audience: 'https://other.example.com/mcp' },
  { audience: 'https://mcp.example.com' },
  { issuer: 'https://login.example.org/' },
  { typ: 'JWT' },
  { expires: '-1m' },
  { expires: 'never' },
  { key: foreign.privateKey },
  { user: '' },
  { client: undefined },
];
for (const token of [...(await Promise.all(refused.map(tokenWith))), undefined, 'x.y.z']) {
  const { status, challenge } = await call(token, 'read_order', { order: '7' });
  assert.equal(status, 401);
  assert.ok(challenge.includes(`resource_metadata="${METADATA}"`), challenge);
}
for (const origin of ['https://evil.example', 'null'])
  assert.equal((await call(reader, 'read_order', { order: '7' }, { Origin: origin })).status, 403);

const metadata = await (await handle(new Request(METADATA))).json();
assert.equal(metadata.resource, 'https://mcp.example.com/mcp');
assert.deepEqual(metadata.authorization_servers, ['https://login.example.com/']);
assert.deepEqual(metadata.scopes_supported, ['orders:read', 'orders:cancel']);
assert.deepEqual(sent, []);
