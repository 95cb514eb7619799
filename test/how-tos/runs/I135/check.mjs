// Works in two organizations at once, ends a membership, and calls organizations of others.
import assert from 'node:assert/strict';
import { withPostgres } from './support/postgres.mjs';
import { connectPrisma } from './support/prisma.mjs';

const SCHEMA = `
  CREATE TABLE "Organization" (id text PRIMARY KEY, slug text UNIQUE NOT NULL);
  CREATE TABLE "Membership" (id text PRIMARY KEY, "userId" text NOT NULL, role text NOT NULL,
    "endedAt" timestamp, "organizationId" text NOT NULL REFERENCES "Organization");
  CREATE TABLE "Draft" (id text PRIMARY KEY, "organizationId" text NOT NULL, "memberId" text NOT NULL,
    title text NOT NULL);
  INSERT INTO "Organization" VALUES ('o1', 'north'), ('o2', 'south'), ('o3', 'east');
  INSERT INTO "Membership" VALUES ('m1', 'ann', 'editor', NULL, 'o1'), ('m2', 'ann', 'editor', NULL, 'o2'),
    ('m3', 'bob', 'editor', NULL, 'o1'), ('m4', 'cleo', 'reader', NULL, 'o1'), ('m5', 'bob', 'editor', NULL, 'o3');
`;

await withPostgres(async ({ url, pool }) => {
  const database = pool();
  await database.query(SCHEMA);
  connectPrisma(url);
  const { app } = await import('./block_1.ts');
  const server = app.listen(0);
  const address = `http://127.0.0.1:${server.address().port}/organizations`;
  const call = async (user, organization, title) => {
    const headers = { 'Content-Type': 'application/json', ...(user && { 'X-User': user }) };
    const options =
      title === undefined ? {} : { method: 'POST', body: JSON.stringify({ title, organizationId: 'o3' }) };
    const response = await fetch(`${address}/${organization}/drafts`, { headers, ...options });
    return { status: response.status, cache: response.headers.get('cache-control'), body: await response.json() };
  };
  const titles = async (user, organization) => (await call(user, organization)).body.map(({ title }) => title);

  assert.equal((await call('ann', 'north', 'of north')).status, 201);
  assert.equal((await call('ann', 'south', 'of south')).status, 201);
  assert.equal((await call('ann', 'north', 'again north')).status, 201);
  assert.equal((await call('bob', 'north', 'of bob')).status, 201);
  const { rows } = await database.query('SELECT "organizationId", "memberId", title FROM "Draft" ORDER BY title');
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['o1', 'm1', 'again north'],
      ['o1', 'm3', 'of bob'],
      ['o1', 'm1', 'of north'],
      ['o2', 'm2', 'of south'],
    ],
  );
  assert.deepEqual((await titles('ann', 'north')).sort(), ['again north', 'of north']);
  assert.deepEqual(await titles('ann', 'south'), ['of south']);
  assert.equal((await call('ann', 'north')).cache, 'private, no-store');

  assert.equal((await call('cleo', 'north')).status, 200);
  assert.equal((await call('cleo', 'north', 'x')).status, 403);
  for (const title of [undefined, 'x']) {
    assert.equal((await call(undefined, 'north', title)).status, 401);
    for (const organization of ['east', 'unknown', 'o1']) {
      const { status, body } = await call('ann', organization, title);
      assert.deepEqual({ status, body }, { status: 404, body: { error: 'Not found.' } });
    }
  }

  await database.query(`UPDATE "Membership" SET "endedAt" = now() - interval '1 second' WHERE id = 'm1'`);
  for (const title of [undefined, 'late']) assert.equal((await call('ann', 'north', title)).status, 404);
  assert.deepEqual(await titles('ann', 'south'), ['of south']);
  assert.equal((await database.query('SELECT 1 FROM "Draft"')).rowCount, 4);
  server.close();
});
process.exit();
