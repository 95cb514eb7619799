// Sends orders as the schema wants them, and others; then adds routes that the hook has to stop.
import assert from 'node:assert/strict';
import { app } from './block_1.ts';

const handler = async () => 'reached';
app.get('/orders', {
  schema: {
    querystring: { type: 'object', additionalProperties: false, properties: { limit: { type: 'integer' } } },
  },
  handler: async ({ query }) => query,
});
const open = { type: 'object', properties: { a: { type: 'string' } } };
const closed = { ...open, additionalProperties: false };
const routes = [
  { method: 'POST', schema: {} },
  { method: 'POST', schema: { body: open } },
  { method: 'POST', schema: { body: { ...closed, properties: { inner: open } } } },
  { method: 'PATCH', schema: { body: { ...closed, properties: { list: { type: 'array', items: open } } } } },
  { method: 'PUT', schema: { body: { ...closed, additionalProperties: true } } },
  { method: 'PUT', schema: { body: {} } },
  { method: ['GET', 'POST'], schema: { querystring: closed } },
  { method: 'GET' },
  { method: 'GET', schema: { querystring: open } },
];
for (const [index, route] of routes.entries())
  assert.throws(() => app.route({ ...route, url: `/r${index}`, handler }), /no schema|unknown fields/, String(index));
app.route({ method: 'GET', url: '/empty', schema: {}, handler });

const order = { product: 'stapler', quantity: 2 };
const post = (payload) => app.inject({ method: 'POST', url: '/orders', payload });
const created = await post(order);
assert.deepEqual([created.statusCode, created.json()], [201, { ...order, totalCents: 2598 }]);
const bodies = [
  { ...order, price: 0 },
  { ...order, quantity: '1' },
  { ...order, quantity: 0 },
  { ...order, quantity: 1001 },
  { ...order, quantity: 1.5 },
  { ...order, product: '../x' },
  { product: 'stapler' },
  [order],
];
for (const body of bodies) assert.equal((await post(body)).statusCode, 400, JSON.stringify(body));
assert.equal((await post({ ...order, product: 'unknown' })).statusCode, 404);
assert.deepEqual((await app.inject('/orders?limit=5')).json(), { limit: 5 });
for (const query of ['limit=x', 'limit=5&admin=1'])
  assert.equal((await app.inject(`/orders?${query}`)).statusCode, 400);
assert.equal((await app.inject('/empty')).statusCode, 200);
await app.close();
