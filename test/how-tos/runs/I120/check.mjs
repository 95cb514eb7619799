// Signs in as each role, and does what it may and may not do.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { withPostgres } from './support/postgres.mjs';

const [roles, migration] = await Promise.all([1, 2].map((n) => readFile(`block_${n}.sql`, 'utf8')));

await withPostgres(async ({ pool }) => {
  await pool().query('CREATE DATABASE shop');
  const superuser = pool(undefined, 'shop');
  await superuser.query(roles);
  for (const role of ['shop_app', 'shop_report', 'shop_migration'])
    await superuser.query(`ALTER ROLE ${role} PASSWORD 'x'`);
  const [app, report, migrations] = ['shop_app', 'shop_report', 'shop_migration'].map((role) => pool(role, 'shop'));
  await migrations.query(migration);
  const { rows } = await superuser.query("SELECT tableowner FROM pg_tables WHERE tablename = 'orders'");
  assert.deepEqual(rows, [{ tableowner: 'shop_owner' }]);

  await app.query("INSERT INTO orders (customer_email, total) VALUES ('a@example.com', 5)");
  assert.equal((await app.query('SELECT customer_email FROM orders')).rowCount, 1);
  for (const statement of [
    'CREATE TABLE t ()',
    'DROP TABLE orders',
    'TRUNCATE orders',
    'ALTER ROLE shop_app CREATEDB',
    'SET ROLE shop_owner',
    'CREATE SCHEMA s',
  ])
    await assert.rejects(app.query(statement), /permission denied|must be owner/, statement);

  assert.deepEqual((await report.query('SELECT total FROM order_report')).rows, [{ total: '5.00' }]);
  const client = await report.connect();
  await client.query('SET default_transaction_read_only = off');
  for (const statement of ['SELECT * FROM orders', 'UPDATE orders SET total = 0', 'UPDATE order_report SET total = 0'])
    await assert.rejects(client.query(statement), /permission denied/, statement);
  client.release();
  await assert.rejects(report.query('CREATE TEMP TABLE t ()'), /permission denied|read-only/);

  await migrations.query('CREATE TABLE secrets (value text)');
  await migrations.query("CREATE FUNCTION secret() RETURNS text LANGUAGE sql AS 'SELECT 1::text'");
  for (const statement of ['SELECT * FROM secrets', 'SELECT secret()'])
    for (const role of [app, report]) await assert.rejects(role.query(statement), /permission denied/, statement);
  await superuser.query("CREATE ROLE stranger LOGIN PASSWORD 'x'");
  await assert.rejects(pool('stranger', 'shop').query('SELECT 1'), /permission denied for database/);
});
