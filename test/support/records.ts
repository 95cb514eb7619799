import type { TestApi } from './api.js';
import type { Json } from './client.js';
import type { TestDatabase } from './database.js';

/** An activity as the database holds it. */
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

/** Changes of no interest: when a token was last used is noted by every request. */
const IGNORED = ['api_token'];

/** A fingerprint of every row of every table. */
export async function fingerprint(database: TestDatabase): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1) ORDER BY 1`,
    [IGNORED],
  );
  // Where a row stands and which transaction wrote it is another one after every change, and is cheap to read.
  const parts = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*) || ' rows, ' || coalesce(sum(hashtextextended(ctid::text || xmin::text, 0)), 0) AS hash FROM "${name}"`,
  );
  const rows = await database.query<{ name: string; hash: string }>(parts.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

/** Runs `action` and fails where any row of any table is another one afterwards. */
export async function changesNothing<Result>(test: TestApi, action: () => Promise<Result>): Promise<Result> {
  const before = await fingerprint(test.database);
  const result = await action();
  expect(await fingerprint(test.database)).toEqual(before);
  return result;
}
