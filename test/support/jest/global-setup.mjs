import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Before all suites: one PostgreSQL for the run. Suites find it by the environment, which workers inherit. */
export default async function setUp() {
  // Whoever runs jest many times may have started one for all of them.
  if (process.env.MERLON_TEST_DATABASE_URL === undefined) await startServer();
  // What the first suite makes and the others can use.
  process.env.MERLON_TEST_FOLDER = await mkdtemp(path.join(tmpdir(), 'merlon-test-'));
}

async function startServer() {
  const { startDatabaseServer } = await import('../database-server.ts');
  const server = await startDatabaseServer();
  process.env.MERLON_TEST_DATABASE_URL = server.url;
  process.env.MERLON_TEST_APPLICATION_URL = server.applicationUrl;
  process.env.MERLON_TEST_DATABASE_STRATEGY = server.strategy;
  globalThis.stopTestDatabaseServer = () => server.stop();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => {
      void server.stop().finally(() => process.exit(1));
    });
}
