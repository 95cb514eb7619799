// Sends requests by Angular's client to the server of the how-to, and forges them as other sites would.
import '@angular/compiler';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { DOCUMENT, PlatformLocation } from '@angular/common';
import { HttpClient } from '@angular/common/http';
import {
  createEnvironmentInjector,
  createPlatformFactory,
  NgZone,
  ɵChangeDetectionScheduler as Scheduler,
  ɵINJECTOR_SCOPE as SCOPE,
  ɵNoopNgZone as NoZone,
  platformCore,
  PLATFORM_ID,
} from '@angular/core';
import express from 'express';
import session from 'express-session';
import { lastValueFrom } from 'rxjs';

process.env.CSRF_KEY = 'of the check';
const { checkCsrf, sendCsrfCookie } = await import('./server/csrf.ts');
const { appConfig } = await import('./src/app/app.config.ts');

const done = [];
const app = express();
app.set('trust proxy', true);
app.use(
  session({ secret: 'x', resave: false, saveUninitialized: true, name: '__Host-session', cookie: { secure: true } }),
);
app.use((request, _response, next) => {
  seen.push(request.get('X-XSRF-TOKEN'));
  next();
});
app.use(checkCsrf);
app.get('/start', (request, response) => {
  sendCsrfCookie(response, request.sessionID);
  response.json({});
});
for (const path of ['/orders', '/sign-in', '/sign-out'])
  app.all(path, ({ method }, response) => {
    done.push(method);
    response.json({ method });
  });
const seen = [];
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = `http://127.0.0.1:${server.address().port}`;
const direct = globalThis.fetch;

/** A browser's cookies, and what it sends along by itself. */
class Browser {
  cookies = {};
  site = 'same-origin';
  async fetch(url, { method = 'GET', headers = {}, body } = {}) {
    const cookie = Object.entries(this.cookies)
      .map((pair) => pair.join('='))
      .join('; ');
    const { pathname } = new URL(url, 'https://app.example.com');
    const own = {
      cookie,
      'sec-fetch-site': this.site,
      origin: 'https://app.example.com',
      'x-forwarded-proto': 'https',
    };
    const response = await direct(address + pathname, { method, body, headers: { ...own, ...headers } });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value, attributes] = /^([^=]+)=([^;]*);?(.*)$/.exec(line);
      this.cookies[name] = value;
      this.attributes = { ...this.attributes, [name]: attributes };
    }
    return response;
  }
  /** Angular's client with the providers of the how-to, in a document of this browser. */
  client() {
    const cookies = this.cookies;
    const document = {
      get cookie() {
        return Object.entries(cookies)
          .filter(([name]) => name !== '__Host-session')
          .map((pair) => pair.join('='))
          .join('; ');
      },
    };
    globalThis.fetch = (url, options) =>
      this.fetch(url, { ...options, headers: Object.fromEntries(Object.entries(options.headers)) });
    const platform = createPlatformFactory(platformCore, 'check', [])().injector;
    const injector = createEnvironmentInjector(
      [
        { provide: SCOPE, useValue: 'root' },
        { provide: Scheduler, useValue: { notify() {} } },
        { provide: DOCUMENT, useValue: document },
        { provide: PLATFORM_ID, useValue: 'browser' },
        { provide: NgZone, useClass: NoZone },
        { provide: PlatformLocation, useValue: { href: 'https://app.example.com/page' } },
        ...appConfig.providers,
      ],
      platform,
    );
    return injector.get(HttpClient);
  }
}

const ann = new Browser();
await ann.fetch('/start');
const token = ann.cookies['__Host-xsrf'];
assert.match(token, /^[\w-]{22}\.[\w-]{43}$/);
const attributes = ann.attributes['__Host-xsrf'].toLowerCase();
for (const part of ['path=/', 'secure', 'samesite=lax']) assert.ok(attributes.includes(part), attributes);
assert.doesNotMatch(attributes, /domain|httponly/);

// The application's own requests.
const client = ann.client();
seen.length = 0;
assert.deepEqual(await lastValueFrom(client.post('/orders', {})), { method: 'POST' });
for (const method of ['put', 'patch']) await lastValueFrom(client[method]('/orders', {}));
await lastValueFrom(client.delete('/orders'));
assert.deepEqual(seen, [token, token, token, token]);
seen.length = 0;
await lastValueFrom(client.get('/orders'));
await lastValueFrom(client.head('/orders'));
assert.deepEqual(seen, [undefined, undefined]);
for (const url of ['https://other.example/orders', '//other.example/orders']) {
  seen.length = 0;
  await lastValueFrom(client.post(url, {})).catch(() => {});
  assert.deepEqual(seen, [undefined], `The token went to ${url}`);
}

// Forged requests, with the cookies that a browser might send.
const other = new Browser();
await other.fetch('/start');
const foreign = other.cookies['__Host-xsrf'];
const [random, code] = token.split('.');
done.length = 0;
const REFUSED = {
  'no token': {},
  'an empty token': { 'X-XSRF-TOKEN': '' },
  'the token of another session': { 'X-XSRF-TOKEN': foreign },
  'another random part': { 'X-XSRF-TOKEN': `${foreign.split('.')[0]}.${code}` },
  'no random part': { 'X-XSRF-TOKEN': `.${code}` },
  'a longer token': { 'X-XSRF-TOKEN': `${token}.x` },
  'a shorter token': { 'X-XSRF-TOKEN': random },
  'another origin': { 'X-XSRF-TOKEN': token, origin: 'https://evil.test' },
  'an opaque origin': { 'X-XSRF-TOKEN': token, origin: 'null' },
  'a sibling': { 'X-XSRF-TOKEN': token, 'sec-fetch-site': 'same-site', origin: 'https://blog.example.com' },
  'a sibling without Origin': { 'X-XSRF-TOKEN': token, 'sec-fetch-site': 'same-site' },
  'another site': { 'X-XSRF-TOKEN': token, 'sec-fetch-site': 'cross-site' },
};
for (const path of ['/orders', '/sign-in', '/sign-out'])
  for (const [what, headers] of Object.entries(REFUSED))
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await ann.fetch(path, { method, headers });
      assert.equal(response.status, 403, `${method} ${path}: ${what}`);
    }
// A cookie that a sibling planted, with the same value in the header.
const victim = new Browser();
await victim.fetch('/start');
victim.cookies['__Host-xsrf'] = foreign;
assert.equal((await victim.fetch('/orders', { method: 'POST', headers: { 'X-XSRF-TOKEN': foreign } })).status, 403);
assert.deepEqual(done, []);
assert.equal((await ann.fetch('/orders', { method: 'POST', headers: { 'X-XSRF-TOKEN': token } })).status, 200);
process.exit();
