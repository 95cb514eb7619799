// Starts a PostgreSQL server of its own for a check.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.js';
import { superuserUrl } from '../../support/superuser.ts';

/** Calls `work` with the superuser's address, and with `pool`, which connects as a role that has the password `x`. */
export async function withPostgres(work) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'how-to-postgres-'));
  const directory = path.join(folder, 'postgres');
  const server = await startEmbeddedPostgres({ directory, settings: { max_connections: '100' } });
  const url = await superuserUrl(directory, server);
  const pool = (role, database) => {
    const address = new URL(url);
    if (role) Object.assign(address, { username: role, password: 'x' });
    if (database) address.pathname = `/${database}`;
    const opened = new pg.Pool({ connectionString: address.href, max: 20 });
    // The end of the server ends its connections, also those that a failed check still holds.
    opened.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
    return opened;
  };
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  // The runner ends a check that takes too long.
  process.once('SIGTERM', () => void stop().finally(() => process.exit(1)));
  try {
    await work({ url, pool });
  } finally {
    await stop();
  }
}
