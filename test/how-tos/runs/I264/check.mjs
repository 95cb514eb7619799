// Sends messages of the protocol as a client would, with tokens of the issuer and with others.
import assert from 'node:assert/strict';
import { generateKeyPair, SignJWT } from 'jose';
import { handle } from './src/mcp.ts';
import { toolCall } from './support/mcp.mjs';

const { privateKey, publicKey } = await generateKeyPair('ES256');
const foreign = await generateKeyPair('ES256');
const calls = [];
const invoices = {
  get: async (userId, invoiceId) => {
    calls.push(`${userId} reads ${invoiceId}`);
    if (userId !== 'ann') throw new Error('There is no such invoice.');
    return { id: invoiceId, total: 12 };
  },
  addNote: async (userId, invoiceId, note) => {
    calls.push(`${userId} adds ${note} to ${invoiceId}`);
    return {};
  },
};

const tokenWith = ({ user = 'ann', audience = 'https://mcp.example.com/mcp', ...other } = {}) =>
  new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', typ: other.typ ?? 'at+jwt' })
    .setSubject(user)
    .setAudience(audience)
    .setIssuer(other.issuer ?? 'https://login.example.com/')
    .setExpirationTime(other.expires ?? '5m')
    .sign(other.key ?? privateKey);

async function call(token, name, input, headers = {}) {
  const response = await handle(toolCall(token, name, input, headers), invoices, async () => publicKey);
  return { status: response.status, text: await response.text() };
}

const ann = await tokenWith();
const read = await call(ann, 'get_invoice', { id: '7' });
assert.equal(read.status, 200, read.text);
assert.match(read.text, /\\"total\\":12/);
await call(ann, 'add_note', { id: '7', note: 'paid' });
assert.deepEqual(calls.splice(0), ['ann reads 7', 'ann adds paid to 7']);

const others = await call(await tokenWith({ user: 'bob' }), 'get_invoice', { id: '7' });
assert.match(others.text, /"isError":true/);
assert.doesNotMatch(others.text, /total/);
assert.deepEqual(calls.splice(0), ['bob reads 7']);

const hostile = [{ id: "7' OR 1=1" }, { id: '7', user: 'bob' }, { id: ['7'] }, {}, { id: '../7' }];
for (const input of hostile) assert.match((await call(ann, 'get_invoice', input)).text, /"(?:isError":true|error":\{)/);
assert.match((await call(ann, 'add_note', { id: '7', note: 'n'.repeat(501) })).text, /"(?:isError":true|error":\{)/);

const refused = [
  { audience: 'https://other.example.com/mcp' },
  { issuer: 'https://login.example.org/' },
  { typ: 'JWT' },
  { expires: '-1m' },
  { key: foreign.privateKey },
  { user: '' },
];
for (const token of refused) assert.equal((await call(await tokenWith(token), 'get_invoice', { id: '7' })).status, 401);
assert.equal((await call(undefined, 'get_invoice', { id: '7' })).status, 401);
assert.equal((await call(ann, 'get_invoice', { id: '7' }, { Origin: 'https://evil.example' })).status, 403);
assert.equal((await call(ann, 'get_invoice', { id: '7' }, { Origin: 'https://app.example.com' })).status, 200);
assert.deepEqual(calls, ['ann reads 7']);
