// Sends an order with and without fields that no caller may set, and reads what comes back.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { compile } from './support/decorators.mjs';
import { listening } from './support/listening.mjs';

await rename('block_3.ts', 'src/orders.contract.test.ts');
compile(['src/main.ts', 'src/orders.contract.test.ts'], 'src');
const { address, server } = await listening(() => import('./src/main.js'));
async function post(body) {
  const response = await fetch(`${address}/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const created = await post({ title: 'a', quantity: 1 });
assert.equal(created.status, 201);
assert.deepEqual(Object.keys(created.body).sort(), ['id', 'title']);

const order = { title: 'a', quantity: 1 };
const hostile = [
  { ...order, costPrice: 0 },
  { ...order, customerId: 2 },
  { ...order, id: 'x' },
  { title: 'a' },
  { ...order, title: { $ne: '' } },
  { ...order, title: ['a'] },
  { ...order, title: 'a'.repeat(201) },
  { ...order, quantity: '1' },
  { ...order, quantity: 1.5 },
  { ...order, quantity: 1_001 },
  [order, 'x'],
];
for (const body of hostile) assert.equal((await post(body)).status, 400, JSON.stringify(body));
server.close();

// The contract test: it compares the response with the description, and notices a column more.
const properties = { id: {}, title: {} };
await writeFile('openapi.json', JSON.stringify({ components: { schemas: { OrderResponse: { properties } } } }));
const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
execFileSync(process.execPath, ['--test', 'src/orders.contract.test.js'], { env });
const source = await readFile('src/orders.ts', 'utf8');
const described = '@Expose() title!: string;\n}';
assert.ok(source.includes(described));
await writeFile('src/orders.ts', source.replace(described, `@Expose() costPrice!: number; ${described}`));
compile(['src/main.ts', 'src/orders.contract.test.ts'], 'src');
assert.equal(spawnSync(process.execPath, ['--test', 'src/orders.contract.test.js'], { env }).status, 1);
