import type { TestApi } from './api.js';
import { type Json, runningRequests } from './client.js';
import type { TestDatabase } from './database.js';

/** An activity as stored in the database. */
export interface ActivityRow {
  name: string;
  organization_id: string;
  actor_id: string | null;
  text: string;
  data: { [key: string]: Json };
  icon: string;
  log_level: string;
}

/** The activities that `action` writes, oldest first. */
export async function activitiesOf(test: TestApi, action: () => Promise<unknown>): Promise<ActivityRow[]> {
  const [last] = await test.database.query<{ id: string }>('SELECT coalesce(max(id), 0) AS id FROM activity');
  await action();
  return test.database.query<ActivityRow>(
    'SELECT name, organization_id, actor_id, text, data, icon, log_level FROM activity WHERE id > $1 ORDER BY id',
    [last?.id],
  );
}

/** Ignored tables: every request records the last use of its token, and limits also count rejected requests. */
const IGNORED = ['api_token', 'rate_limit'];

/** The fingerprint statement of each database, whose tables do not change. */
const statements = new WeakMap<TestDatabase, Promise<string>>();

async function fingerprintStatement(database: TestDatabase): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1) ORDER BY 1`,
    [IGNORED],
  );
  // Sums the ids of the transactions that wrote the rows: any change increases the sum or reduces the number of rows.
  // `age` counts backwards from now; transaction ids themselves can't be added.
  const parts = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name,
        count(*) || ' rows, ' || (count(*) * age('3'::xid) - coalesce(sum(age(xmin)), 0)) AS hash FROM "${name}"`,
  );
  return parts.join(' UNION ALL ');
}

/** A fingerprint of every row of every table. */
export async function fingerprint(database: TestDatabase): Promise<Record<string, string>> {
  const statement = statements.get(database) ?? fingerprintStatement(database);
  statements.set(database, statement);
  const rows = await database.queryAgain<{ name: string; hash: string }>('fingerprint', await statement);
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

/**
 * Runs `action` and fails if any row of any table has changed. Also fails if a request is already running, because its
 * changes could be in the first fingerprint.
 */
export async function changesNothing<Result>(
  test: Pick<TestApi, 'database'>,
  action: () => Promise<Result>,
): Promise<Result> {
  if (runningRequests()) throw new Error('A request began before the first fingerprint. Start it inside the action.');
  const before = await fingerprint(test.database);
  const result = await action();
  expect(await fingerprint(test.database)).toEqual(before);
  return result;
}

/** Tables with rows of an organization (`$1`), each with the condition that selects them on the alias `t`. */
async function ownership(database: TestDatabase): Promise<ReadonlyMap<string, string>> {
  const owned = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public'
      AND column_name = 'organization_id'`,
  );
  const links = await database.query<{ child: string; column: string; parent: string; key: string }>(
    `SELECT conrelid::regclass::text AS child, c.attname AS column, confrelid::regclass::text AS parent,
      k.attname AS key
     FROM pg_constraint JOIN pg_attribute c ON c.attrelid = conrelid AND c.attnum = conkey[1]
     JOIN pg_attribute k ON k.attrelid = confrelid AND k.attnum = confkey[1]
     WHERE contype = 'f' AND cardinality(conkey) = 1 AND connamespace = 'public'::regnamespace`,
  );
  const ownedTables = new Set(owned.map(({ name }) => name));
  /** The condition on the alias `t`, or undefined if nothing connects a table to an organization. */
  const conditionOf = (table: string, alias: string): string | undefined => {
    if (table === 'organization') return `${alias}.id = $1`;
    if (ownedTables.has(table)) return `${alias}.organization_id = $1`;
    const above = links.filter(({ child, parent }) => child === table && parent !== table);
    const conditions = above.flatMap(({ column, parent, key }) => {
      const condition = conditionOf(parent, `${alias}_`);
      return condition
        ? [
            `EXISTS (SELECT FROM "${parent}" ${alias}_ WHERE ${alias}_."${key}" = ${alias}."${column}"
              AND (${condition}))`,
          ]
        : [];
    });
    return conditions.length ? conditions.join(' OR ') : undefined;
  };
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  return new Map(
    tables.flatMap(({ name }) => {
      const condition = conditionOf(name, 't');
      return condition && !IGNORED.includes(name) ? [[name, condition] as const] : [];
    }),
  );
}

/** The number of an organization's rows in each table, and their content. */
export async function fingerprintOf(
  database: TestDatabase,
  organizationId: number,
): Promise<Record<string, { readonly rows: number; readonly hash: string | null }>> {
  const parts = [...(await ownership(database))].map(
    ([table, condition]) =>
      `SELECT '${table}' AS name, count(*)::integer AS rows,
        md5(string_agg(t::text, '' ORDER BY t::text COLLATE "C")) AS hash
       FROM "${table}" t WHERE ${condition}`,
  );
  const rows = await database.query<{ name: string; rows: number; hash: string | null }>(parts.join(' UNION ALL '), [
    organizationId,
  ]);
  return Object.fromEntries(rows.map(({ name, rows: count, hash }) => [name, { rows: count, hash }]));
}
