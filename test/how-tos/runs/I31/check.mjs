// Calls routes as several users, and a route for which someone forgot to declare a permission.
import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { compile } from './support/decorators.mjs';

await rename('block_1.ts', 'access.ts');
await rename('forgotten.ts.txt', 'forgotten.ts');
compile(['access.ts', 'forgotten.ts']);
const { NestFactory } = await import('@nestjs/core');
const { TestModule } = await import('./forgotten.js');

const USERS = {
  reader: { id: 'reader', permissions: new Set(['orders.read']) },
  other: { id: 'other', permissions: new Set(['users.read']) },
  administrator: { id: 'administrator', permissions: new Set(['orders.read', 'users.read', 'undefined', '']) },
};
const app = await NestFactory.create(TestModule, { logger: ['error'] });
app.use((request, _response, next) => {
  request.user = USERS[request.headers['x-user']];
  next();
});
await app.listen(0, '127.0.0.1');
const address = await app.getUrl();
const status = async (path, user, method = 'GET') =>
  (await fetch(address + path, { method, headers: user ? { 'X-User': user } : {} })).status;

for (const path of ['/orders/7', '/orders/7/', '/orders/%37', '/ORDERS/7']) {
  assert.equal(await status(path, 'reader'), 200, path);
  assert.equal(await status(path, 'other'), 403, path);
  assert.equal(await status(path), 401, path);
}
assert.equal(await status('/orders/7', 'other', 'HEAD'), 403);
assert.equal(await status('/orders/7', 'reader', 'POST'), 404);

// A handler and a whole module that declare nothing are closed; a permission of the class counts for its handlers.
for (const user of [undefined, 'reader', 'administrator']) assert.equal(await status('/forgotten', user), 403);
assert.equal(await status('/users', 'other'), 200);
assert.equal(await status('/users', 'reader'), 403);
assert.equal(await status('/users/strict', 'other'), 403);
assert.equal(await status('/health'), 200);
await app.close();
