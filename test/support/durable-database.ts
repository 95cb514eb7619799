import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.js';
import { readPostmaster } from '#platform/embedded-postgres/postmaster.js';
import { observe, type TestDatabase } from './database.js';
import { makeTemplate, PREFIX } from './database-server.js';
import { superuserUrl } from './superuser.js';

/** A database on a separate server that writes commits to the disk. */
export interface DurableDatabase extends TestDatabase {
  /** Kills all processes of the server, without a shutdown. */
  kill(): Promise<void>;
  /** Starts the server again, under the same URL. */
  restart(): Promise<void>;
  /** Kills the server and starts it again. */
  crash(): Promise<void>;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has just ended.
  }
}

/** Starts a server with the settings of production, for tests of crashes. */
export async function durableDatabase(): Promise<DurableDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), `${PREFIX}${process.pid}-`));
  const directory = path.join(folder, 'postgres');
  const server = await startEmbeddedPostgres({ directory, settings: { max_connections: '100' } });
  const url = await superuserUrl(directory, server);
  const { pool, ...queries } = observe(url);
  const drop = async (): Promise<void> => {
    await pool.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(server);
    const settings = await queries.query(
      `SELECT name FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes') AND setting = 'on'`,
    );
    if (settings.length < 3) throw new Error('The server would lose commits.');
  } catch (error) {
    await drop();
    throw error;
  }
  const killAll = async (): Promise<void> => {
    const children = await queries.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
    // First the postmaster, which would start others.
    for (const pid of [readPostmaster(directory)?.pid, ...children.map((child) => child.pid)]) if (pid) kill(pid);
  };
  const restart = (): Promise<void> => server.restart();
  const crash = async (): Promise<void> => {
    await killAll();
    await restart();
  };
  return {
    url,
    ownerUrl: server.url,
    applicationUrl: server.applicationUrl,
    ...queries,
    kill: killAll,
    restart,
    crash,
    drop,
  };
}
