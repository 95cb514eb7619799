import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.js';
import { runAdmin } from '#test/support/admin.js';
import { folderInMemory } from '#test/support/memory.js';

let dataDir: string;
beforeAll(async () => void (dataDir = await folderInMemory(`merlon-test-${process.pid}-admin-`)));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const admin = (...words: string[]) => runAdmin({ DATA_DIR: dataDir }, ...words);

/** Rows of statements, from the deployment's own server, which runs in the meantime. */
async function rowsOf(...statements: string[]): Promise<unknown[][]> {
  const server = await startEmbeddedPostgres({ directory: path.join(dataDir, 'postgres') });
  const client = new Client({ connectionString: server.url });
  try {
    await client.connect();
    const rows: unknown[][] = [];
    for (const statement of statements) rows.push((await client.query<Record<string, unknown>>(statement)).rows);
    return rows;
  } finally {
    await client.end();
    await server.stop();
  }
}

describe('The commands backup and restore', () => {
  it('report errors in one line and leave no files behind', async () => {
    const nowhere = await admin('backup', path.join(dataDir, 'backup.tar'));
    expect(nowhere).toMatchObject({ code: 1, error: expect.stringMatching(/^There is nothing to back up: .*\n$/) });
    expect((await readdir(dataDir)).filter((name) => name.includes('backup.tar'))).toEqual([]);
    const text = path.join(dataDir, 'text');
    await writeFile(text, 'no backup');
    expect(await admin('restore', text)).toMatchObject({
      code: 1,
      error: 'The file is not a Merlon backup, or its start is damaged.\n',
    });
    expect(await admin('restore')).toMatchObject({ code: 1, error: '<file> is missing.\n' });
  }, 120_000);

  it('restore a deployment whose database folder has been deleted', async () => {
    expect(await admin('setup')).toMatchObject({ code: 0 });
    const file = path.join(dataDir, 'kept.tar');
    const written = await admin('backup', file);
    expect(written).toMatchObject({ code: 0, error: '', result: { file, files: 0, missing_files: [] } });
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    await rm(path.join(dataDir, 'postgres'), { recursive: true });
    const checked = await admin('restore', file, '--check');
    expect(checked).toMatchObject({ code: 0, result: { restored: false, rows: written.result['rows'] } });
    expect(await rowsOf(`SELECT 1 FROM pg_tables WHERE tablename = 'organization'`)).toEqual([[]]);

    const restored = await admin('restore', file);
    expect(restored).toMatchObject({ code: 0, error: '', result: { restored: true, rows: written.result['rows'] } });
    const [organizations, unseen] = await rowsOf(
      'SELECT name FROM organization',
      'SELECT 1 FROM activity WHERE transaction_id IS NOT NULL',
    );
    expect(organizations).toEqual([{ name: 'Default' }]);
    // The restored server is younger, so its transaction ids are lower: every activity must be visible nevertheless.
    expect(unseen).toEqual([]);

    // The service's own setup finds the database unchanged.
    expect(await admin('setup')).toMatchObject({
      code: 0,
      result: { fresh: false, migrations: [], library: { loaded: false }, token_added: false },
    });
    expect(await admin('restore', file)).toMatchObject({ code: 1, error: expect.stringContaining('--replace') });
  }, 300_000);
});
