// Records payments as the application's role does: at once, repeated, unbalanced and out of order.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { withPostgres } from './support/postgres.mjs';

const [schema, begin, finish] = await Promise.all([1, 2, 3].map((n) => readFile(`block_${n}.sql`, 'utf8')));

await withPostgres(async ({ pool }) => {
  const owner = pool();
  await owner.query(schema);
  await owner.query("ALTER ROLE app_user PASSWORD 'x'");
  const app = pool('app_user');

  const hash = Buffer.alloc(32);
  const entriesOf = async (intent) => {
    const { rows } = await owner.query('SELECT account, amount_minor FROM ledger_entry WHERE intent = $1', [intent]);
    return rows.map(({ account, amount_minor: amount }) => [account, Number(amount)]);
  };
  const start = (id) => app.query(begin, [id, hash]).then(({ rowCount }) => rowCount);
  const authorize = (id) => app.query("UPDATE payment_intent SET status = 'authorized' WHERE id = $1", [id]);
  const capture = (id) => app.query(finish, [id, '{}', 'EUR', 'customer', 500]);
  const pair = [
    ['customer', -500],
    ['merchant', 500],
  ];

  const id = randomUUID();
  const started = await Promise.all(Array.from({ length: 50 }, () => start(id)));
  assert.equal(
    started.reduce((sum, count) => sum + count, 0),
    1,
  );
  await capture(id);
  assert.deepEqual(await entriesOf(id), []);
  await authorize(id);
  await Promise.all(Array.from({ length: 20 }, () => capture(id)));
  assert.deepEqual(await entriesOf(id), pair);

  const second = randomUUID();
  await start(second);
  await authorize(second);
  await capture(second);
  assert.deepEqual(await entriesOf(second), pair);

  const failed = randomUUID();
  await start(failed);
  await app.query("UPDATE payment_intent SET status = 'failed' WHERE id = $1", [failed]);
  for (const status of ['captured', 'authorized', 'created'])
    await assert.rejects(
      app.query('UPDATE payment_intent SET status = $2 WHERE id = $1', [failed, status]),
      /cannot change/,
    );
  await assert.rejects(
    app.query("INSERT INTO ledger_entry (intent, account, amount_minor, currency) VALUES ($1, 'a', 1, 'EUR')", [id]),
    /do not balance/,
  );
  const forbidden = [
    'UPDATE ledger_entry SET amount_minor = 1',
    'DELETE FROM ledger_entry',
    "INSERT INTO payment_intent (id, request_hash, status) VALUES (gen_random_uuid(), '', 'captured')",
  ];
  for (const statement of forbidden) await assert.rejects(app.query(statement), /permission denied/, statement);
  assert.deepEqual(await entriesOf(id), pair);
});
