// Registers and signs in with an authenticator made of node:crypto, and then changes one thing at a time.
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { finishRegistration, finishSignIn, Refused, startRegistration, startSignIn } from './src/passkeys.ts';

const ORIGIN = 'https://example.com';
const USER_VERIFIED = 0x04;
const sha256 = (data) => createHash('sha256').update(data).digest();
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const point = publicKey.export({ format: 'jwk' });
const cose = Buffer.concat([
  Buffer.from('a5010203262001215820', 'hex'),
  Buffer.from(point.x, 'base64url'),
  Buffer.from('225820', 'hex'),
  Buffer.from(point.y, 'base64url'),
]);
const credentialId = Buffer.from('a-passkey-of-32-bytes-0123456789');
const id = credentialId.toString('base64url');
let signatures = 0;

function statement(type, challenge, change, flags, attested = Buffer.alloc(0)) {
  const client = Buffer.from(JSON.stringify({ type, challenge, origin: change.origin ?? ORIGIN, crossOrigin: false }));
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(++signatures);
  const given = Buffer.from([change.flags ?? flags]);
  return { client, data: Buffer.concat([sha256(change.rpId ?? 'example.com'), given, counter, attested]) };
}

function registration(challenge, change = {}) {
  const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, cose]);
  const { client, data } = statement('webauthn.create', challenge, change, 0x45, attested);
  const attestation = Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
    Buffer.from([data.length]),
    data,
  ]);
  const response = {
    clientDataJSON: client.toString('base64url'),
    attestationObject: attestation.toString('base64url'),
  };
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
}

function signIn(challenge, change = {}) {
  const { client, data } = statement('webauthn.get', challenge, change, 0x01 | USER_VERIFIED);
  const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url');
  const response = {
    clientDataJSON: client.toString('base64url'),
    authenticatorData: data.toString('base64url'),
    signature,
  };
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
}

const challenges = new Map();
const passkeys = new Map();
const store = {
  saveChallenge: async (key, challenge) => void challenges.set(key, challenge),
  takeChallenge: async (key) => {
    const challenge = challenges.get(key);
    challenges.delete(key);
    return challenge;
  },
  findPasskey: async (key) => passkeys.get(key),
  addPasskey: async (passkey) => {
    if (passkeys.has(passkey.id)) throw new Error('The column is unique.');
    passkeys.set(passkey.id, passkey);
  },
  saveCounter: async (key, counter) => void Object.assign(passkeys.get(key) ?? {}, { counter }),
};

const ann = { id: 'ann', name: 'ann@example.com' };
const register = async (change) => {
  const { challenge } = await startRegistration(store, 's1', ann);
  await finishRegistration(store, 's1', ann.id, registration(challenge, change));
};
const attempt = async (change) => {
  const { challenge } = await startSignIn(store, 's1');
  return finishSignIn(store, 's1', signIn(challenge, change));
};

const changes = [{ origin: 'https://example.org' }, { rpId: 'example.org' }];
for (const change of [...changes, { flags: 0x41 }]) await assert.rejects(register(change), Refused);
assert.equal(passkeys.size, 0);
await register();
await assert.rejects(register(), /unique/);
assert.equal(await attempt(), 'ann');
assert.equal(passkeys.get(id)?.counter, signatures);

for (const change of [...changes, { flags: 0x01 }]) await assert.rejects(attempt(change), Refused);

const { challenge } = await startSignIn(store, 's1');
const valid = signIn(challenge);
assert.equal(await finishSignIn(store, 's1', valid), 'ann');
await assert.rejects(finishSignIn(store, 's1', valid), Refused, 'the same response works twice');

await startSignIn(store, 's2');
const other = signIn((await startSignIn(store, 's1')).challenge);
await assert.rejects(finishSignIn(store, 's2', other), Refused, 'a challenge of another session works');

const changed = signIn((await startSignIn(store, 's1')).challenge);
const bytes = Buffer.from(changed.response.signature, 'base64url');
bytes[bytes.length - 1] = bytes[bytes.length - 1] ^ 1;
changed.response.signature = bytes.toString('base64url');
await assert.rejects(finishSignIn(store, 's1', changed), Refused, 'a changed signature works');

const unknown = signIn((await startSignIn(store, 's1')).challenge);
await assert.rejects(finishSignIn(store, 's1', { ...unknown, id: 'AAAA', rawId: 'AAAA' }), Refused);
assert.equal(await attempt(), 'ann');
