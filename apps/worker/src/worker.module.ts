import { MikroOrmModule } from '@mikro-orm/nestjs';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { ormOptions } from '#orm';
import type { Configuration } from '#platform/configuration.js';
import { Log } from './logger.js';
import { WorkerMetrics } from './operations/metrics.js';
import { OperationsServer } from './operations/operations-server.js';
import { Schedules } from './schedules.js';
import { Settings } from './settings.js';

@Module({})
export class WorkerModule {
  /** The worker on this configuration; `databaseUrl` must be set in it. */
  static with(configuration: Configuration, logger: Logger): DynamicModule {
    const database = {
      url: configuration.databaseUrl ?? '',
      poolSize: configuration.databasePoolSize,
      timeZone: configuration.timeZone,
    };
    return {
      module: WorkerModule,
      imports: [MikroOrmModule.forRoot({ ...ormOptions(database), registerRequestContext: false })],
      providers: [
        { provide: Settings, useValue: configuration },
        { provide: Log, useValue: logger },
        WorkerMetrics,
        OperationsServer,
        Schedules,
      ],
    };
  }
}
