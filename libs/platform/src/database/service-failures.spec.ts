import { once } from 'node:events';
import { Pool } from 'pg';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';
import { codeConnectionErrors, serviceFailureOf } from './service-failures.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

it('a query over a lost connection fails with the reason why the connection was lost', async () => {
  const pool = new Pool({ connectionString: database.url, max: 1 });
  codeConnectionErrors(pool);
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const lost = once(client, 'error');
    await database.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await lost;
    const failure: unknown = await client.query('SELECT 1').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: '08006', cause: { code: '57P01' } });
    expect(serviceFailureOf(failure)).toBe('unavailable');
  } finally {
    client.release(true);
    await pool.end();
  }
});
