// Sends operations at each limit and beyond it, in production with registered operations and without.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const REGISTERED = '{ orders(first: 2) { title } }';
const INTROSPECTION = '{ __schema { types { name } } }';
const FAILING = '{ orders(first: 77) { title } }';
const hashOf = (text) => createHash('sha256').update(text).digest('hex');
const [hash, ...others] = [REGISTERED, INTROSPECTION, FAILING].map(hashOf);
const operations = { [hash]: REGISTERED, [others[0]]: INTROSPECTION, [others[1]]: FAILING };
await writeFile('persisted-operations.json', JSON.stringify(operations));

async function start(environment) {
  const env = { ...process.env, NODE_ENV: environment };
  const child = spawn(process.execPath, ['start.mjs'], { stdio: ['ignore', 'pipe', 'inherit'], env });
  process.on('exit', () => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: address } = await lines.next();
  const send = async (body) => {
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, ...JSON.parse(await response.text()) };
  };
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { send, stop, asked: async () => (await fetch(`${address}/asked`)).json() };
}
process.once('SIGTERM', () => process.exit(1));

const production = await start('production');
const persisted = (sha256Hash) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
assert.equal((await production.send(persisted(hash))).data.orders.length, 2);
assert.deepEqual(await production.asked(), [2]);
const refused = [
  { query: '{ orders(first: 1) { id } }' },
  { query: REGISTERED },
  { query: '{ __schema { types { name } } }' },
  { query: '{ orders(first: 1) { id } }', ...persisted(hash.replace(/./, 'x')) },
  persisted('toString'),
  persisted(others[0]),
];
for (const body of refused) {
  const { data, errors } = await production.send(body);
  assert.ok(errors.length && !data, JSON.stringify(body));
}
assert.deepEqual(await production.asked(), [2]);
assert.doesNotMatch(JSON.stringify(await production.send(persisted(others[1]))), /s3cret/);
await production.stop();

const open = await start('development');
const levels = (count, fields = 'orders(first: 1) { id }') =>
  `${'{ ... on Query '.repeat(count - 2)}{ ${fields} }${'}'.repeat(count - 2)}`;
const aliases = (count) => `{ ${Array.from({ length: count }, (_, n) => `a${n}: orders(first: 1) { id }`).join(' ')} }`;
const tokens = (count) => {
  const field = (n, ids) => `a${n}: orders(first: 1) { ${'id '.repeat(ids)} }`;
  const fields = Array.from({ length: 9 }, (_, n) => field(n, 80));
  return `{ ${fields.join(' ')} ${field(9, count - 9 * 90 - 12)} }`;
};
const first = (value) => ({ query: `{ orders(first: ${value}) { id } }` });

assert.equal((await open.send(first(100))).data.orders.length, 100);
assert.equal(Object.keys((await open.send({ query: aliases(10) })).data).length, 10);
assert.ok((await open.send({ query: tokens(1_000) })).data);
assert.ok((await open.send({ query: levels(8) })).data);
const before = (await open.asked()).length;
const beyond = {
  aliases: { query: aliases(11) },
  'the same field a hundred times': { query: aliases(100) },
  tokens: { query: tokens(1_001) },
  'a list without first': { query: '{ orders { id } }' },
  101: first(101),
  '-1': first(-1),
  'a circle of fragments': { query: '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }' },
  depth: { query: levels(9) },
  cost: { query: levels(8, tokens(960).slice(1, -1)) },
};
for (const [name, body] of Object.entries(beyond)) assert.ok((await open.send(body)).errors, name);
assert.equal((await open.asked()).length, before);
const batch = (size) => Array.from({ length: size }, () => first(1));
assert.equal(Object.keys(await open.send(batch(5))).length, 6);
assert.equal((await open.send(batch(6))).status, 413);
assert.equal((await open.asked()).length, before + 5);
await open.stop();
