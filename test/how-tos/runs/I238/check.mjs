// Asks as pages of listed and of other origins would, with and without a preflight request.
import assert from 'node:assert/strict';

const listed = { 'https://app.example.com': true, 'https://status.example.com': false };
process.env.ALLOWED_ORIGINS = JSON.stringify(listed);
const { app } = await import('./block_1.ts');
const server = app.listen(0);
const base = `http://127.0.0.1:${server.address().port}`;

async function ask(origin, method, path = '/api/me') {
  const headers = { Origin: origin, ...(method === 'OPTIONS' ? { 'Access-Control-Request-Method': 'PATCH' } : {}) };
  const response = await fetch(base + path, { method, headers });
  assert.match(response.headers.get('vary') ?? '', /\bOrigin\b/, `${method} ${origin}`);
  const credentials = response.headers.get('access-control-allow-credentials');
  return [response.headers.get('access-control-allow-origin'), credentials];
}

for (const method of ['GET', 'OPTIONS']) {
  assert.deepEqual(await ask('https://app.example.com', method), ['https://app.example.com', 'true']);
  assert.deepEqual(await ask('https://status.example.com', method), ['https://status.example.com', null]);
  const others = ['https://unknown.test', 'https://app.example.com.evil.test', 'https://evilapp.example.com'];
  for (const origin of [...others, 'http://app.example.com', 'null', 'constructor'])
    for (const path of ['/api/me', '/api/missing'])
      assert.deepEqual((await ask(origin, method, path))[0], null, `${method} ${origin}`);
}
server.close();
