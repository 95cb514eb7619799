import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { MikroORM } from '@mikro-orm/postgresql';

import { loadLibrary } from '#content/library/load/load-library.js';
import { migrate } from '#domain/migrations/migrate.js';
import { prepareQueueSchema } from '#jobs/queue-schema.js';
import { ormOptions } from '#orm';
import { ensureApplicationRole } from '#platform/database/application-role.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.js';
import { isAlive } from '#platform/process-identity.js';
import { folderInMemory, MEMORY } from './memory.js';
import { superuserUrl } from './superuser.js';

/** Prefix of the names of servers' folders; the id of the process that they belong to follows. */
export const PREFIX = 'merlon-test-';

/**
 * The data need not survive a failure of the machine, and deadlocks, which tests provoke, must be detected quickly.
 */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  max_connections: '200',
  deadlock_timeout: '100ms',
  // Databases exist for seconds, and their files are in memory: neither vacuum nor read-ahead is needed.
  autovacuum: 'off',
  io_method: 'sync',
  // Tables are small: parallel plans are never chosen, and planning them takes time.
  max_parallel_workers_per_gather: '0',
};

/** The server of a test run, with the template from which the database of each suite is copied. */
export interface DatabaseServer {
  /**
   * The template, for the super-user: migrated, with the starter library and the built-in roles. Do not stay connected
   * to it.
   */
  readonly url: string;
  /** The template, for the owner of its tables, who is no super-user. */
  readonly ownerUrl: string;
  /** The template, for the role of the API and the worker, which has its privileges in every copy. */
  readonly applicationUrl: string;
  /** The faster way to copy the template: file by file in memory, through the write-ahead log on a disk. */
  readonly strategy: 'FILE_COPY' | 'WAL_LOG';
  stop(): Promise<void>;
}

/** Starts a PostgreSQL server in a new folder, and creates the template. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  await removeLeftovers();
  const folder = await folderInMemory(`${PREFIX}${process.pid}-`);
  const directory = path.join(folder, 'postgres');
  const server = await startEmbeddedPostgres({ directory, settings: SETTINGS });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const { url: ownerUrl, applicationUrl } = server;
  try {
    await makeTemplate(server);
  } catch (error) {
    await stop();
    throw error;
  }
  const url = await superuserUrl(directory, server);
  return { url, ownerUrl, applicationUrl, strategy: folder.startsWith(MEMORY) ? 'FILE_COPY' : 'WAL_LOG', stop };
}

/** Does the same as `admin setup`, but without the first organization: suites create their own. */
export async function makeTemplate({ url, applicationUrl }: EmbeddedPostgres): Promise<void> {
  const applicationRole = await ensureApplicationRole(url, applicationUrl);
  const orm = await MikroORM.init({ ...ormOptions({ url, poolSize: 4, timeZone: 'UTC' }), logger: () => undefined });
  try {
    await migrate(orm, applicationRole);
    await prepareQueueSchema(url, applicationRole);
    await loadLibrary(orm.em.fork());
  } finally {
    await orm.close();
  }
}

/** Stops the servers of earlier runs that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const parent of [MEMORY, tmpdir()]) await removeLeftoversIn(parent);
}

async function removeLeftoversIn(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const folder = path.join(parent, name);
    try {
      const left: EmbeddedPostgres = await startEmbeddedPostgres({
        directory: path.join(folder, 'postgres'),
        settings: SETTINGS,
      });
      await left.stop();
    } catch {
      // The run was killed before it started a server, or the folder belongs to another process: nothing to stop.
    }
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
