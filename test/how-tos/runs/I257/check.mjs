// Refreshes in turn, again with a used token, for another client, and at the same moment.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { signed } from './access-token.js';
import { withPostgres } from './support/postgres.mjs';

await withPostgres(async ({ pool, url }) => {
  const database = pool();
  await database.query(await readFile('block_1.sql', 'utf8'));
  process.env.DATABASE_URL = url;
  const { refresh, SignInAgain, startFamily } = await import('./block_2.ts');
  const account = async () => (await database.query('INSERT INTO account DEFAULT VALUES RETURNING id')).rows[0].id;
  const userId = await account();
  const consent = { userId, clientId: 'web', scope: 'orders', resource: 'https://api.example.com' };
  const refused = (token, client = 'web') => assert.rejects(refresh(token, client), SignInAgain);

  const first = await startFamily(consent);
  const second = await refresh(first, 'web');
  const third = await refresh(second.refreshToken, 'web');
  assert.equal(new Set([first, second.refreshToken, third.refreshToken]).size, 3);
  const claims = { userId, scope: 'orders', resource: 'https://api.example.com', lifetime: '10m' };
  assert.deepEqual(signed.splice(0), [claims, claims]);

  await refused('unknown');
  await refused(third.refreshToken, 'other');
  await refused(first);
  await refused(third.refreshToken);

  // Each request has a connection then.
  await Promise.allSettled(Array.from({ length: 10 }, () => refresh('unknown', 'web')));
  const simultaneous = await startFamily(consent);
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => refresh(simultaneous, 'web')));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);

  const expired = await startFamily(consent);
  await database.query("UPDATE token_family SET expires_at = now() - interval '1 second'");
  await refused(expired);
  const disabled = await startFamily(consent);
  await database.query('UPDATE account SET disabled_at = now()');
  await refused(disabled);
  assert.equal(signed.length, 1);

  const { rows } = await database.query('SELECT hash FROM refresh_token');
  assert.ok(rows.length > 5 && rows.every(({ hash }) => hash.length === 32));
  for (const { hash } of rows) assert.notEqual(hash.toString('base64url'), first);
});
