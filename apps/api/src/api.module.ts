import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type DatabaseSettings, ormOptions } from '#orm';
import type { Configuration } from '#platform/configuration.js';
import { openSecretBox } from '#platform/crypto/secret-box.js';
import { Files, Secrets, Settings } from '#platform/injected.js';
import { openStorage } from '#platform/storage/open-storage.js';
import { HttpModule } from './http/http.module.js';
import { AccessModule } from './access/access.module.js';
import { ActivityModule } from './activity/activity.module.js';
import { CompositeModule } from './composite/composite.module.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { ExchangeModule } from './exchange/exchange.module.js';
import { LibraryModule } from './library/library.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { RemovedModule } from './removed/removed.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { SearchModule } from './search/search.module.js';
import { heavyPlaces, LongReads } from './http/shares/long-reads.js';
import { openReports, Reports } from './reports.js';

/** Every resource of the API, one module for each context. */
const RESOURCES = [
  ActivityModule,
  LibraryModule,
  AccessModule,
  ProjectsModule,
  SearchModule,
  ExchangeModule,
  NotificationsModule,
  ConnectionsModule,
  ReportsModule,
  CompositeModule,
  RemovedModule,
];

/** Connections that give way to others: nobody else closes them. */
const GIVING_WAY = Symbol('giving way');

/** As many connections as long reads can take at once. They need no entities: they read by projections. */
const openLongReads = (configuration: Configuration, database: DatabaseSettings): Promise<MikroORM> =>
  MikroORM.init({
    ...ormOptions({
      ...database,
      poolSize: configuration.maxStreams + heavyPlaces(configuration),
      givesWay: true,
    }),
    contextName: 'long-reads',
    entities: [],
    discovery: { warnWhenNoEntities: false },
  });

/**
 * What all resources share of the installation: its configuration, its files, the box that seals its secrets, and the
 * engine of reports, which ends with the API.
 */
@Global()
@Module({})
class InstallationModule implements OnApplicationShutdown {
  constructor(
    private readonly reports: Reports,
    @Inject(GIVING_WAY) private readonly givingWay: MikroORM | null,
  ) {}

  static with(configuration: Configuration, database: DatabaseSettings): DynamicModule {
    return {
      module: InstallationModule,
      providers: [
        { provide: Settings, useValue: configuration },
        { provide: Files, useFactory: () => openStorage(configuration) },
        { provide: Reports, useFactory: () => openReports(configuration) },
        { provide: Secrets, useFactory: () => openSecretBox(configuration) },
        {
          provide: GIVING_WAY,
          useFactory: () => (configuration.databaseOnThisMachine ? openLongReads(configuration, database) : null),
        },
        {
          provide: LongReads,
          inject: [EntityManager, GIVING_WAY],
          useFactory: (em: EntityManager, givingWay: MikroORM | null) => givingWay?.em ?? em,
        },
      ],
      exports: [Files, LongReads, Reports, Secrets, Settings],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.reports.close();
    await this.givingWay?.close();
  }
}

@Module({})
export class ApiModule {
  /** The API on this configuration; `databaseUrl` must be set in it. */
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
