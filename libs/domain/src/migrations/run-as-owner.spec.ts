import { Client } from 'pg';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';

/** A call of each function that runs as its owner. */
const CALLS: Readonly<Record<string, string>> = {
  email_is_taken: `public.email_is_taken('ada@example.com', 0)`,
};

const USED = /a temporary object was used by|view/;

let database: TestDatabase;
let application: Client;
beforeAll(async () => {
  database = await cloneDatabase();
  application = new Client({ connectionString: database.applicationUrl });
  await application.connect();
  await coverEverything();
});
afterAll(async () => {
  await application.end();
  await database.drop();
});

/** Creates a temporary view for each table and a temporary function for each function, which fail if they are used. */
async function coverEverything(): Promise<void> {
  await application.query(`CREATE FUNCTION pg_temp.used() RETURNS boolean LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'a temporary object was used by %', current_user; END $$`);
  await application.query(`DO $$
    DECLARE covered record;
    BEGIN
      FOR covered IN SELECT DISTINCT ON (relname) relname AS name, oid::regclass AS source FROM pg_class
        WHERE relkind IN ('r', 'v') AND relnamespace IN ('public'::regnamespace, 'bullmq'::regnamespace)
      LOOP
        EXECUTE format('CREATE TEMPORARY VIEW %I AS
          SELECT original.* FROM (SELECT pg_temp.used() AS used) caught LEFT JOIN %s original ON used',
          covered.name, covered.source);
      END LOOP;
      FOR covered IN SELECT proname AS name, pg_get_function_identity_arguments(p.oid) AS arguments,
          pg_get_function_result(p.oid) AS result
        FROM pg_proc p JOIN pg_language l ON l.oid = prolang
        WHERE pronamespace = 'public'::regnamespace AND lanname IN ('sql', 'plpgsql') OR p.oid = 'lower(text)'::regprocedure
      LOOP
        EXECUTE format('CREATE FUNCTION pg_temp.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L',
          covered.name, covered.arguments, covered.result, 'DECLARE used boolean; BEGIN used := pg_temp.used(); END');
      END LOOP;
    END $$`);
}

/** Runs statements as the application, bound to every organization, and undoes them. Returns the error's message. */
async function attempt(statement: string): Promise<string> {
  await application.query(`BEGIN; SET LOCAL merlon.organization = 'every'`);
  try {
    await application.query(statement);
    return '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await application.query('ROLLBACK');
  }
}

const names = async (statement: string): Promise<string[]> =>
  (await database.query<{ name: string }>(statement)).map(({ name }) => name);

describe('Temporary objects of the application', () => {
  it('come first when the application itself uses a name', async () => {
    expect(await attempt('SELECT 1 FROM library_change')).toMatch(USED);
  });

  it('are not used by any function that runs as its owner', async () => {
    const definers = await names(`SELECT proname AS name FROM pg_proc
      WHERE prosecdef AND pronamespace <> 'pg_catalog'::regnamespace`);
    expect(definers).toEqual(Object.keys(CALLS));
    for (const call of Object.values(CALLS)) expect([call, await attempt(`SELECT ${call}`)]).toEqual([call, '']);
  });

  it('are not used by triggers, although PostgreSQL runs those of cascading foreign keys as the owner', async () => {
    const tables = await names(`SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`);
    const outcomes = new Map<string, string>();
    for (const table of tables) outcomes.set(table, await attempt(`DELETE FROM public."${table}"`));
    expect([...outcomes].filter(([, message]) => USED.test(message))).toEqual([]);
    const deleted = tables.filter((table) => outcomes.get(table) === '');
    expect(deleted).toEqual(expect.arrayContaining(['countermeasure', 'match_condition', 'threat']));
  });

  it('do not come first in a search path of any function that may run as the owner', async () => {
    const rows = await database.query(
      `SELECT p.oid::regprocedure::text AS name, proconfig AS settings FROM pg_proc p
       WHERE pronamespace = 'public'::regnamespace AND (prosecdef OR prorettype = 'trigger'::regtype)
         AND NOT coalesce(proconfig[1] = 'search_path=pg_catalog, pg_temp'
           OR proconfig[1] = 'search_path=pg_catalog, public, pg_temp' AND NOT prosecdef, false)`,
    );
    expect(rows).toEqual([]);
  });
});

describe('The owner', () => {
  it('is no super-user, and no role of the service can become one', async () => {
    const powerful = await names(`SELECT rolname AS name FROM pg_roles
      WHERE rolname LIKE 'merlon%' AND (rolsuper OR rolbypassrls OR rolreplication)`);
    expect(powerful).toEqual([]);
    const owners = await names(`SELECT DISTINCT tableowner AS name FROM pg_tables
      WHERE schemaname IN ('public', 'bullmq')`);
    expect(owners).toEqual(['merlon']);
  });
});

describe('The application', () => {
  it('can become only the two roles that see less', async () => {
    const roles = await names(`SELECT rolname AS name FROM pg_roles WHERE rolname <> 'merlon_app' ORDER BY 1`);
    const assumable: string[] = [];
    for (const role of roles) if ((await attempt(`SET LOCAL ROLE "${role}"`)) === '') assumable.push(role);
    expect(assumable).toEqual(['merlon_organization', 'merlon_reporting']);
  });

  it.each([
    ['grant itself a role', 'GRANT merlon TO merlon_app'],
    ['grant itself a role of the server', 'GRANT pg_execute_server_program TO merlon_app'],
    ['make itself a super-user', 'ALTER ROLE merlon_app SUPERUSER'],
    ['set the password of the owner', `ALTER ROLE merlon PASSWORD 'mine'`],
    ['change the path of a function', 'ALTER FUNCTION public.email_is_taken RESET search_path'],
    ['own a function', 'ALTER FUNCTION public.note_library_change OWNER TO merlon_app'],
    ['add a trigger', 'CREATE TRIGGER mine BEFORE DELETE ON public.project EXECUTE FUNCTION pg_temp.used()'],
  ])('cannot %s', async (_, statement) => {
    expect(await attempt(statement)).toMatch(/permission denied|must be owner|must be able|Only roles|option/i);
  });
});
