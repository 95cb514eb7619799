// Reads and writes as two tenants, and shows the query of the pipeline tables and views that are open.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { withPostgres } from './support/postgres.mjs';

const [schema, transaction, audit] = await Promise.all([1, 2, 3].map((n) => readFile(`block_${n}.sql`, 'utf8')));
const [asAdministrator, asOwner] = schema.split('-- As the owner');
const [begin, choose, read] = transaction
  .replace(/^--.*$/gm, '')
  .split(';')
  .map((statement) => statement.trim());
const [a, b] = [randomUUID(), randomUUID()];

await withPostgres(async ({ pool }) => {
  const superuser = pool();
  await superuser.query(asAdministrator);
  await superuser.query(
    "ALTER ROLE app PASSWORD 'x'; CREATE ROLE shop_owner; GRANT CREATE ON SCHEMA public TO shop_owner",
  );
  await superuser.query(`SET ROLE shop_owner; --${asOwner}; RESET ROLE`);
  const client = await pool('app').connect();

  async function as(tenant, statement, values = []) {
    await client.query(begin);
    try {
      if (tenant) await client.query(choose, [tenant]);
      const result = await client.query(statement, values);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  }
  const insert = 'INSERT INTO orders (tenant_id, title) VALUES ($1, $2) RETURNING id';
  const { rows } = await as(a, insert, [a, 'of A']);
  const own = rows[0].id;
  const other = (await as(b, insert, [b, 'of B'])).rows[0].id;
  assert.deepEqual((await as(a, read)).rows, [{ id: own, title: 'of A' }]);
  assert.deepEqual((await as(a, 'SELECT title FROM order_titles')).rows, [{ title: 'of A' }]);
  assert.equal((await as(a, 'UPDATE orders SET title = $2 WHERE id = $1', [own, 'new'])).rowCount, 1);

  for (const table of ['orders', 'order_titles']) await assert.rejects(as(undefined, `SELECT count(*) FROM ${table}`));
  for (const statement of ['SELECT FROM orders WHERE id = $1', "UPDATE orders SET title = 'x' WHERE id = $1"])
    assert.equal((await as(a, statement, [other])).rowCount, 0, statement);
  assert.equal((await as(a, 'DELETE FROM orders WHERE id = $1', [other])).rowCount, 0);
  await assert.rejects(as(a, insert, [b, 'x']), /new row violates row-level security policy/);
  await assert.rejects(as(a, 'UPDATE orders SET tenant_id = $1', [b]), /new row violates row-level security policy/);

  const reported = async () => (await superuser.query(audit)).rows.map(({ oid }) => oid).sort();
  assert.deepEqual(await reported(), []);
  await superuser.query(`
    CREATE TABLE no_policy (tenant_id uuid);
    CREATE TABLE owned (LIKE orders);
    CREATE TABLE open_policy (LIKE orders);
    ALTER TABLE owned OWNER TO app;
    ALTER TABLE open_policy ENABLE ROW LEVEL SECURITY;
    ALTER TABLE open_policy FORCE ROW LEVEL SECURITY;
    CREATE POLICY everyone ON open_policy USING (true);
    CREATE VIEW plain_view AS SELECT id FROM orders;
    CREATE MATERIALIZED VIEW copied AS SELECT id FROM orders;
    GRANT SELECT ON plain_view, copied TO app;`);
  assert.deepEqual(await reported(), ['copied', 'no_policy', 'open_policy', 'owned', 'plain_view']);
  client.release();
});
