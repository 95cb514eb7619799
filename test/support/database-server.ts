import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { MikroORM } from '@mikro-orm/postgresql';

import { loadLibrary } from '#content/library/load/load-library.js';
import { migrate } from '#domain/migrations/migrate.js';
import { prepareQueueSchema } from '#jobs/queue-schema.js';
import { ormOptions } from '#orm';
import { ensureApplicationRole } from '#platform/application-role.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.js';
import { isAlive } from '#platform/process-identity.js';
import { folderInMemory, MEMORY } from './memory.js';

/** What the folders of servers begin with; then comes the process that they belong to. */
export const PREFIX = 'merlon-test-';

/**
 * What is lost when the machine fails is thrown away anyway; and tests provoke deadlocks, which shall not take their
 * time.
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
  // Databases live for seconds, and their files are in memory: no vacuum and no read-ahead is needed.
  autovacuum: 'off',
  io_method: 'sync',
  // Tables are small: plans with several processes are never chosen, and thinking of them takes time.
  max_parallel_workers_per_gather: '0',
};

/** The server of one test run, with the template that each suite's database is a copy of. */
export interface DatabaseServer {
  /** The template: migrated, with the starter library and the built-in roles. No one may stay connected to it. */
  readonly url: string;
  /** The template as API and worker connect to it: their role has its rights in every copy. */
  readonly applicationUrl: string;
  /** The quicker way to copy the template: in memory file by file, on a disk by the server's log. */
  readonly strategy: 'FILE_COPY' | 'WAL_LOG';
  stop(): Promise<void>;
}

/** Starts a PostgreSQL of its own, in a folder of its own, and makes the template. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  await removeLeftovers();
  const folder = await folderInMemory(`${PREFIX}${process.pid}-`);
  const server = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres'), settings: SETTINGS });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const { url, applicationUrl } = server;
  try {
    await makeTemplate(server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, applicationUrl, strategy: folder.startsWith(MEMORY) ? 'FILE_COPY' : 'WAL_LOG', stop };
}

/** As `admin setup` does, but for the first organization: suites make their own. */
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

/** A run that was killed could not stop its server: the next one does. */
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
      // It was killed before there was a server, or belongs to another process: nothing of it seems to run.
    }
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
