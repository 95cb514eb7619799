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

describe('Migrating as an owner who may not create roles', () => {
  const [owner, application] = [`owner_${randomBytes(4).toString('hex')}`, `app_${randomBytes(4).toString('hex')}`];
  let own: TestDatabase;
  beforeAll(async () => {
    own = await emptyDatabase();
    await own.query(`CREATE ROLE ${owner} LOGIN PASSWORD 'secret'`);
  });
  afterAll(async () => {
    await own.query(`REASSIGN OWNED BY ${owner} TO postgres; DROP OWNED BY ${owner}, ${application}`);
    await own.drop();
    await database.query(`DROP ROLE ${owner}, ${application}`);
  });

  const urlAs = (role: string): string => {
    const url = new URL(own.url);
    [url.username, url.password] = [role, 'secret'];
    return url.href;
  };
  const migrateAsOwner = () =>
    runAdmin(
      { DATABASE_URL: urlAs(application), DATABASE_OWNER_URL: urlAs(owner), SECRET_KEY: 'k'.repeat(40) },
      'migrate',
    );

  it('names everything that is missing in one message, with SQL after which it succeeds', async () => {
    const { code, error } = await migrateAsOwner();
    expect(code).toBe(1);
    const statements = [...error.matchAll(/^  (.*;)$/gm)].map(([, statement = '']) => statement);
    expect(statements).toEqual([
      `ALTER DATABASE ${new URL(own.url).pathname.slice(1)} OWNER TO ${owner};`,
      expect.stringMatching(new RegExp(`^CREATE ROLE ${application} LOGIN NOSUPERUSER .* PASSWORD '…';$`)),
      `GRANT merlon_organization TO ${owner} WITH INHERIT FALSE;`,
      `GRANT merlon_organization TO ${application} WITH INHERIT FALSE;`,
      `GRANT merlon_reporting TO ${owner} WITH ADMIN OPTION;`,
      `GRANT merlon_reporting TO ${application} WITH INHERIT FALSE;`,
    ]);
    await own.query(statements.join('\n').replace('…', 'secret'));
    expect(await migrateAsOwner()).toMatchObject({ code: 0, error: '' });
  });
});
