import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { mock } from 'node:test';
import { promisify } from 'node:util';
import { protos } from '@google-cloud/secret-manager';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';

const { AccessSecretVersionRequest, AccessSecretVersionResponse } = protos.google.cloud.secretmanager.v1;
const commands = readFileSync('commands.txt', 'utf8').trim().split('\n');
const optionsOf = (command) =>
  Object.fromEntries([...command.matchAll(/--([\w-]+)=(\S+)/g)].map(([, ...pair]) => pair));
const found = (start) => commands.filter((command) => command.startsWith(start));

// What the commands made: one secret, its readers, and the service with its account and its environment.
const [secretName] = found('secrets create ').map((command) => command.split(' ')[2]);
const readers = found(`secrets add-iam-policy-binding ${secretName} `)
  .map(optionsOf)
  .filter(({ role }) => role === 'roles/secretmanager.secretAccessor')
  .map(({ member }) => member.replace('serviceAccount:', ''));
assert.deepEqual(found('projects add-iam-policy-binding'), [], 'A role in the project covers every secret.');
const [deployed] = found('run deploy orders ').map(optionsOf);
const environment = Object.fromEntries(deployed['set-env-vars'].split(',').map((pair) => pair.split('=')));
assert.ok(!commands.join('\n').includes('key-of-payments'));
const PROJECT = 'projects/shop-prod/secrets';
const versions = new Map([
  [`${PROJECT}/${secretName}/versions/1`, readFileSync('stored.txt')],
  [`${PROJECT}/${secretName}/versions/2`, Buffer.from('new-key')],
  [`${PROJECT}/${secretName}/versions/3`, Buffer.alloc(0)],
  [`${PROJECT}/session-key/versions/1`, Buffer.from('of-another-service')],
]);

const log = [];
function access({ request: { name }, metadata }, done) {
  const account = /^Bearer token-of-(.+)$/.exec(metadata.get('authorization')[0])?.[1];
  log.push({ account, name });
  const allowed = name.startsWith(`${PROJECT}/${secretName}/`) && readers.includes(account);
  if (!allowed) return done({ code: status.PERMISSION_DENIED });
  const data = versions.get(name);
  if (data === 'disabled') return done({ code: status.FAILED_PRECONDITION });
  return data ? done(undefined, { name, payload: { data } }) : done({ code: status.NOT_FOUND });
}
const server = new Server();
server.addService(
  {
    AccessSecretVersion: {
      path: '/google.cloud.secretmanager.v1.SecretManagerService/AccessSecretVersion',
      requestStream: false,
      responseStream: false,
      requestDeserialize: (bytes) => AccessSecretVersionRequest.decode(bytes),
      requestSerialize: (value) => Buffer.from(AccessSecretVersionRequest.encode(value).finish()),
      responseDeserialize: (bytes) => AccessSecretVersionResponse.decode(bytes),
      responseSerialize: (value) => Buffer.from(AccessSecretVersionResponse.encode(value).finish()),
    },
  },
  { AccessSecretVersion: access },
);
const pair = { private_key: readFileSync('server.key'), cert_chain: readFileSync('server.pem') };
await promisify(server.bindAsync.bind(server))('127.0.0.1:443', ServerCredentials.createSsl(null, [pair]));

let account = deployed['service-account'];
const metadata = createServer((request, response) => {
  const known = request.url.includes('/service-accounts/default/token');
  response.writeHead(known ? 200 : 404, { 'metadata-flavor': 'Google', 'content-type': 'application/json' });
  response.end(known ? JSON.stringify({ access_token: `token-of-${account}`, expires_in: 86_400 }) : '{}');
}).listen(0, '127.0.0.1');
await once(metadata, 'listening');
Object.assign(process.env, environment, {
  GCE_METADATA_HOST: `127.0.0.1:${metadata.address().port}`,
  METADATA_SERVER_DETECTION: 'assume-present',
});

const { secret } = await import('./block_1.ts');
mock.timers.enable({ apis: ['Date'], now: Date.now() });
const pinned = process.env.PAYMENT_KEY_VERSION;
assert.equal(await secret('payment-api-key', pinned), 'key-of-payments');
assert.equal(await secret('payment-api-key', pinned), 'key-of-payments');
assert.deepEqual(log, [
  { account: 'orders@shop-prod.iam.gserviceaccount.com', name: `${PROJECT}/payment-api-key/versions/1` },
]);
// A new version changes nothing until the configuration names it.
assert.equal(await secret('payment-api-key', '2'), 'new-key');
assert.equal(await secret('payment-api-key', pinned), 'key-of-payments');
await assert.rejects(secret('payment-api-key', '3'), /is empty/);
await assert.rejects(secret('payment-api-key', '4'), { code: status.NOT_FOUND });
await assert.rejects(secret('session-key', '1'), { code: status.PERMISSION_DENIED });

versions.set(`${PROJECT}/payment-api-key/versions/1`, 'disabled');
mock.timers.setTime(Date.now() + 9 * 60_000);
assert.equal(await secret('payment-api-key', pinned), 'key-of-payments');
mock.timers.setTime(Date.now() + 61_000);
await assert.rejects(secret('payment-api-key', pinned), { code: status.FAILED_PRECONDITION });

// Deployed with another account.
for (account of ['web@shop-prod.iam.gserviceaccount.com', '123-compute@developer.gserviceaccount.com']) {
  const other = await import(`./block_1.ts?${account}`);
  await assert.rejects(other.secret('payment-api-key', '2'), { code: status.PERMISSION_DENIED });
  assert.equal(log.at(-1).account, account);
}
process.exit();
