// Builds a site with the action, and sends the action's request with and without what it demands.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { build, site, start } from './support/next.mjs';
import { withPostgres } from './support/postgres.mjs';
import { connectPrisma } from './support/prisma.mjs';

const CLIENT = `'use client';
  import { renameOrder } from '../actions';
  export const Rename = ({ id, title }: { id: string; title: string }) =>
    <button onClick={() => void renameOrder({ id, title: 'x' })}>{title}</button>;`;
await site({
  'app/sign-in/page.tsx': 'export default () => <p>sign in</p>;',
  'app/orders/[id]/rename.tsx': CLIENT,
  'app/orders/[id]/page.tsx': `
    import { notFound } from 'next/navigation';
    import { db } from '@/server/db';
    import { requireSession } from '@/server/session';
    import { Rename } from './rename';
    export default async function Page({ params }: { params: Promise<{ id: string }> }) {
      const { customerId } = await requireSession();
      const order = await db.order.findFirst({ where: { id: (await params).id, customerId } });
      if (!order) notFound();
      return <Rename id={order.id} title={order.title} />;
    }`,
});

await withPostgres(async ({ url, pool }) => {
  const database = pool();
  const [own, foreign] = [randomUUID(), randomUUID()];
  await database.query(`
    CREATE TABLE "Session" ("tokenHash" text PRIMARY KEY, "customerId" text NOT NULL, "expiresAt" timestamp NOT NULL);
    CREATE TABLE "Order" (id text PRIMARY KEY, "customerId" text NOT NULL, title text NOT NULL, margin text NOT NULL);
    INSERT INTO "Order" VALUES ('${own}', 'MARKER-ann', 'tea', 'MARKER-margin'), ('${foreign}', 'MARKER-bob', 'ink', 'MARKER-margin')`);
  const session = (token, customer, until) =>
    database.query('INSERT INTO "Session" VALUES ($1, $2, $3)', [
      createHash('sha256').update(token).digest('hex'),
      customer,
      new Date(until).toISOString(),
    ]);
  await session('of-ann', 'MARKER-ann', Date.now() + 3_600_000);
  await session('old', 'MARKER-ann', Date.now() - 1_000);
  process.env.DATABASE_URL = url;
  connectPrisma(url);
  process.env.NODE_OPTIONS = '--import ./preload.mjs';
  assert.equal(build(), undefined);
  const manifest = JSON.parse(await readFile('.next/server/server-reference-manifest.json', 'utf8'));
  const [action, ...others] = Object.keys(manifest.node);
  assert.equal(others.length, 0);
  const address = await start();

  const titles = async () =>
    Object.fromEntries(
      (await database.query('SELECT id, title FROM "Order"')).rows.map(({ id, title }) => [id, title]),
    );
  async function call(input, { token = 'of-ann', ...headers } = {}) {
    const cookie = token && { cookie: `__Host-session=${token}` };
    const response = await fetch(`${address}/orders/${own}`, {
      method: 'POST',
      body: JSON.stringify([input]),
      redirect: 'manual',
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'next-action': action, ...cookie, ...headers },
    });
    return { status: response.status, text: await response.text(), to: response.headers.get('x-action-redirect') };
  }

  const right = await call({ id: own, title: ' green tea ' }, { origin: address });
  assert.equal(right.status, 200, right.text);
  assert.deepEqual(await titles(), { [own]: 'green tea', [foreign]: 'ink' });
  assert.equal((await call({ id: own, title: 'white tea' }, { origin: 'https://app.example.com' })).status, 200);
  assert.equal((await call({ id: own, title: 'tea' })).status, 200);
  const before = { [own]: 'tea', [foreign]: 'ink' };
  assert.deepEqual(await titles(), before);

  const SUBREQUEST = { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' };
  for (const [what, input, headers] of [
    ['no cookie', { id: own, title: 'x' }, { token: '' }],
    ['no cookie and a subrequest', { id: own, title: 'x' }, { token: '', ...SUBREQUEST }],
    [
      'no cookie and a short subrequest',
      { id: own, title: 'x' },
      { token: '', 'x-middleware-subrequest': 'middleware' },
    ],
    ['an unknown token', { id: own, title: 'x' }, { token: 'guessed' }],
    ['an old session', { id: own, title: 'x' }, { token: 'old' }],
    ['the hash of a token', { id: own, title: 'x' }, { token: createHash('sha256').update('of-ann').digest('hex') }],
    ["another customer's order", { id: foreign, title: 'x' }, {}],
    ["another customer's order, and a subrequest", { id: foreign, title: 'x' }, SUBREQUEST],
    ['an extra field', { id: own, title: 'x', customerId: 'MARKER-bob' }, {}],
    ['a filter', { id: { not: own }, title: 'x' }, {}],
    ['no title', { id: own, title: '  ' }, {}],
    ['a long title', { id: own, title: 'x'.repeat(201) }, {}],
    ['no object', null, {}],
    ['another site', { id: own, title: 'x' }, { origin: 'https://evil.test' }],
    ['a site with a similar name', { id: own, title: 'x' }, { origin: 'https://app.example.com.evil.test' }],
    ['an opaque origin', { id: own, title: 'x' }, { origin: 'null' }],
    ['a large body', { id: own, title: 'x', more: 'x'.repeat(150_000) }, {}],
  ]) {
    const { status, text, to } = await call(input, headers);
    assert.deepEqual(await titles(), before, what);
    assert.ok(
      status !== 200 || to || text.includes('"error"') || text.includes('NEXT_HTTP_ERROR'),
      [what, status, text].join(' '),
    );
  }
  assert.match((await call({ id: own, title: 'x' }, { token: '' })).to, /^\/sign-in/);
  assert.equal((await call({ id: foreign, title: 'x' })).status, 404);

  // Columns that are not displayed stay on the server.
  for (const headers of [{}, { rsc: '1' }]) {
    const response = await fetch(`${address}/orders/${own}`, {
      headers: { cookie: '__Host-session=of-ann', ...headers },
    });
    const text = await response.text();
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type').includes('text/x-component'), 'rsc' in headers);
    assert.ok(text.includes('tea'), text);
    assert.ok(!text.includes('MARKER') && !text.includes('of-ann'), text);
  }
});

await writeFile(
  'app/orders/[id]/rename.tsx',
  `${CLIENT}\nimport { db } from '@/server/db';\nexport const leak = db;\n`,
);
assert.match(build(), /server-only/);
process.exit();
