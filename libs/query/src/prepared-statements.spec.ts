import { Pool } from 'pg';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';
import { planKeepingClient } from './prepared-statements.js';

describe('A connection', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await cloneDatabase();
    pool = new Pool({ connectionString: database.url, max: 1, Client: planKeepingClient() });
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const kept = async (): Promise<string[]> => {
    const { rows } = await pool.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements');
    return rows.map(({ statement }) => statement);
  };

  it('keeps the plan of a marked statement and of no other', async () => {
    for (const value of [1, 2, 3]) {
      const { rows } = await pool.query('/* prepared */ SELECT $1::int AS value', [value]);
      expect(rows).toEqual([{ value }]);
      await pool.query('SELECT $1::int AS other', [value]);
    }
    expect(await kept()).toEqual(['/* prepared */ SELECT $1::int AS value']);
  });

  it('keeps no more than 64 plans, and answers all the same', async () => {
    for (let n = 0; n < 100; n += 1) {
      const { rows } = await pool.query(`/* prepared */ SELECT $1::int + ${n} AS sum`, [1]);
      expect(rows).toEqual([{ sum: n + 1 }]);
    }
    expect(await kept()).toHaveLength(64);
  });
});
