// Loads images from a public server, and tries to reach all others.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { fetchImage } from './block_1.ts';

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const reached = [];
const ANSWERS = {
  '/image.png': (response) => response.setHeader('Content-Type', 'image/png').end(png),
  '/moved': (response) => response.writeHead(302, { Location: '/image.png' }).end(),
  '/page': (response) => response.setHeader('Content-Type', 'text/html').end('<p>'),
  '/missing': (response) => response.writeHead(404, { 'Content-Type': 'image/png' }).end(png),
  '/large': (response) => response.setHeader('Content-Type', 'image/png').end(Buffer.alloc(6_000_000)),
  '/packed': (response) =>
    response
      .writeHead(200, { 'Content-Type': 'image/png', 'Content-Encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(6_000_000))),
  '/circle': (response) => response.writeHead(302, { Location: '/circle' }).end(),
  '/slow': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' });
    const timer = setInterval(() => response.write('x'), 1_000);
    response.on('close', () => clearInterval(timer));
  },
};
const TARGETS = [
  'https://127.0.0.1/',
  'https://loopback.example/',
  'https://[::1]/',
  'http://images.example/image.png',
];
for (const [n, target] of [...TARGETS, 'file:///etc/passwd', 'https://internal.example/'].entries())
  ANSWERS[`/to-${n}`] = (response) => response.writeHead(302, { Location: target }).end();

const files = { key: readFileSync('server.key'), cert: readFileSync('server.pem') };
const server = createServer(files, (request, response) => {
  reached.push(request.headers.host + request.url);
  (ANSWERS[request.url] ?? ANSWERS['/image.png'])(response);
}).listen(443, '::');
await once(server, 'listening');

for (const path of ['image.png', 'moved']) assert.deepEqual(await fetchImage(`https://images.example/${path}`), png);

const failure = async (address) => {
  const error = await fetchImage(address).then(
    () => assert.fail(`${address} was loaded`),
    (reason) => reason,
  );
  return `${error.message} ${error.cause?.message ?? ''}`;
};
reached.length = 0;
const literals =
  '127.0.0.1 2130706433 0x7f.1 0177.0.0.1 127.1 0.0.0.0 10.1.2.3 169.254.169.254 [::1] [::ffff:10.1.2.3] [::ffff:7f00:1]';
const more = '[fd00::7] [64:ff9b::a01:203] [::]';
const names = [
  'localhost',
  'loopback.example',
  'internal.example',
  'metadata.example',
  'unique-local.example',
  'both.example',
];
const notAllowed = [literals.split(' '), more.split(' '), names].flat();
for (const host of notAllowed) assert.match(await failure(`https://${host}/`), /Address not allowed/, host);
for (const address of [
  'http://images.example/image.png',
  'file:///etc/passwd',
  'https://images.example:22/',
  'https://a@images.example/',
  'https://a:b@images.example/',
  'data:image/png,x',
])
  assert.match(await failure(address), /URL not allowed/, address);
assert.deepEqual(reached, []);

for (const n of [0, 1, 2, 3, 4, 5]) assert.match(await failure(`https://images.example/to-${n}`), /not allowed/);
assert.ok(reached.every((where) => where.startsWith('images.example/to-')));
assert.match(await failure('https://wrong-certificate.example/image.png'), /altnames|certificate/);
assert.match(await failure('https://images.example/circle'), /Too many redirects/);
for (const path of ['page', 'missing']) assert.match(await failure(`https://images.example/${path}`), /Not an image/);
for (const path of ['large', 'packed']) await failure(`https://images.example/${path}`);
const begin = Date.now();
assert.match(await failure('https://images.example/slow'), /timeout|aborted/i);
const waited = Date.now() - begin;
assert.ok(waited > 9_000 && waited < 50_000, `${waited} ms`);
process.exit();
