import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type TestApi, useTestApi } from './api.js';
import { startTestWorker, type TestWorker } from './worker.js';

/**
 * Starts an API and a worker that share a database and files, and stops both after the suite.
 *
 * @param settings additional environment variables of the worker
 * @param apiSettings the same of the API
 */
export function useTestApiWithWorker(
  settings: Readonly<Record<string, string>> = {},
  apiSettings: Readonly<Record<string, string>> = {},
): TestApi {
  const folder = path.join(tmpdir(), `merlon-files-${randomUUID()}`);
  let worker: TestWorker | undefined;
  // Hooks run in this order: the worker stops before the API closes and its database is dropped.
  afterAll(() => worker?.stop(), 30_000);
  const test = useTestApi({ DATA_DIR: folder, ...apiSettings });
  beforeAll(async () => {
    worker = await startTestWorker({ DATABASE_URL: test.database.applicationUrl, DATA_DIR: folder, ...settings });
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return test;
}
