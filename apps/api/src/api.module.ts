import { MikroOrmModule } from '@mikro-orm/nestjs';
import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type DatabaseSettings, ormOptions } from '#orm';
import type { Configuration } from '#platform/configuration.js';
import { openSecretBox } from '#platform/crypto/secret-box.js';
import { openStorage } from '#platform/storage/open-storage.js';
import { HttpModule } from './http/http.module.js';
import { ActivitiesModule } from './resources/activities/activities.module.js';
import { ConnectorsModule } from './resources/connectors/connectors.module.js';
import { CountermeasuresModule } from './resources/countermeasures/countermeasures.module.js';
import { AdditionalRequirementsModule } from './resources/additional-requirements/additional-requirements.module.js';
import { HowTosModule } from './resources/how-tos/how-tos.module.js';
import { ApplicationsModule } from './resources/applications/applications.module.js';
import { AttributesModule } from './resources/attributes/attributes.module.js';
import { AnalysisFilesModule } from './resources/analysis-files/analysis-files.module.js';
import { AnswersModule } from './resources/answers/answers.module.js';
import { AutomationModule } from './resources/automation/automation.module.js';
import { BusinessUnitsModule } from './resources/business-units/business-units.module.js';
import { CapecsModule } from './resources/capecs/capecs.module.js';
import { CategoriesModule } from './resources/categories/categories.module.js';
import { CompositeModule } from './resources/composite/composite.module.js';
import { ComponentIconsModule } from './resources/component-icons/component-icons.module.js';
import { ComponentQuestionsModule } from './resources/component-questions/component-questions.module.js';
import { ComponentsModule } from './resources/components/components.module.js';
import { CwesModule } from './resources/cwes/cwes.module.js';
import { ExportsModule } from './resources/exports/exports.module.js';
import { FlagsModule } from './resources/flags/flags.module.js';
import { GlobalRolesModule } from './resources/global-roles/global-roles.module.js';
import { GlossaryTermsModule } from './resources/glossary-terms/glossary-terms.module.js';
import { GroupsModule } from './resources/groups/groups.module.js';
import { ImportsModule } from './resources/imports/imports.module.js';
import { LibraryUpgradesModule } from './resources/library-upgrades/library-upgrades.module.js';
import { PhasesModule } from './resources/phases/phases.module.js';
import { ProfilesModule } from './resources/profiles/profiles.module.js';
import { ProjectAttributesModule } from './resources/project-attributes/project-attributes.module.js';
import { ProjectComponentsModule } from './resources/project-components/project-components.module.js';
import { ProjectCountermeasuresModule } from './resources/project-countermeasures/project-countermeasures.module.js';
import { ProjectDiagramsModule } from './resources/project-diagrams/project-diagrams.module.js';
import { ProjectExplanationsModule } from './resources/project-explanations/project-explanations.module.js';
import { ProjectSurveysModule } from './resources/project-surveys/project-surveys.module.js';
import { ProjectThreatsModule } from './resources/project-threats/project-threats.module.js';
import { ProjectWeaknessesModule } from './resources/project-weaknesses/project-weaknesses.module.js';
import { ProjectsModule } from './resources/projects/projects.module.js';
import { QueriesModule } from './resources/queries/queries.module.js';
import { QuestionsModule } from './resources/questions/questions.module.js';
import { RegulationsModule } from './resources/regulations/regulations.module.js';
import { ReportsModule } from './resources/reports/reports.module.js';
import { RemovedModule } from './resources/removed/removed.module.js';
import { RiskPoliciesModule } from './resources/risk-policies/risk-policies.module.js';
import { SectionsModule } from './resources/sections/sections.module.js';
import { TagsModule } from './resources/tags/tags.module.js';
import { TaskStatusesModule } from './resources/task-statuses/task-statuses.module.js';
import { TeamOnboardingModule } from './resources/team-onboarding/team-onboarding.module.js';
import { ThreatFrameworksModule } from './resources/threat-frameworks/threat-frameworks.module.js';
import { ThreatsModule } from './resources/threats/threats.module.js';
import { TokensModule } from './resources/tokens/tokens.module.js';
import { UsersModule } from './resources/users/users.module.js';
import { WeaknessesModule } from './resources/weaknesses/weaknesses.module.js';
import { WebhooksModule } from './resources/webhooks/webhooks.module.js';
import { WorkflowPromptsModule } from './resources/workflow-prompts/workflow-prompts.module.js';
import { Settings } from './settings.js';
import { Files } from './files.js';
import { openReports, Reports } from './reports.js';
import { Secrets } from './secrets.js';

/** Every resource of the API, one module each. */
const RESOURCES = [
  ActivitiesModule,
  AdditionalRequirementsModule,
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
  ConnectorsModule,
  CountermeasuresModule,
  CwesModule,
  ExportsModule,
  FlagsModule,
  GlobalRolesModule,
  GlossaryTermsModule,
  GroupsModule,
  ImportsModule,
  LibraryUpgradesModule,
  PhasesModule,
  ProfilesModule,
  ProjectAttributesModule,
  ProjectComponentsModule,
  ProjectCountermeasuresModule,
  ProjectDiagramsModule,
  ProjectExplanationsModule,
  ProjectSurveysModule,
  ProjectThreatsModule,
  ProjectWeaknessesModule,
  ProjectsModule,
  QueriesModule,
  QuestionsModule,
  RegulationsModule,
  RemovedModule,
  ReportsModule,
  RiskPoliciesModule,
  SectionsModule,
  TagsModule,
  TaskStatusesModule,
  TeamOnboardingModule,
  ThreatFrameworksModule,
  ThreatsModule,
  TokensModule,
  UsersModule,
  WeaknessesModule,
  WebhooksModule,
  WorkflowPromptsModule,
];

/**
 * What all resources share of the installation: its configuration, its files, the box that seals its secrets, and the
 * engine of reports, which ends with the API.
 */
@Global()
@Module({})
class InstallationModule implements OnApplicationShutdown {
  constructor(private readonly reports: Reports) {}

  static with(configuration: Configuration): DynamicModule {
    return {
      module: InstallationModule,
      providers: [
        { provide: Settings, useValue: configuration },
        { provide: Files, useFactory: () => openStorage(configuration) },
        { provide: Reports, useFactory: () => openReports(configuration) },
        { provide: Secrets, useFactory: () => openSecretBox(configuration) },
      ],
      exports: [Files, Reports, Secrets, Settings],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.reports.close();
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
        InstallationModule.with(configuration),
        MikroOrmModule.forRoot({ ...ormOptions(database), registerRequestContext: false }),
        HttpModule,
        ...RESOURCES,
      ],
    };
  }
}
