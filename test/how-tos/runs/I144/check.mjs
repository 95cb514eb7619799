// Registers passkeys and signs in with them, and then changes one thing at a time.
import assert from 'node:assert/strict';
import { list, register, registrationOptions, remove, signIn, signInOptions } from './block_1.ts';
import { rows } from './passkeys.js';
import { newPasskey } from './support/authenticator.mjs';

const user = (id) => ({ id, email: `${id}@example.com`, passkeys: rows.filter(({ userId }) => userId === id) });
/** What an operation that must not succeed returns or throws. */
const refused = async (promise) => assert.ok([false, undefined].includes(await promise.catch(() => false)));

async function add(name, passkey, change) {
  const session = {};
  const { challenge } = await registrationOptions(user(name), session);
  return register(user(name), passkey.register(challenge, change), session);
}
async function attempt(name, passkey, change) {
  const session = {};
  const { challenge } = await signInOptions(session);
  return signIn(passkey.signIn(challenge, { user: name, ...change }), session);
}

const [phone, key, others] = [newPasskey(), newPasskey(), newPasskey()];
const changes = [{ origin: 'https://example.org' }, { rpId: 'example.org' }, { verified: false }];
for (const change of changes) await refused(add('ann', phone, change));
assert.equal(rows.length, 0);
for (const passkey of [phone, key]) assert.equal(await add('ann', passkey), true);
assert.equal(await add('bob', others), true);
assert.deepEqual(
  (await list(user('ann'))).map(({ id }) => id),
  [phone.id, key.id],
);
const { excludeCredentials, authenticatorSelection } = await registrationOptions(user('ann'), {});
assert.deepEqual(
  excludeCredentials.map(({ id }) => id),
  [phone.id, key.id],
);
assert.equal(authenticatorSelection.userVerification, 'required');

for (const passkey of [phone, key]) assert.equal(await attempt('ann', passkey), 'ann');
assert.equal(rows[0].counter, phone.counter());
for (const change of [...changes, { signature: false }, { counter: 1 }, { user: 'bob' }, { user: undefined }])
  await refused(attempt('ann', phone, change));
await refused(attempt('ann', newPasskey()));

// A response counts once, and only for the session that has its challenge.
const [session, stolen] = [{}, {}];
const response = phone.signIn((await signInOptions(session)).challenge, { user: 'ann' });
await signInOptions(stolen);
await refused(signIn(response, stolen));
assert.equal(await signIn(response, session), 'ann');
await refused(signIn(response, session));
// A challenge is used up by a response that fails, too.
const second = {};
const { challenge } = await signInOptions(second);
await refused(signIn(phone.signIn(challenge, { user: 'ann', signature: false }), second));
await refused(signIn(phone.signIn(challenge, { user: 'ann' }), second));
const first = {};
const begun = await registrationOptions(user('ann'), first);
const laptop = newPasskey().register(begun.challenge);
assert.equal(await register(user('ann'), laptop, first), true);
await refused(register(user('ann'), laptop, first));
await remove(user('ann'), laptop.id);

assert.equal(await remove(user('ann'), others.id), false);
assert.equal(await remove(user('ann'), phone.id), true);
await refused(attempt('ann', phone));
assert.equal(await remove(user('ann'), key.id), false);
assert.equal(await attempt('ann', key), 'ann');
assert.equal(await attempt('bob', others), 'bob');
