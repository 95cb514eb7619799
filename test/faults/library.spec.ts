import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from '../support/eventually.js';
import { type DurableDatabase, durableDatabase } from '../support/durable-database.js';
import { WORKER_SETTINGS } from '../support/worker.js';

const root = path.resolve(import.meta.dirname, '../..');

describe('An upgrade of the starter library', () => {
  let database: DurableDatabase;
  beforeAll(async () => void (database = await durableDatabase()), 90_000);
  afterAll(() => database.drop());

  const load = () =>
    spawn(process.execPath, [path.join(root, 'dist/apps/admin/src/main.js'), 'library', 'load'], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', SECRET_KEY: WORKER_SETTINGS.SECRET_KEY, DATABASE_URL: database.url },
    });

  /** A digest of all originals, and the number of recorded releases. */
  const state = async (): Promise<unknown> =>
    (
      await database.query(
        `SELECT (SELECT count(*) FROM library_release) AS releases, (SELECT count(*) FROM release_change) AS changes,
           (SELECT md5(string_agg(v::text, '' ORDER BY v.id)) FROM countermeasure_version v) AS versions`,
      )
    )[0];

  it('changes nothing if it is killed before its end, and is complete when it is repeated', async () => {
    // Another release was loaded last, and it had other texts.
    await database.query('DELETE FROM library_release');
    await database.query(`UPDATE countermeasure_version SET title = 'Old: ' || title WHERE organization_id IS NULL`);
    const before = await state();
    const killed = load();
    // The transaction has changed rows as soon as it has taken a transaction id.
    await eventually(async () => {
      const [row] = await database.query<{ running: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND backend_xid IS NOT NULL) AS running`,
      );
      return row?.running === true;
    }, 60);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await eventually(async () => {
      const [row] = await database.query<{ running: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND backend_xid IS NOT NULL) AS running`,
      );
      return row?.running === false;
    }, 60);
    expect(await state()).toEqual(before);
    const [code] = (await once(load(), 'exit')) as [number | null];
    expect(code).toBe(0);
    const [row] = await database.query<{ left: number; releases: number }>(
      `SELECT (SELECT count(*)::int FROM countermeasure_version
           WHERE organization_id IS NULL AND title LIKE 'Old: %') AS left,
         (SELECT count(*)::int FROM library_release) AS releases`,
    );
    expect(row).toEqual({ left: 0, releases: 1 });
  }, 180_000);
});
