import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { getEntityManagerToken, getMikroORMToken, InjectMikroORM, MikroOrmModule } from '@mikro-orm/nestjs';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import type { Logger } from 'pino';
import { VerificationReader } from '#domain/connections/verification-run/verification-run.js';
import { TrackerOpener } from '#domain/connections/tracker-sync/tracker-opener.js';
import { WebhookSender } from '#domain/notifications/webhook/webhook.sender.js';
import { openQueues } from '#jobs/open-queues.js';
import { Queues } from '#jobs/queues.js';
import { ormOptions } from '#orm';
import type { Configuration } from '#platform/configuration.js';
import { openSecretBox, SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { FileStorage } from '#platform/storage/file-storage.js';
import { openStorage } from '#platform/storage/open-storage.js';
import { ExportHandler } from './exchange/export.handler.js';
import { ImportHandler } from './exchange/import.handler.js';
import { ProjectRefreshHandler } from './projects/project-refresh.handler.js';
import { RetryingDeliveryQueueHandler, DeliveryQueueHandler } from './notifications/delivery-queue.handlers.js';
import { RetryingTrackerSyncHandler, TrackerSyncHandler } from './connections/tracker-sync.handlers.js';
import { VerificationHandler } from './connections/verification.handler.js';
import { TrackerSyncRunner } from './connections/tracker-sync-runner.js';
import { DeliveryQueueRunner } from './notifications/delivery-queue-runner.js';
import { Log, REPLICA } from './injected.js';
import { WorkerMetrics } from './operations/metrics.js';
import { OperationsServer } from './operations/operations-server.js';
import { WaitingMetric } from './operations/waiting-metric.js';
import { logQueueErrors } from './queue-errors.js';
import { Relay } from './relay/relay.js';
import { Schedules } from './schedules.js';
import { HANDLERS, Workers } from './workers.js';

/** Every handler class: one for each job in `libs/jobs/src/jobs.ts`. */
const HANDLER_CLASSES = [
  ExportHandler,
  RetryingDeliveryQueueHandler,
  ImportHandler,
  DeliveryQueueHandler,
  ProjectRefreshHandler,
  RetryingTrackerSyncHandler,
  TrackerSyncHandler,
  VerificationHandler,
];

@Module({})
export class WorkerModule implements OnApplicationShutdown {
  constructor(@InjectMikroORM(REPLICA) private readonly replica: MikroORM | null) {}

  /** Builds the worker module. The configuration must have a `databaseUrl`. */
  static with(configuration: Configuration, logger: Logger): DynamicModule {
    const { databaseUrl = '', databaseReadUrl, databasePoolSize, timeZone, redisUrl } = configuration;
    const database = { url: databaseUrl, process: 'worker', poolSize: databasePoolSize, timeZone } as const;
    const lowersPriority = configuration.databaseOnThisMachine;
    return {
      module: WorkerModule,
      imports: [
        MikroOrmModule.forRoot({
          ...ormOptions({ ...database, lowersPriority }),
          registerRequestContext: false,
        }),
        TerminusModule.forRoot({ logger: false }),
      ],
      providers: [
        { provide: Settings, useValue: configuration },
        { provide: Log, useValue: logger },
        { provide: FileStorage, useFactory: () => openStorage(configuration) },
        { provide: SecretBox, useFactory: () => openSecretBox(configuration) },
        {
          provide: WebhookSender,
          inject: [SecretBox],
          useFactory: (secrets: SecretBox) => new WebhookSender(configuration, secrets),
        },
        { provide: Queues, useFactory: () => openQueues({ redisUrl, databaseUrl }, logQueueErrors(logger)) },
        {
          provide: getMikroORMToken(REPLICA),
          useFactory: () =>
            databaseReadUrl === undefined ? null : MikroORM.init(ormOptions({ ...database, url: databaseReadUrl })),
        },
        {
          provide: getEntityManagerToken(REPLICA),
          inject: [EntityManager, getMikroORMToken(REPLICA)],
          useFactory: (em: EntityManager, replica: MikroORM | null) => replica?.em ?? em,
        },
        ...HANDLER_CLASSES,
        { provide: HANDLERS, inject: HANDLER_CLASSES, useFactory: (...handlers: unknown[]) => handlers },
        DeliveryQueueRunner,
        {
          provide: TrackerOpener,
          inject: [SecretBox],
          useFactory: (secrets: SecretBox) => new TrackerOpener(configuration, secrets),
        },
        TrackerSyncRunner,
        {
          provide: VerificationReader,
          inject: [SecretBox],
          useFactory: (secrets: SecretBox) => new VerificationReader(configuration, secrets),
        },
        WorkerMetrics,
        OperationsServer,
        Relay,
        Schedules,
        WaitingMetric,
        Workers,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.replica?.close();
  }
}
