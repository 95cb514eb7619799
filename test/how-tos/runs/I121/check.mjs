// Withdraws, redeems and buys many times at once.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { withPostgres } from './support/postgres.mjs';

const blocks = await Promise.all([1, 2, 3, 4].map((n) => readFile(`block_${n}.sql`, 'utf8')));
const [schema, withdraw, redeem, buy] = blocks;
const many = (work) => Promise.all(Array.from({ length: 50 }, work));
const total = (results) => results.reduce((sum, { rowCount }) => sum + rowCount, 0);

await withPostgres(async ({ pool }) => {
  const database = pool();
  await database.query(schema);
  // The condition of the statement has to hold by itself.
  await database.query('ALTER TABLE account DROP CONSTRAINT account_balance_check');
  await database.query('INSERT INTO account VALUES (1, 100), (2, 100), (3, 100)');
  const balanceOf = async (id) =>
    (await database.query('SELECT balance FROM account WHERE id = $1', [id])).rows[0].balance;

  assert.equal(total(await many(() => database.query(withdraw, [1, '10']))), 10);
  assert.equal(await balanceOf(1), '0.00');
  assert.deepEqual((await database.query(withdraw, [2, '10.60'])).rows, [{ balance: '89.40' }]);
  for (const amount of ['-10', '0', '89.41']) assert.equal((await database.query(withdraw, [2, amount])).rowCount, 0);
  assert.equal(await balanceOf(2), '89.40');

  assert.equal(total(await many((_, order) => database.query(redeem, [7, order]))), 1);
  assert.equal((await database.query(redeem, [8, 1])).rowCount, 1);

  const key = randomUUID();
  const purchase = async () => {
    const client = await database.connect();
    try {
      await client.query('BEGIN');
      const { rowCount } = await client.query(buy, [key, 3, '30']);
      if (rowCount) assert.equal((await client.query(withdraw, [3, '30'])).rowCount, 1);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  };
  await many(purchase);
  assert.equal(await balanceOf(3), '70.00');
});
