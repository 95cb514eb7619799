// Registers and signs in and then changes one thing at a time.
import assert from 'node:assert/strict';
import { finishRegistration, finishSignIn, Refused, startRegistration, startSignIn } from './src/passkeys.ts';
import { newPasskey } from './support/authenticator.mjs';

const passkey = newPasskey();

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
  await finishRegistration(store, 's1', ann.id, passkey.register(challenge, change));
};
const attempt = async (change) => {
  const { challenge } = await startSignIn(store, 's1');
  return finishSignIn(store, 's1', passkey.signIn(challenge, change));
};

const changes = [{ origin: 'https://example.org' }, { rpId: 'example.org' }];
for (const change of [...changes, { verified: false }]) await assert.rejects(register(change), Refused);
assert.equal(passkeys.size, 0);
await register();
await assert.rejects(register(), /unique/);
assert.equal(await attempt(), 'ann');
assert.equal(passkeys.get(passkey.id)?.counter, passkey.counter());

for (const change of [...changes, { verified: false }]) await assert.rejects(attempt(change), Refused);

const { challenge } = await startSignIn(store, 's1');
const valid = passkey.signIn(challenge);
assert.equal(await finishSignIn(store, 's1', valid), 'ann');
await assert.rejects(finishSignIn(store, 's1', valid), Refused, 'the same response works twice');

await startSignIn(store, 's2');
const other = passkey.signIn((await startSignIn(store, 's1')).challenge);
await assert.rejects(finishSignIn(store, 's2', other), Refused, 'a challenge of another session works');

const changed = passkey.signIn((await startSignIn(store, 's1')).challenge, { signature: false });
await assert.rejects(finishSignIn(store, 's1', changed), Refused, 'a changed signature works');

const unknown = passkey.signIn((await startSignIn(store, 's1')).challenge);
await assert.rejects(finishSignIn(store, 's1', { ...unknown, id: 'AAAA', rawId: 'AAAA' }), Refused);
assert.equal(await attempt(), 'ann');
