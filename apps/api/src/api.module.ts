import { getEntityManagerToken, getMikroORMToken, InjectMikroORM, MikroOrmModule } from '@mikro-orm/nestjs';
import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type DatabaseSettings, ormOptions } from '#orm';
import type { Configuration } from '#platform/configuration.js';
import { openSecretBox, SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { ReadinessCheck } from '#platform/operations/health.js';
import { FileStorage } from '#platform/storage/file-storage.js';
import { openStorage } from '#platform/storage/open-storage.js';
import { AccessModule } from './access/access.module.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { HttpModule } from './http/http.module.js';
import { ExchangeModule } from './exchange/exchange.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { LibraryModule } from './library/library.module.js';
import { ActivitiesModule } from './activity/activities/activities.module.js';
import { CompositeModule } from './composite/composite.module.js';
import { RemovedModule } from './removed/removed.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { SearchModule } from './search/search.module.js';
import { SignInModule } from './access/sign-in/sign-in.module.js';
import { heavySlotCount, LONG_READS } from './http/shares/long-reads.js';
import { openReports, Reports } from './reports/reports.js';
import { ReportsReadiness } from './reports/reports-readiness.js';
import { RequestMemory } from './http/shares/request-memory.js';

/** Every resource of the API. Most contexts are one module each. */
const RESOURCES = [
  AccessModule,
  ActivitiesModule,
  CompositeModule,
  ConnectionsModule,
  ExchangeModule,
  LibraryModule,
  McpModule,
  NotificationsModule,
  ProjectsModule,
  RemovedModule,
  ReportsModule,
  SearchModule,
  SignInModule,
];

/** Opens a pool for as many long reads as may run at once. They read by projections and need no entities. */
const openLongReads = (configuration: Configuration, database: DatabaseSettings): Promise<MikroORM> =>
  MikroORM.init({
    ...ormOptions({
      ...database,
      poolSize: configuration.maxStreams + heavySlotCount(configuration),
      lowersPriority: true,
    }),
    contextName: LONG_READS,
    entities: [],
    discovery: { warnWhenNoEntities: false },
  });

/**
 * Values that all resources share: the configuration, the file storage, the secret box, and the report engine, which
 * shuts down with the API.
 */
@Global()
@Module({})
class InstallationModule implements OnApplicationShutdown {
  constructor(
    private readonly reports: Reports,
    @InjectMikroORM(LONG_READS) private readonly lowPriorityOrm: MikroORM | null,
  ) {}

  static with(configuration: Configuration, database: DatabaseSettings): DynamicModule {
    return {
      module: InstallationModule,
      providers: [
        { provide: Settings, useValue: configuration },
        { provide: FileStorage, useFactory: () => openStorage(configuration) },
        { provide: RequestMemory, useFactory: () => new RequestMemory(configuration) },
        {
          provide: Reports,
          inject: [RequestMemory],
          useFactory: (memory: RequestMemory) => openReports(configuration, memory),
        },
        {
          provide: ReadinessCheck,
          inject: [EntityManager, Reports],
          useFactory: (em: EntityManager, reports: Reports) => new ReportsReadiness(em, reports),
        },
        { provide: SecretBox, useFactory: () => openSecretBox(configuration) },
        {
          provide: getMikroORMToken(LONG_READS),
          useFactory: () => (configuration.databaseOnThisMachine ? openLongReads(configuration, database) : null),
        },
        {
          provide: getEntityManagerToken(LONG_READS),
          inject: [EntityManager, getMikroORMToken(LONG_READS)],
          useFactory: (em: EntityManager, lowPriorityOrm: MikroORM | null) => lowPriorityOrm?.em ?? em,
        },
      ],
      exports: [
        FileStorage,
        getEntityManagerToken(LONG_READS),
        ReadinessCheck,
        Reports,
        RequestMemory,
        SecretBox,
        Settings,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.reports.close();
    await this.lowPriorityOrm?.close();
  }
}

@Module({})
export class ApiModule {
  /** Builds the API module. The configuration must have a `databaseUrl`. */
  static with(configuration: Configuration): DynamicModule {
    const database: DatabaseSettings = {
      url: configuration.databaseUrl ?? '',
      process: 'api',
      poolSize: configuration.databasePoolSize,
      timeZone: configuration.timeZone,
      statementSeconds: configuration.statementTimeoutSeconds,
      keepsPlans: configuration.databasePreparedStatements,
    };
    return {
      module: ApiModule,
      imports: [
        InstallationModule.with(configuration, database),
        MikroOrmModule.forRoot({ ...ormOptions(database), registerRequestContext: false }),
        HttpModule,
        ...RESOURCES,
      ],
    };
  }
}
