import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { runAdmin } from '#test/support/admin.js';
import { emptyDatabase, type TestDatabase } from '#test/support/database.js';

const role = `app_${randomBytes(4).toString('hex')}`;
let database: TestDatabase;
let applicationUrl: string;
beforeAll(async () => {
  database = await emptyDatabase();
  const url = new URL(database.url);
  [url.username, url.password] = [role, "it's"];
  applicationUrl = url.href;
});
afterAll(async () => {
  await database.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await database.drop();
});

const migrate = () =>
  runAdmin({ DATABASE_URL: applicationUrl, DATABASE_OWNER_URL: database.url, SECRET_KEY: 'k'.repeat(40) }, 'migrate');

async function asApplication(statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: applicationUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

const attributes = (): Promise<unknown[]> =>
  database.query(
    'SELECT rolcanlogin, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls FROM pg_roles WHERE rolname = $1',
    [role],
  );

const PLAIN = { rolcanlogin: true, rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolbypassrls: false };

describe('Migrating with DATABASE_OWNER_URL', () => {
  it('creates the role of DATABASE_URL if it does not exist, and makes the owner own the tables', async () => {
    expect(await migrate()).toMatchObject({ code: 0, error: '' });
    expect(await attributes()).toEqual([PLAIN]);
    const owners = await database.query(
      `SELECT DISTINCT tableowner = current_user AS ours FROM pg_tables WHERE schemaname IN ('public', 'bullmq')`,
    );
    expect(owners).toEqual([{ ours: true }]);
  });

  it('grants the role access to rows, the queue and reports, even after an earlier migration', async () => {
    await database.query(`DROP OWNED BY ${role}`);
    await expect(asApplication('SELECT 1 FROM organization')).rejects.toThrow('permission denied');
    expect(await migrate()).toMatchObject({ code: 0, error: '', result: { migrations: [] } });
    const insert = `INSERT INTO organization (name) VALUES ('Theirs')`;
    await expect(asApplication(insert)).rejects.toThrow('row-level security');
    await asApplication(`BEGIN; SET LOCAL merlon.organization = 'every'; ${insert}; COMMIT`);
    expect(await asApplication('SELECT name FROM organization')).toEqual([{ name: 'Theirs' }]);
    expect(await asApplication('SELECT count(*)::int AS jobs FROM bullmq.job')).toEqual([{ jobs: 0 }]);
    const bound = `BEGIN; SET LOCAL ROLE merlon_organization; SET LOCAL merlon.organization = '1'`;
    await asApplication(`${bound}; SELECT 1 FROM project; COMMIT`);
    await asApplication('BEGIN; SET LOCAL ROLE merlon_reporting; SELECT 1 FROM reporting.project; COMMIT');
  });

  it('lets only the role and the owner create temporary tables', async () => {
    const rows = await database.query(
      `SELECT rolname AS name FROM pg_roles WHERE NOT rolsuper
         AND has_database_privilege(oid, current_database(), 'TEMPORARY') ORDER BY 1`,
    );
    expect(rows).toEqual([{ name: role }, { name: 'merlon' }]);
  });

  it('revokes excess privileges of the role, and rejects a role that bypasses row-level security', async () => {
    await database.query(`GRANT TRUNCATE ON organization TO ${role}; GRANT INSERT ON cwe TO ${role}`);
    expect(await migrate()).toMatchObject({ code: 0 });
    await expect(asApplication('TRUNCATE organization')).rejects.toThrow('permission denied');
    await expect(asApplication('INSERT INTO cwe DEFAULT VALUES')).rejects.toThrow('permission denied');

    await database.query(`ALTER ROLE ${role} BYPASSRLS`);
    expect(await migrate()).toMatchObject({
      code: 1,
      error: expect.stringContaining(`ALTER ROLE "${role}" NOSUPERUSER`),
    });
    await database.query(`ALTER ROLE ${role} NOBYPASSRLS`);
  });
});
