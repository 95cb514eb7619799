// Steps up at a provider that names the level, and at one that does not.
import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { discovery } from 'openid-client';
import { compile } from './support/decorators.mjs';
import { startProvider } from './support/openid-provider.mjs';

await rename('block_1.ts', 'mfa.ts');
compile(['mfa.ts', 'block_2.ts']);
const { requireMfa } = await import('./mfa.js');
const { finishStepUp, startStepUp } = await import('./block_2.js');
const seconds = (ago) => Math.floor(Date.now() / 1000) - ago;

const levels = [
  [{ amr: ['otp'] }, false, false],
  [{ amr: ['fpt', 'hwk', 'pwd'] }, false, false],
  [{ amr: ['pwd', 'mfa'] }, true, false],
  [{ acr: 'unknown' }, false, false],
  [{}, false, false],
  [{ acr: 'phr' }, true, true],
  [{ acr: 'phrh' }, true, true],
  [{ acr: 'http://schemas.openid.net/pape/policies/2007/06/multi-factor' }, true, false],
];
for (const [level, user, administrator] of levels) {
  const claims = { ...level, auth_time: seconds(0) };
  for (const [isAdministrator, accepted] of [
    [false, user],
    [true, administrator],
  ]) {
    const check = () => requireMfa(claims, 300, isAdministrator);
    if (accepted) check();
    else assert.throws(check, /second factor|passkey/, JSON.stringify(claims));
  }
}
assert.throws(() => requireMfa({ acr: 'phr', auth_time: seconds(600) }, 300, false), /Sign in again/);
assert.throws(() => requireMfa({ acr: 'phr' }, 300, false), /Sign in again/);

const provider = await startProvider();
const config = await discovery(new URL('https://login.example.com'), 'shop', 'secret');
async function stepUp(claims, { user = 'ann', administrator = true, foreign } = {}) {
  const { url, pending } = await startStepUp(config);
  const asked = Object.fromEntries(url.searchParams);
  assert.deepEqual([asked.acr_values, asked.max_age, asked.prompt], ['phrh phr', '300', 'login']);
  const callback = provider.signIn(url, user, { auth_time: seconds(0), foreign, ...claims });
  await finishStepUp(config, callback, pending, 'ann', administrator);
}
await stepUp({ acr: 'phr' });
await stepUp({ amr: ['pwd', 'mfa'] }, { administrator: false });
await assert.rejects(stepUp({ amr: ['pwd', 'mfa'] }), /passkey/);
await assert.rejects(stepUp({}, { administrator: false }), /second factor/);
await assert.rejects(stepUp({ acr: 'phr' }, { user: 'bob' }), /same account/);
await assert.rejects(stepUp({ acr: 'phr', auth_time: seconds(600) }));
await assert.rejects(stepUp({ acr: 'phr', auth_time: undefined }));
await assert.rejects(stepUp({ acr: 'phr', nonce: 'x' }));
