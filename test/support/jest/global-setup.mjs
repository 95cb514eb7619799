import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Before all suites: starts one PostgreSQL server for the run. Workers inherit its address in their environment. */
export default async function setUp() {
  // A caller that runs jest several times may have started a server for all runs.
  if (process.env.MERLON_TEST_DATABASE_URL === undefined) await startServer();
  // For files that the first suite creates and the others use.
  process.env.MERLON_TEST_FOLDER = await mkdtemp(path.join(tmpdir(), 'merlon-test-'));
}

async function startServer() {
  const { startDatabaseServer } = await import('../database-server.ts');
  const server = await startDatabaseServer();
  process.env.MERLON_TEST_DATABASE_URL = server.url;
  process.env.MERLON_TEST_OWNER_URL = server.ownerUrl;
  process.env.MERLON_TEST_APPLICATION_URL = server.applicationUrl;
  process.env.MERLON_TEST_DATABASE_STRATEGY = server.strategy;
  globalThis.stopTestDatabaseServer = () => server.stop();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => {
      void server.stop().finally(() => process.exit(1));
    });
}
