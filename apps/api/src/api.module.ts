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
import { HttpModule } from './http/http.module.js';
import { ActivitiesModule } from './activity/activities/activities.module.js';
import { ConnectorsModule } from './connections/connectors/connectors.module.js';
import { VerificationConnectionsModule } from './connections/verification-connections/verification-connections.module.js';
import { TrackerConnectionsModule } from './connections/tracker-connections/tracker-connections.module.js';
import { ConditionImpactModule } from './projects/condition-impact/condition-impact.module.js';
import { CountermeasuresModule } from './library/countermeasures/countermeasures.module.js';
import { AdditionalRequirementsModule } from './library/additional-requirements/additional-requirements.module.js';
import { HomeModule } from './projects/home/home.module.js';
import { HowTosModule } from './library/how-tos/how-tos.module.js';
import { ApplicationsModule } from './projects/applications/applications.module.js';
import { AttributesModule } from './library/attributes/attributes.module.js';
import { AnalysisFilesModule } from './projects/analysis-files/analysis-files.module.js';
import { AnswersModule } from './library/answers/answers.module.js';
import { AutomationModule } from './notifications/automation/automation.module.js';
import { BusinessUnitsModule } from './projects/business-units/business-units.module.js';
import { CapecsModule } from './library/capecs/capecs.module.js';
import { CategoriesModule } from './library/categories/categories.module.js';
import { CompositeModule } from './composite/composite.module.js';
import { ComponentIconsModule } from './library/component-icons/component-icons.module.js';
import { ComponentQuestionsModule } from './library/component-questions/component-questions.module.js';
import { ComponentsModule } from './library/components/components.module.js';
import { CwesModule } from './library/cwes/cwes.module.js';
import { EventsModule } from './notifications/events/events.module.js';
import { ExportsModule } from './exchange/exports/exports.module.js';
import { FlagsModule } from './access/flags/flags.module.js';
import { GlobalRolesModule } from './access/global-roles/global-roles.module.js';
import { GlossaryTermsModule } from './library/glossary-terms/glossary-terms.module.js';
import { GroupsModule } from './access/groups/groups.module.js';
import { IdentityProvidersModule } from './access/identity-providers/identity-providers.module.js';
import { ImportsModule } from './exchange/imports/imports.module.js';
import { LibraryRefreshModule } from './projects/library-refresh/library-refresh.module.js';
import { LibraryUpgradesModule } from './library/library-upgrades/library-upgrades.module.js';
import { PhasesModule } from './library/phases/phases.module.js';
import { RuleMappingsModule } from './library/rule-mappings/rule-mappings.module.js';
import { ProfilesModule } from './library/profiles/profiles.module.js';
import { ProjectAttributesModule } from './projects/project-attributes/project-attributes.module.js';
import { ProjectComponentsModule } from './projects/project-components/project-components.module.js';
import { ProjectCountermeasuresModule } from './projects/project-countermeasures/project-countermeasures.module.js';
import { ProjectDiagramsModule } from './projects/project-diagrams/project-diagrams.module.js';
import { ProjectExplanationsModule } from './projects/project-explanations/project-explanations.module.js';
import { ProjectGateModule } from './projects/project-gate/project-gate.module.js';
import { ProjectReportModule } from './projects/project-report/project-report.module.js';
import { ProjectRolesModule } from './projects/project-roles/project-roles.module.js';
import { ProjectSurveysModule } from './projects/project-surveys/project-surveys.module.js';
import { ProjectThreatsModule } from './projects/project-threats/project-threats.module.js';
import { ProjectWeaknessesModule } from './projects/project-weaknesses/project-weaknesses.module.js';
import { ProjectsModule } from './projects/projects/projects.module.js';
import { QueriesModule } from './reports/queries/queries.module.js';
import { QuestionsModule } from './library/questions/questions.module.js';
import { RegulationsModule } from './library/regulations/regulations.module.js';
import { RegulationCoverageModule } from './projects/regulation-coverage/regulation-coverage.module.js';
import { ReportsModule } from './reports/reports/reports.module.js';
import { RemovedModule } from './removed/removed.module.js';
import { RiskPoliciesModule } from './projects/risk-policies/risk-policies.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { SearchModule } from './search/search.module.js';
import { SectionsModule } from './library/sections/sections.module.js';
import { SessionsModule } from './access/sessions/sessions.module.js';
import { PreferencesModule } from './access/preferences/preferences.module.js';
import { SavedViewsModule } from './access/saved-views/saved-views.module.js';
import { SignInModule } from './access/sign-in/sign-in.module.js';
import { TagsModule } from './library/tags/tags.module.js';
import { TaskStatusesModule } from './projects/task-statuses/task-statuses.module.js';
import { TeamOnboardingModule } from './connections/team-onboarding/team-onboarding.module.js';
import { ThreatFrameworksModule } from './library/threat-frameworks/threat-frameworks.module.js';
import { ThreatsModule } from './library/threats/threats.module.js';
import { TokenPolicyModule } from './access/token-policy/token-policy.module.js';
import { TokensModule } from './access/tokens/tokens.module.js';
import { UsersModule } from './access/users/users.module.js';
import { WeaknessesModule } from './library/weaknesses/weaknesses.module.js';
import { WebhooksModule } from './notifications/webhooks/webhooks.module.js';
import { WorkflowPromptsModule } from './library/workflow-prompts/workflow-prompts.module.js';
import { heavySlotCount, LONG_READS } from './http/shares/long-reads.js';
import { openReports, Reports } from './reports/reports.js';
import { ReportsReadiness } from './reports/reports-readiness.js';
import { RequestMemory } from './http/shares/request-memory.js';

