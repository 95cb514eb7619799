import 'reflect-metadata';
import { constants } from 'node:os';
import { NestFactory } from '@nestjs/core';
import { loadConfiguration } from '#platform/configuration.js';
import { createLogger } from '#platform/logging.js';
import { lowerProcessPriority } from '#platform/low-priority.js';
import { NestLogger } from '#platform/nest-logger.js';
import { startTelemetry } from '#platform/telemetry/telemetry.js';
import { WorkerModule } from './worker.module.js';

// If the API runs on the same processors, its callers take precedence over jobs.
lowerProcessPriority(process.pid, constants.priority.PRIORITY_BELOW_NORMAL);

const configuration = loadConfiguration();
const logger = createLogger(configuration, 'worker');
const stopTelemetry = await startTelemetry(configuration, 'worker', logger);
const app = await NestFactory.createApplicationContext(WorkerModule.with(configuration, logger), {
  logger: new NestLogger(logger),
});

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    logger.info({ signal }, 'Stopping');
    const timeout = setTimeout(() => {
      logger.error('Did not stop in time');
      process.exit(1);
    }, configuration.shutdownGraceSeconds * 1000);
    app
      .close()
      .then(stopTelemetry)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          clearTimeout(timeout);
          logger.error({ err: error }, 'Did not stop cleanly');
          process.exit(1);
        },
      );
  });

logger.info({ port: configuration.workerPort, host: configuration.host }, 'Working');
