// Approves payments, also changed, late and by guessing.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { deviceKeyOf } from './device-keys.js';
import { withPostgres } from './support/postgres.mjs';

const PAYER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const OTHER = '3f2504e0-4f89-41d3-9a0c-0305e82c3302';

await withPostgres(async ({ pool, url }) => {
  const database = pool();
  await database.query(await readFile('block_2.sql', 'utf8'));
  await database.query('INSERT INTO payer (id) VALUES ($1), ($2)', [PAYER, OTHER]);
  process.env.DATABASE_URL = url;
  const { codeFor, execute } = await import('./block_1.ts');
  const shown = { amountCents: 1250, currency: 'EUR', payeeIban: 'DE02100100100006820101', payeeName: 'Example Ltd' };
  async function payment() {
    const { rows } = await database.query(
      `INSERT INTO payment (payer_id, amount_cents, currency, payee_iban, payee_name) VALUES ($1, $2, $3, $4, $5)
       RETURNING id`,
      [PAYER, ...Object.values(shown)],
    );
    const [{ id }] = rows;
    return { id, code: codeFor({ id, ...shown }, await deviceKeyOf(PAYER)) };
  }
  const transfers = async () => (await database.query('SELECT payment_id FROM transfer')).rowCount;
  const change = ({ id }, column, value) =>
    database.query(`UPDATE payment SET ${column} = $2 WHERE id = $1`, [id, value]);

  const good = await payment();
  assert.equal(await execute(good.id, good.code, PAYER), true);
  await assert.rejects(execute(good.id, good.code, PAYER), /over/);
  assert.equal(await transfers(), 1);

  const foreign = await payment();
  await assert.rejects(execute(foreign.id, foreign.code, OTHER), /over/);
  assert.equal(await execute(foreign.id, good.code, PAYER), false);
  for (const [column, value] of [
    ['amount_cents', 1251],
    ['payee_iban', 'DE02120300000000202051'],
    ['payee_name', 'Mallory'],
    ['currency', 'USD'],
  ]) {
    await database.query('UPDATE payer SET failures = 0');
    const changed = await payment();
    await change(changed, column, value);
    assert.equal(await execute(changed.id, changed.code, PAYER), false, column);
  }
  await database.query('UPDATE payer SET failures = 0');
  const late = await payment();
  await change(late, 'approval_expires_at', new Date(Date.now() - 1_000));
  await assert.rejects(execute(late.id, late.code, PAYER), /over/);
  const guessed = await payment();
  for (let n = 0; n < 5; n += 1) assert.equal(await execute(guessed.id, Buffer.alloc(32), PAYER), false);
  await assert.rejects(execute(guessed.id, guessed.code, PAYER), /over/);
  assert.equal(await transfers(), 1);

  await database.query('UPDATE payer SET failures = 0');
  const twice = await payment();
  await Promise.allSettled([1, 2, 3].map(() => execute(twice.id, twice.code, PAYER)));
  assert.equal(await transfers(), 2);
});