/** Every resource of the API, one module each. */
const RESOURCES = [
  ActivitiesModule,
  AdditionalRequirementsModule,
  HomeModule,
  HowTosModule,
  AnalysisFilesModule,
  AnswersModule,
  ApplicationsModule,
  AttributesModule,
  AutomationModule,
  BusinessUnitsModule,
  CapecsModule,
  CategoriesModule,
  ComponentIconsModule,
  ComponentQuestionsModule,
  ComponentsModule,
  CompositeModule,
  ConditionImpactModule,
  ConnectorsModule,
  TrackerConnectionsModule,
  VerificationConnectionsModule,
  CountermeasuresModule,
  CwesModule,
  EventsModule,
  ExportsModule,
  FlagsModule,
  GlobalRolesModule,
  GlossaryTermsModule,
  GroupsModule,
  ImportsModule,
  LibraryRefreshModule,
  LibraryUpgradesModule,
  PhasesModule,
  RuleMappingsModule,
  ProfilesModule,
  ProjectAttributesModule,
  ProjectComponentsModule,
  ProjectCountermeasuresModule,
  ProjectDiagramsModule,
  ProjectExplanationsModule,
  ProjectGateModule,
  ProjectReportModule,
  ProjectRolesModule,
  ProjectSurveysModule,
  ProjectThreatsModule,
  ProjectWeaknessesModule,
  ProjectsModule,
  QueriesModule,
  QuestionsModule,
  RegulationCoverageModule,
  RegulationsModule,
  RemovedModule,
  ReportsModule,
  RiskPoliciesModule,
  McpModule,
  SearchModule,
  SectionsModule,
  IdentityProvidersModule,
  SessionsModule,
  PreferencesModule,
  SavedViewsModule,
  SignInModule,
  TagsModule,
  TaskStatusesModule,
  TeamOnboardingModule,
  ThreatFrameworksModule,
  ThreatsModule,
  TokensModule,
  TokenPolicyModule,
  UsersModule,
  WeaknessesModule,
  WebhooksModule,
  WorkflowPromptsModule,
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
