// Lists orders as the application does, then with input that would change the statement if it were part of it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { ESLint } from 'eslint';
import { withPostgres } from './support/postgres.mjs';

await withPostgres(async ({ pool, url }) => {
  const database = pool();
  await database.query(`CREATE TABLE orders (
    id serial, title text, total int, created_at timestamptz DEFAULT now(), customer_id text, status text)`);
  const titles = ["O'Brien'--", 'plain', 'done', 'foreign'];
  for (const [index, title] of titles.entries())
    await database.query('INSERT INTO orders (title, total, customer_id, status) VALUES ($1, $2, $3, $4)', [
      title,
      10 - index,
      title === 'foreign' ? 'bob' : 'ann',
      title === 'done' ? 'done' : 'open',
    ]);
  process.env.DATABASE_URL = url;
  const { listOrders } = await import('./src/sql/orders.ts');
  const list = async (statuses, sort = 'total', limit = 10, customerId = 'ann') =>
    (await listOrders({ customerId }, statuses, sort, limit)).map(({ title }) => title);

  assert.deepEqual(await list(['open']), ["O'Brien'--", 'plain']);
  assert.deepEqual((await list(['open', 'done'], 'created')).sort(), ["O'Brien'--", 'done', 'plain']);
  assert.deepEqual(await list(['open', 'done'], 'total', -5), ["O'Brien'--"]);
  for (const sort of ['total; DROP TABLE orders', 'customer_id', 'constructor', ''])
    await assert.rejects(list(['open'], sort), RangeError);
  for (const status of ["created'--", "'; SELECT pg_sleep(5)--", "' OR '1'='1", "open') OR (true"])
    assert.deepEqual(await list([status]), [], status);
  assert.deepEqual(await list(['open'], 'total', 10, "ann' OR 'a'='a"), []);
  assert.equal((await database.query('SELECT FROM orders')).rowCount, 4);
});

const lint = async (text, file) => {
  const [{ messages }] = await new ESLint().lintText(text, { filePath: path.resolve(file) });
  return messages.map(({ ruleId }) => ruleId);
};
assert.deepEqual(await lint("pool.query('SELECT $1', [1]);\npool.query(`SELECT 1`);", 'src/sql/a.ts'), []);
for (const first of ['`SELECT ${name}`', 'text', "'SELECT ' + name", '{ text }'])
  assert.deepEqual(await lint(`pool.query(${first});`, 'src/sql/a.ts'), ['no-restricted-syntax'], first);
assert.deepEqual(await lint("import { Pool } from 'pg';", 'src/orders.ts'), ['no-restricted-imports']);
assert.deepEqual(await lint("import { Pool } from 'pg';", 'src/sql/orders.ts'), []);
