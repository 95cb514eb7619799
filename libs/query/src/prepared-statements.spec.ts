import { Pool } from 'pg';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';
import { clientWithPreparedStatements } from './prepared-statements.js';

describe('Prepared statements of a connection', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await cloneDatabase();
    pool = new Pool({ connectionString: database.url, max: 1, Client: clientWithPreparedStatements() });
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const preparedNames = async (): Promise<string[]> => {
    const { rows } = await pool.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements');
    return rows.map(({ statement }) => statement);
  };

  it('include a marked statement but no other', async () => {
    for (const value of [1, 2, 3]) {
      const { rows } = await pool.query('/* prepared */ SELECT $1::int AS value', [value]);
      expect(rows).toEqual([{ value }]);
      await pool.query('SELECT $1::int AS other', [value]);
    }
    expect(await preparedNames()).toEqual(['/* prepared */ SELECT $1::int AS value']);
  });

  it('are limited to 64 marked ones, with correct results for all statements', async () => {
    for (let n = 0; n < 100; n += 1) {
      const { rows } = await pool.query(`/* prepared */ SELECT $1::int + ${n} AS sum`, [1]);
      expect(rows).toEqual([{ sum: n + 1 }]);
    }
    expect(await preparedNames()).toHaveLength(64);
  });

  it('include a statement marked as repeated from its fifth use, regardless of others in between', async () => {
    const repeated = '/* repeated */ SELECT $1::int * 2 AS twice';
    for (let n = 0; n < 5; n += 1) {
      expect(await preparedNames()).not.toContain(repeated);
      const { rows } = await pool.query(repeated, [n]);
      expect(rows).toEqual([{ twice: 2 * n }]);
      for (let other = 0; other < 20; other += 1)
        await pool.query(`/* repeated */ SELECT $1::int - ${20 * n + other}`, [1]);
    }
    expect(await preparedNames()).toContain(repeated);
    expect(await preparedNames()).toHaveLength(65);
  });

  it('are limited to 24 repeated ones in addition to the marked ones, with correct results for all', async () => {
    for (let n = 0; n < 40; n += 1)
      for (let use = 0; use < 6; use += 1) {
        const { rows } = await pool.query(`/* repeated */ SELECT $1::int + ${n} AS sum`, [use]);
        expect(rows).toEqual([{ sum: n + use }]);
      }
    expect(await preparedNames()).toHaveLength(64 + 24);
  });

  it('count the uses of only the last 100 repeated texts', async () => {
    const database = new Pool({
      connectionString: pool.options.connectionString,
      max: 1,
      Client: clientWithPreparedStatements(),
    });
    for (let n = 0; n < 5; n += 1)
      for (let other = 0; other <= 100; other += 1)
        await database.query(`/* repeated */ SELECT $1::int + ${other} AS sum`, [n]);
    const { rows } = await database.query('SELECT count(*)::int AS kept FROM pg_prepared_statements');
    await database.end();
    expect(rows).toEqual([{ kept: 0 }]);
  });
});
