// Exchanges tokens at a server that grants what is asked, and at one that grants too much.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeJwt, SignJWT } from 'jose';
import { startProvider } from './support/openid-provider.mjs';

const requests = [];
let lifetime = 300;
const provider = await startProvider(async (form, headers) => {
  const credentials = decodeURIComponent(atob(headers.get('authorization').replace(/^Basic /, '')));
  requests.push({ ...Object.fromEntries(form), credentials });
  if (form.get('subject_token') !== 'token-of-ann') return Response.json({ error: 'invalid_request' }, { status: 400 });
  const token = await new SignJWT({ scope: form.get('scope'), act: { sub: 'agent' } })
    .setProtectedHeader({ alg: 'RS256' })
    .setAudience(form.getAll('audience'))
    .setSubject('ann')
    .setExpirationTime(`${lifetime ?? 3_600}s`)
    .sign(provider.privateKey);
  const type = 'urn:ietf:params:oauth:token-type:access_token';
  const answer = { access_token: token, token_type: 'Bearer', issued_token_type: type };
  return Response.json(lifetime === undefined ? answer : { ...answer, expires_in: lifetime });
});

// The code reads two secrets, which a check can only put into a folder of its own.
let code = await readFile('block_1.ts', 'utf8');
for (const [place, secret] of [
  ['/run/secrets/agent-runtime', 's3cret'],
  ['/var/run/secrets/tokens/agent', 'identity-of-the-agent'],
]) {
  assert.ok(code.includes(`'${place}'`));
  const file = path.resolve(path.basename(place));
  await writeFile(file, secret);
  code = code.replace(`'${place}'`, JSON.stringify(file));
}
await writeFile('here.ts', code);
const { tokenForTool, TOOLS } = await import('./here.ts');

const ann = { accessToken: 'token-of-ann' };
for (const tool of Object.values(TOOLS)) {
  const { aud, scope, act } = decodeJwt(await tokenForTool(ann, tool));
  assert.deepEqual(
    { aud: [aud].flat(), scope, act },
    { aud: [tool.audience], scope: tool.scope, act: { sub: 'agent' } },
  );
}
assert.equal(new Set(Object.values(TOOLS).map(({ scope }) => scope)).size, Object.keys(TOOLS).length);
assert.deepEqual(requests[0], {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: 'token-of-ann',
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  actor_token: 'identity-of-the-agent',
  actor_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  audience: 'https://orders.internal',
  scope: 'orders:read',
  credentials: 'agent-runtime:s3cret',
});
// The kubelet renews the agent's token.
await writeFile('agent', 'renewed');
await tokenForTool(ann, TOOLS.readOrders);
assert.equal(requests.at(-1).actor_token, 'renewed');

await assert.rejects(tokenForTool({ accessToken: 'expired' }, TOOLS.readOrders));
for (lifetime of [301, 3_600, undefined])
  await assert.rejects(tokenForTool(ann, TOOLS.readOrders), /lives too long/, String(lifetime));
