import { Client } from 'pg';
import type { LargeDatabase } from './deployment.ts';

/** The number of users who cause the activities. */
export const USERS = 200;
const APPLICATIONS = 300;
const PROJECTS = 2000;
const STANDARDS = 500;
const YEAR_MILLISECONDS = 365 * 86_400_000;

/** From the most frequent to the rarest: each half as frequent as the one before. */
const NAMES = [
  'MarkedTaskActivity',
  'UpdatedStandardActivity',
  'ChangedProjectSurveyActivity',
  'AddedNoteActivity',
  'RecalculatedProjectActivity',
  'AddedUserToProjectActivity',
  'CreatedProjectActivity',
  'UpdatedWeaknessActivity',
  'CreatedStandardActivity',
  'DeletedStandardActivity',
  'CreatedUserActivity',
  'ArchivedProjectActivity',
  'CreatedRoleActivity',
  'DisabledWebhookActivity',
];

/** Activities of thirteen months, written as they happen: by users of one organization, in projects of applications. */
const SEED = `
  INSERT INTO activity (organization_id, actor_id, name, text, data, icon, log_level, occurred_at)
  SELECT $1, (ARRAY(SELECT id FROM user_account WHERE organization_id = $1 ORDER BY id))[1 + n % ${USERS}], kind,
    '*User ' || n % ${USERS} || '* did thing ' || md5(n::text) || ' in [Project ' || project || '](/activity-redirect/project/' || project || '/)',
    CASE WHEN kind LIKE '%Project%' OR kind LIKE '%Task%' OR kind LIKE '%Note%'
      THEN jsonb_build_object('project', project, 'project_desc', 'Project ' || project, 'application',
        project % ${APPLICATIONS},
        'application_desc', 'Application', 'business_unit', project % 10, 'business_unit_desc', 'Unit')
      ELSE '{}' END
    || CASE WHEN kind LIKE '%Standard%' OR kind LIKE '%Task%'
      THEN jsonb_build_object('standard', 'T' || 1 + n % ${STANDARDS}, 'standard_desc', 'Hash passwords') ELSE '{}' END
    || CASE WHEN kind LIKE '%User%' THEN jsonb_build_object('user', 'U' || n % ${USERS}, 'user_desc', 'A user')
      ELSE '{}' END,
    'check', 'user', now() - interval '395 days' * (1 - n::float8 / $2)
  FROM (SELECT n, 1 + (hashint4(n) & 2147483647) % $6::int AS project,
    ($3::text[])[least(${NAMES.length}, 1 + floor(-log(2, (1 + (hashint4(n + 1) & 1048575)) / 1048577.0))::int)] AS kind
    FROM generate_series($4::int, $5::int) n) made`;

const PIECE = 500_000;

/** The size of the activities on disk, in readable units. */
interface Size {
  readonly table: string;
  readonly indexes: string;
}

/** Fills the database's organization with activities. */
export async function seedActivities({ url, organization }: LargeDatabase, count: number): Promise<Size> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await seed(client, organization, count);
    const { rows } = await client.query<Size>(
      `SELECT pg_size_pretty(pg_table_size('activity')) AS table,
        pg_size_pretty(pg_indexes_size('activity')) AS indexes`,
    );
    return rows[0] ?? { table: '', indexes: '' };
  } finally {
    await client.end();
  }
}

/** Adds the users that activities are written by. */
export async function insertUsers(client: Client, organization: number): Promise<void> {
  await client.query(
    `INSERT INTO user_account (organization_id, email, first_name, last_name, role_id)
     SELECT $1, 'bench' || n || '@example.com', 'Bench', n::text, (SELECT id FROM global_role WHERE item_id = 'UR1')
     FROM generate_series(1, ${USERS}) n`,
    [organization],
  );
}

