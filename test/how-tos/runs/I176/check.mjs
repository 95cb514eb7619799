// Stores, uses and revokes tokens with a server that binds keys to their encryption context, as AWS KMS documents it.
import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const MASTER = randomBytes(32);
const REGION = 'eu-central-1';
const calls = [];
const additional = (context) =>
  Buffer.from(
    JSON.stringify(
      Object.keys(context ?? {})
        .sort()
        .map((name) => [name, context[name]]),
    ),
  );
const kms = {
  GenerateDataKey({ KeyId, KeySpec, EncryptionContext }) {
    assert.equal(KeyId, process.env.VAULT_KEY);
    assert.equal(KeySpec, 'AES_256');
    const key = randomBytes(32);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', MASTER, iv).setAAD(additional(EncryptionContext));
    const blob = Buffer.concat([iv, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
    return { KeyId, Plaintext: key.toString('base64'), CiphertextBlob: blob.toString('base64') };
  },
  Decrypt({ CiphertextBlob, EncryptionContext }) {
    const blob = Buffer.from(CiphertextBlob, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', MASTER, blob.subarray(0, 12)).setAAD(
      additional(EncryptionContext),
    );
    decipher.setAuthTag(blob.subarray(-16));
    const key = Buffer.concat([decipher.update(blob.subarray(12, -16)), decipher.final()]);
    return { KeyId: process.env.VAULT_KEY, Plaintext: key.toString('base64') };
  },
};
async function answer(request, response) {
  const action = request.headers['x-amz-target'].split('.')[1];
  const body = JSON.parse(Buffer.concat(await request.toArray()));
  calls.push({ action, body });
  response.setHeader('content-type', 'application/x-amz-json-1.1');
  try {
    response.end(JSON.stringify(kms[action](body)));
  } catch {
    response.writeHead(400).end(JSON.stringify({ __type: 'InvalidCiphertextException' }));
  }
}
const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
await once(server, 'listening');
Object.assign(process.env, {
  AWS_REGION: REGION,
  AWS_ACCESS_KEY_ID: 'AKIDCHECK',
  AWS_SECRET_ACCESS_KEY: 'of-the-check',
  AWS_ENDPOINT_URL_KMS: `http://127.0.0.1:${server.address().port}`,
  VAULT_KEY: `arn:aws:kms:${REGION}:111122223333:key/check`,
  PARTNER_CLIENT: 'Y2xpZW50OnNlY3JldA==',
});

const rows = new Map();
const used = [];
globalThis.db = {
  async saveToken(row) {
    rows.set(`${row.customer}/${row.connection}`, row);
  },
  async loadToken(customer, connection) {
    return rows.get(`${customer}/${connection}`);
  },
  async deleteToken(customer, connection) {
    rows.delete(`${customer}/${connection}`);
  },
  async markUsed(customer, connection) {
    used.push(`${customer}/${connection}`);
  },
};

/** The other system: tokens that it accepts. */
const valid = new Set(['token-of-ann', 'token-of-bob']);
const received = [];
let broken = false;
globalThis.fetch = async (url, { method = 'GET', headers, body, redirect, signal }) => {
  assert.equal(new URL(url).origin, 'https://api.partner.example');
  assert.equal(redirect, 'error');
  assert.ok(signal instanceof AbortSignal);
  received.push({ method, path: url.pathname, authorization: headers.authorization, token: body?.get('token') });
  if (broken) return new Response('', { status: 503 });
  if (url.pathname === '/oauth/revoke') {
    assert.equal(headers.authorization, `Basic ${process.env.PARTNER_CLIENT}`);
    valid.delete(body.get('token'));
    return new Response('');
  }
  const token = headers.authorization.replace('Bearer ', '');
  return valid.has(token) ? Response.json([token.slice(9)]) : new Response('', { status: 401 });
};

const vault = await import('./block_1.ts');
assert.deepEqual(Object.keys(vault).sort(), ['listInvoices', 'revoke', 'store']);
const logged = [];
for (const name of ['log', 'error', 'warn', 'info']) console[name] = (...words) => logged.push(words.join(' '));
await vault.store('ann', 'books', 'token-of-ann');
await vault.store('bob', 'books', 'token-of-bob');
assert.deepEqual(await vault.listInvoices('ann', 'books'), ['ann']);
assert.deepEqual(await vault.listInvoices('bob', 'books'), ['bob']);
assert.deepEqual(used, ['ann/books', 'bob/books']);
assert.deepEqual(calls[0].body.EncryptionContext, { customer: 'ann', connection: 'books' });

const [ann, bob] = [rows.get('ann/books'), rows.get('bob/books')];
for (const field of ['wrappedKey', 'iv', 'sealed'])
  assert.notEqual(Buffer.from(ann[field]).toString('hex'), Buffer.from(bob[field]).toString('hex'), field);
const text = JSON.stringify(
  [...rows.values()].map((row) =>
    [row.wrappedKey, row.iv, row.sealed].map((part) => Buffer.from(part).toString('latin1')),
  ),
);
assert.ok(!text.includes('token-of'));
await vault.store('ann', 'other', 'token-of-ann');
assert.notDeepEqual(rows.get('ann/other').sealed, ann.sealed);

const InvalidCiphertext = { name: 'InvalidCiphertextException' };
rows.set('bob/books', ann);
await assert.rejects(vault.listInvoices('bob', 'books'), InvalidCiphertext);
rows.set('ann/other', ann);
await assert.rejects(vault.listInvoices('ann', 'other'), InvalidCiphertext);
// Key of one row, token of another one; and a changed token.
rows.set('bob/books', { ...bob, sealed: ann.sealed, iv: ann.iv });
await assert.rejects(vault.listInvoices('bob', 'books'), /authenticate/);
const changed = Buffer.from(bob.sealed);
changed[0] ^= 1;
rows.set('bob/books', { ...bob, sealed: changed });
await assert.rejects(vault.listInvoices('bob', 'books'), /authenticate/);
rows.set('bob/books', bob);

broken = true;
await assert.rejects(vault.revoke('ann', 'books'), /did not revoke/);
assert.ok(rows.has('ann/books'), 'The token would stay valid, and nobody could revoke it.');
broken = false;
await vault.revoke('ann', 'books');
assert.equal(received.at(-1).token, 'token-of-ann');
assert.ok(!rows.has('ann/books') && !valid.has('token-of-ann'));
await assert.rejects(vault.listInvoices('ann', 'books'));
assert.deepEqual(await vault.listInvoices('bob', 'books'), ['bob']);
assert.deepEqual(logged, []);
server.close();
server.closeAllConnections();
