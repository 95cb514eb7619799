import { Client } from 'pg';
import { useTestApi } from '#test/support/api.js';
import { startTestWorker } from '#test/support/worker.js';

const test = useTestApi();
const rejected = /permission denied|must be (owner|superuser)|must be able to|only roles with|may (alter|create)/i;

describe('The database role of the API and the worker', () => {
  let application: Client;
  let owner: string;
  beforeAll(async () => {
    application = new Client({ connectionString: test.database.applicationUrl });
    await application.connect();
    owner = decodeURIComponent(new URL(test.database.url).username);
  });
  afterAll(() => application.end());

  it('is used for all connections and has no administrator attributes', async () => {
    const worker = await startTestWorker({ DATABASE_URL: test.database.applicationUrl });
    try {
      await test.api.get('/library/tasks/', { page_size: 1 });
      const roles = await test.database.query(
        `SELECT DISTINCT rolname, rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS powerful
         FROM pg_stat_activity JOIN pg_roles ON rolname = usename
         WHERE datname = current_database() AND application_name IN ('merlon api', 'merlon worker', 'merlon queues')`,
      );
      expect(roles).toEqual([{ rolname: 'merlon_app', powerful: false }]);
    } finally {
      await worker.stop();
    }
  });

  it('owns nothing', async () => {
    const owned = await test.database.query(`
      SELECT relname AS name FROM pg_class WHERE relowner = 'merlon_app'::regrole
      UNION ALL SELECT proname FROM pg_proc WHERE proowner = 'merlon_app'::regrole
      UNION ALL SELECT nspname FROM pg_namespace
      WHERE nspowner = 'merlon_app'::regrole AND NOT starts_with(nspname, 'pg_temp')`);
    expect(owned).toEqual([]);
  });

  it('can read and write every table except those that only releases and catalogs fill', async () => {
    const { rows } = await application.query<{ table: string; may: string[] }>(`
      SELECT c.oid::regclass::text AS "table", array(
        SELECT "right" FROM unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) AS "right"
        WHERE has_table_privilege(c.oid, "right")) AS may
      FROM pg_class c WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, 'bullmq'::regnamespace)
      ORDER BY 1`);
    const writable = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
    expect(rows.filter(({ may }) => may.join() !== writable.join())).toEqual(
      [
        'bullmq.migration',
        'capec',
        'catalog_import',
        'category',
        'component_icon',
        'cwe',
        'library_release',
        'mikro_orm_migrations',
        'release_change',
        'task_status',
        'threat_framework',
        'threat_framework_entry',
      ].map((table) => ({ table, may: ['SELECT'] })),
    );
    expect(rows.length).toBeGreaterThan(80);
  });

  it.each([
    ['create a table', 'CREATE TABLE mine (id int)'],
    ['create a table for the queue', 'CREATE TABLE bullmq.mine (id int)'],
    ['create a schema', 'CREATE SCHEMA mine'],
    ['create a function', `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`],
    ['create a reporting view', 'CREATE VIEW reporting.mine AS SELECT 1'],
    ['create an extension', 'CREATE EXTENSION plperl'],
    ['create a role', 'CREATE ROLE mine'],
    ['create a database', 'CREATE DATABASE mine'],
    ['become a superuser', 'ALTER ROLE merlon_app SUPERUSER'],
    ['bypass row-level security', 'ALTER ROLE merlon_app BYPASSRLS'],
    ['drop a table', 'DROP TABLE activity'],
    ['alter a table', 'ALTER TABLE activity ADD COLUMN mine int'],
    ['truncate a table', 'TRUNCATE activity'],
    ['disable triggers', 'ALTER TABLE project DISABLE TRIGGER ALL'],
    ['bypass triggers', `SET session_replication_role = 'replica'`],
    ['disable row-level security', 'ALTER TABLE project DISABLE ROW LEVEL SECURITY'],
    ['record a migration', `INSERT INTO mikro_orm_migrations (name) VALUES ('mine')`],
    ['change data that organizations share', `UPDATE cwe SET title = 'Mine'`],
    ['read role passwords', 'SELECT * FROM pg_authid'],
    ['read files of the database server', `SELECT pg_read_file('PG_VERSION')`],
    ['copy from a file of the machine', `COPY pg_temp.mine FROM '/etc/passwd'`],
    ['copy to a file of the machine', `COPY cwe TO '/tmp/merlon-mine'`],
    ['run a program', `COPY cwe TO PROGRAM 'true'`],
    ['import a large object', `SELECT lo_import('/etc/passwd')`],
    ['change server settings', `ALTER SYSTEM SET fsync = 'off'`],
    [
      'change database settings',
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET fsync = off', current_database()); END $$`,
    ],
  ])('cannot %s', async (_, statement) => {
    await application.query('CREATE TEMPORARY TABLE IF NOT EXISTS mine (line text)');
    await expect(application.query(statement)).rejects.toThrow(rejected);
  });

  it('cannot become the owner', async () => {
    await expect(application.query(`SET ROLE "${owner}"`)).rejects.toThrow(rejected);
    await expect(application.query(`SET SESSION AUTHORIZATION "${owner}"`)).rejects.toThrow(rejected);
    await expect(application.query(`GRANT "${owner}" TO merlon_app`)).rejects.toThrow(rejected);
  });

  it('can read reporting views only as the reporting role', async () => {
    await expect(application.query('SELECT 1 FROM reporting.project')).rejects.toThrow(rejected);
    await application.query('BEGIN; SET LOCAL ROLE merlon_reporting');
    expect((await application.query('SELECT 1 FROM reporting.project')).rowCount).toBe(0);
    await application.query('ROLLBACK');
  });
});