async function seed(client: Client, organization: number, count: number): Promise<void> {
  await insertUsers(client, organization);
  await client.query(`INSERT INTO business_unit (organization_id, name, slug) VALUES ($1, 'Bench', 'bench')`, [
    organization,
  ]);
  await client.query(
    `INSERT INTO application (organization_id, business_unit_id, name, slug)
     SELECT organization_id, id, 'Bench', 'bench' FROM business_unit WHERE organization_id = $1`,
    [organization],
  );
  await client.query(
    `INSERT INTO project (organization_id, application_id, name, slug)
     SELECT organization_id, id, n::text, n::text FROM application, generate_series(1, ${PROJECTS}) n
       WHERE organization_id = $1`,
    [organization],
  );
  await client.query(
    `INSERT INTO project_member (project_id, user_id, role)
     SELECT p.id, (SELECT min(id) FROM user_account WHERE organization_id = $1), 'PR4' FROM project p
       WHERE p.id % 50 = 0`,
    [organization],
  );
  await insertActivities(client, organization, count, PROJECTS);
}

/** Inserts activities in projects of the numbers from 1 on. Indexes are made at the end, which is faster. */
export async function insertActivities(
  client: Client,
  organization: number,
  count: number,
  projects: number,
): Promise<void> {
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'activity' AND indexname <> 'activity_pkey'`,
  );
  for (const { indexname } of indexes) await client.query(`DROP INDEX ${indexname}`);
  await client.query(`SET maintenance_work_mem = '512MB'`);
  for (let first = 1; first <= count; first += PIECE)
    await client.query(SEED, [organization, count, NAMES, first, Math.min(count, first + PIECE - 1), projects]);
  for (const { indexdef } of indexes) await client.query(indexdef);
  await client.query('VACUUM ANALYZE activity');
}

const some = (count: number): number => 1 + Math.floor(Math.random() * count);
const stream = (query: Record<string, string | number> = {}): string =>
  `/activity-stream/?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
const past = (): string => new Date(Date.now() - Math.random() * YEAR_MILLISECONDS).toISOString();

/** The measured requests. Those with a random value differ each time. */
export const PAGES: readonly { readonly name: string; readonly path: () => string }[] = [
  { name: 'newest', path: () => stream() },
  { name: 'newest 1,000', path: () => stream({ page_size: 1000 }) },
  { name: 'up to a time in the past year', path: () => stream({ date_to: past() }) },
  { name: 'a frequent name', path: () => stream({ name: 'MarkedTaskActivity', date_to: past() }) },
  { name: 'a rare name', path: () => stream({ name: 'DisabledWebhookActivity' }) },
  {
    name: 'several names, frequent and rare',
    path: () => stream({ name__in: `${NAMES[2]},${NAMES[9]},${NAMES[13]}` }),
  },
  { name: 'an actor', path: () => stream({ actor: some(USERS) }) },
  { name: 'an actor and a name', path: () => stream({ actor: some(USERS), name: 'CreatedProjectActivity' }) },
  { name: 'a project', path: () => stream({ project: some(PROJECTS) }) },
  { name: 'a project and a name', path: () => stream({ project: some(PROJECTS), name: 'ArchivedProjectActivity' }) },
  {
    name: 'several projects',
    path: () => stream({ project__in: Array.from({ length: 20 }, () => some(PROJECTS)).join() }),
  },
  { name: 'an application', path: () => stream({ application: some(APPLICATIONS) - 1 }) },
  { name: 'a user', path: () => stream({ user: `U${some(USERS)}` }) },
  { name: 'a countermeasure', path: () => stream({ standard: `T${some(STANDARDS)}` }) },
  { name: 'search for a rare word', path: () => stream({ search: some(0xff_ff_ff).toString(16).padStart(6, '0') }) },
  { name: 'search for a frequent word', path: () => stream({ search: 'did' }) },
  { name: 'search for two words', path: () => stream({ search: `Project ${some(PROJECTS)}` }) },
  { name: "the caller's own, 40 projects", path: () => '/users/me/activity-stream/' },
];
