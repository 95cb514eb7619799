import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { NestFactory } from '@nestjs/core';

import { loadConfiguration } from '#platform/configuration.js';
import { createLogger } from '#platform/logging.js';
import { NestLogger } from '#platform/nest-logger.js';
import { WorkerModule } from '../../apps/worker/src/worker.module.js';

/** A worker in this process. */
export interface TestWorker {
  /** Log lines of the level `warn` and above. */
  readonly log: readonly string[];
  stop(): Promise<void>;
}

/** Environment of a worker under test. */
export const WORKER_SETTINGS = {
  SECRET_KEY: 'k'.repeat(40),
  LOG_LEVEL: 'warn',
  SHUTDOWN_GRACE_SECONDS: '4',
  DATABASE_POOL_SIZE: '10',
  WORKER_PORT: '0',
};

/**
 * Starts a worker in this process.
 *
 * @param settings environment variables: DATABASE_URL, DATA_DIR, …
 */
export async function startTestWorker(settings: Readonly<Record<string, string>>): Promise<TestWorker> {
  const configuration = loadConfiguration({ ...WORKER_SETTINGS, ...settings });
  const log: string[] = [];
  const logger = createLogger(configuration, 'worker', { write: (line) => void log.push(line) });
  const app = await NestFactory.createApplicationContext(WorkerModule.with(configuration, logger), {
    logger: new NestLogger(logger),
  });
  return { log, stop: () => app.close() };
}

/** A folder for the files of an API and its workers, removed by `remove`. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'merlon-files-'));
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
