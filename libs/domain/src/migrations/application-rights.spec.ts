import { Client } from 'pg';
import { useTestApi } from '#test/support/api.js';
import { startTestWorker } from '#test/support/worker.js';

const test = useTestApi();
const refused = /permission denied|must be (owner|superuser)|must be able to|only roles with|may (alter|create)/i;

describe('The database role of API and worker', () => {
  let application: Client;
  let owner: string;
  beforeAll(async () => {
    application = new Client({ connectionString: test.database.applicationUrl });
    await application.connect();
    owner = decodeURIComponent(new URL(test.database.url).username);
  });
  afterAll(() => application.end());

  it('is what they connect as, and has no attribute of an administrator', async () => {
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

  it('may read and write the rows of every table but those that only releases and catalogs fill', async () => {
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
    ['make a table', 'CREATE TABLE mine (id int)'],
    ['make a table for the queue', 'CREATE TABLE bullmq.mine (id int)'],
    ['make a schema', 'CREATE SCHEMA mine'],
    ['make a function', `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`],
    ['make a view of reports', 'CREATE VIEW reporting.mine AS SELECT 1'],
    ['make an extension', 'CREATE EXTENSION plperl'],
    ['make a role', 'CREATE ROLE mine'],
    ['make a database', 'CREATE DATABASE mine'],
    ['give itself more', 'ALTER ROLE merlon_app SUPERUSER'],
    ['pass row-level security', 'ALTER ROLE merlon_app BYPASSRLS'],
    ['drop a table', 'DROP TABLE activity'],
    ['change a table', 'ALTER TABLE activity ADD COLUMN mine int'],
    ['empty a table', 'TRUNCATE activity'],
    ['disable triggers', 'ALTER TABLE project DISABLE TRIGGER ALL'],
    ['pass by triggers', `SET session_replication_role = 'replica'`],
    ['turn row-level security off', 'ALTER TABLE project DISABLE ROW LEVEL SECURITY'],
    ['say that a migration has run', `INSERT INTO mikro_orm_migrations (name) VALUES ('mine')`],
    ['change what is there for all', `UPDATE cwe SET title = 'Mine'`],
    ['read passwords of roles', 'SELECT * FROM pg_authid'],
    ['read files of the server', `SELECT pg_read_file('PG_VERSION')`],
    ['read a file of the machine', `COPY pg_temp.mine FROM '/etc/passwd'`],
    ['write a file of the machine', `COPY cwe TO '/tmp/merlon-mine'`],
    ['run a program', `COPY cwe TO PROGRAM 'true'`],
    ['import a large object', `SELECT lo_import('/etc/passwd')`],
    ['change settings of the server', `ALTER SYSTEM SET fsync = 'off'`],
    [
      'change settings of the database',
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET fsync = off', current_database()); END $$`,
    ],
  ])('may not %s', async (_, statement) => {
    await application.query('CREATE TEMPORARY TABLE IF NOT EXISTS mine (line text)');
    await expect(application.query(statement)).rejects.toThrow(refused);
  });

  it('may not become the owner', async () => {
    await expect(application.query(`SET ROLE "${owner}"`)).rejects.toThrow(refused);
    await expect(application.query(`SET SESSION AUTHORIZATION "${owner}"`)).rejects.toThrow(refused);
    await expect(application.query(`GRANT "${owner}" TO merlon_app`)).rejects.toThrow(refused);
  });

  it('sees reports as the role of reports only', async () => {
    await expect(application.query('SELECT 1 FROM reporting.project')).rejects.toThrow(refused);
    await application.query('BEGIN; SET LOCAL ROLE merlon_reporting');
    expect((await application.query('SELECT 1 FROM reporting.project')).rowCount).toBe(0);
    await application.query('ROLLBACK');
  });
});
