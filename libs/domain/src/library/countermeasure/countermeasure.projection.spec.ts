import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, TypeOverrides } from 'pg';
import { readBigIntegers } from '#query/big-integers.js';
import { parseQuery } from '#query/parameters.js';
import { clientWithPreparedStatements } from '#query/prepared-statements.js';
import { Reader } from '#query/reader.js';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';
import { countermeasureProjection } from './countermeasure.projection.js';

const reader = new Reader({ acquireListSlot: () => () => undefined });

describe('The list of countermeasures', () => {
  let test: TestDatabase;
  let database: Kysely<unknown>;

  beforeAll(async () => {
    test = await cloneDatabase();
    const types = new TypeOverrides();
    const pool = new Pool({ connectionString: test.url, max: 1, types, Client: clientWithPreparedStatements() });
    // A connection may still be closing when the database is dropped.
    pool.on('error', () => undefined);
    readBigIntegers(pool);
    database = new Kysely({ dialect: new PostgresDialect({ pool }) });
  });

  afterAll(async () => {
    await database.destroy();
    await test.drop();
  });

  const read = async (query: Record<string, string>): Promise<void> => {
    const openSnapshot = () => Promise.reject(new Error('This list is a large one.'));
    const view = parseQuery(countermeasureProjection, 'list', { page_size: '20', ...query }, true);
    await reader.list({ database, openSnapshot }, countermeasureProjection, { id: 1, organizationId: 1 }, view);
  };

  const kept = async (): Promise<number> => {
    const { rows } = await sql<{ kept: number }>`
      SELECT count(*)::int AS kept FROM pg_prepared_statements WHERE statement LIKE '%repeated%'`.execute(database);
    return rows[0]?.kept ?? NaN;
  };

  it('reuses the query plan only for the first page without filter and search', async () => {
    for (const query of [{ search: 'input' }, { priority: '5' }, { page: '2' }] as Record<string, string>[])
      for (let use = 0; use < 8; use += 1) await read(query);
    expect(await kept()).toBe(0);
    for (let use = 0; use < 8; use += 1) await read({ ordering: 'title' });
    expect(await kept()).toBe(1);
  });

  it('is searched through an index that reads few pages even after thousands of changes', async () => {
    await test.query('ALTER TABLE countermeasure_version SET (autovacuum_enabled = false)');
    await test.query(`INSERT INTO organization (name) VALUES ('Large')`);
    const large = `(SELECT id FROM organization WHERE name = 'Large')`;
    await test.query(`SELECT set_config('merlon.organization', 'every', false)`);
    const statements = [
      `WITH made AS (
         INSERT INTO countermeasure (organization_id, number) SELECT ${large}, n FROM generate_series(1, 10000) n
         RETURNING id, organization_id, number)
       INSERT INTO countermeasure_version (countermeasure_id, organization_id, is_custom, number, title, text,
         weakness_id, phase_id, priority)
       SELECT id, organization_id, true, number, 'Countermeasure ' || md5(number::text), 'Text.',
         (SELECT min(id) FROM weakness), (SELECT min(id) FROM phase), 5 FROM made`,
      'VACUUM ANALYZE countermeasure_version',
      `UPDATE countermeasure_version SET priority = 6 WHERE organization_id = ${large} AND number <= 3000`,
    ];
    for (const statement of statements) await test.query(statement);
    const rows = await test.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS) SELECT * FROM countermeasure_version
       WHERE organization_id = ${large} AND search_text ILIKE '%abc%' ORDER BY is_custom, number LIMIT 100`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const read = /Index Scan on countermeasure_version_search[^]*?Buffers: shared hit=(\d+)/.exec(plan)?.[1];
    expect(Number(read)).toBeLessThan(50);
  });
});
