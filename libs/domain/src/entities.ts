import { FeatureFlag } from './access/flag/flag.entity.js';
import { Group, GroupMember } from './access/group/group.entity.js';
import { IdempotencyKey } from './access/idempotency/idempotency-key.entity.js';
import { UserIdentity } from './access/identity/identity.entity.js';
import { IdentityProvider, SignInAttempt } from './access/identity-provider/identity-provider.entity.js';
import { Invitation } from './access/invitation/invitation.entity.js';
import { Organization } from './access/organization/organization.entity.js';
import { Role } from './access/role/role.entity.js';
import { UserPreferences } from './access/preferences/preferences.entity.js';
import { SavedView } from './access/saved-view/saved-view.entity.js';
import { Session } from './access/session/session.entity.js';
import { SetupLink } from './access/setup-link/setup-link.entity.js';
import { ApiToken, InstalledToken } from './access/token/token.entity.js';
import { RateLimit, SignInAddress } from './access/sign-in/sign-in.entity.js';
import { User } from './access/user/user.entity.js';
import { ActivityHour, ActivityHourHorizon } from './activity/activity-hour.entity.js';
import { Activity } from './activity/activity.entity.js';
import { Connector } from './connections/connector/connector.entity.js';
import { OnboardingScan } from './connections/scan/scan.entity.js';
import { TrackedIssue } from './connections/tracked-issue/tracked-issue.entity.js';
import { TrackerConnection } from './connections/tracker-connection/tracker-connection.entity.js';
import { VerificationConnection } from './connections/verification-connection/verification-connection.entity.js';
import { TrackerSyncRun } from './connections/tracker-sync/sync-run.entity.js';
import { ExportJob } from './exchange/export-job/export-job.entity.js';
import { ImportJob } from './exchange/import-job/import-job.entity.js';
import { ImportRow } from './exchange/import-job/import-row.entity.js';
import { IdCounter } from './kernel/items/id-counter.entity.js';
import {
  AdditionalRequirement,
  AdditionalRequirementVersion,
} from './library/additional-requirement/additional-requirement.entity.js';
import { Attribute, AttributeSwitch } from './library/attribute/attribute.entity.js';
import { Capec } from './library/capec/capec.entity.js';
import { CatalogImport } from './library/catalog/catalog-import.entity.js';
import { Category } from './library/category/category.entity.js';
import { ComponentAnswer, ComponentIcon, ComponentQuestion } from './library/component/component-question.entity.js';
import { Component, ComponentVersion } from './library/component/component.entity.js';
import { Countermeasure, CountermeasureVersion } from './library/countermeasure/countermeasure.entity.js';
import { Cwe } from './library/cwe/cwe.entity.js';
import { GlossaryTerm } from './library/glossary-term/glossary-term.entity.js';
import { HowTo, HowToVersion } from './library/how-to/how-to.entity.js';
import { LibraryRelease, ReleaseChange } from './library/library-upgrade/library-release.entity.js';
import { LibraryUpgrade } from './library/library-upgrade/library-upgrade.entity.js';
import { MatchCondition } from './library/match-condition/match-condition.entity.js';
import { RuleMapping } from './library/rule-mapping/rule-mapping.entity.js';
import { Phase } from './library/phase/phase.entity.js';
import { Profile } from './library/profile/profile.entity.js';
import {
  Regulation,
  RegulationSection,
  RegulationSectionCountermeasure,
} from './library/regulation/regulation.entity.js';
import {
  SurveyAnswer,
  SurveyQuestion,
  SurveySection,
  SurveySubquestion,
  SurveySubsection,
} from './library/survey/survey.entity.js';
import { ThreatFramework, ThreatFrameworkEntry } from './library/threat-framework/threat-framework.entity.js';
import { Threat, ThreatVersion } from './library/threat/threat.entity.js';
import { TrainingModule, TrainingModuleCountermeasure } from './library/training-module/training-module.entity.js';
import { Weakness, WeaknessVersion } from './library/weakness/weakness.entity.js';
import { WorkflowPrompt, WorkflowPromptContext } from './library/workflow-prompt/workflow-prompt.entity.js';
import { WebhookDelivery, WebhookQueue } from './notifications/webhook/delivery.entity.js';
import { Webhook, WebhookConfig } from './notifications/webhook/webhook.entity.js';
import { Application } from './projects/hierarchy/application.entity.js';
import { BusinessUnit } from './projects/hierarchy/business-unit.entity.js';
import { ProjectAttributeSource } from './projects/project-attribute/project-attribute.entity.js';
import { ProjectComponent } from './projects/project-component/project-component.entity.js';
import { LibraryChange } from './projects/project-content/library-change.entity.js';
import {
  ProjectCountermeasureAnalysis,
  ProjectCountermeasureAssignee,
  ProjectCountermeasureNote,
} from './projects/project-countermeasure/project-countermeasure-part.entity.js';
import { ProjectCountermeasure } from './projects/project-countermeasure/project-countermeasure.entity.js';
import { ProjectDiagram } from './projects/project-diagram/project-diagram.entity.js';
import { ProjectAnswer, ProjectDraftAnswer } from './projects/project-survey/project-survey.entity.js';
import { ProjectThreat } from './projects/project-threat/project-threat.entity.js';
import { ProjectWeakness } from './projects/project-weakness/project-weakness.entity.js';
import { BusinessUnitMember, ProjectMember } from './projects/project-access/member.entity.js';
import { Project } from './projects/hierarchy/project.entity.js';
import { RiskPolicy } from './projects/risk-policy/risk-policy.entity.js';
import { ProjectSurveyComment } from './projects/survey-comment/survey-comment.entity.js';
import { TaskStatus } from './projects/task-status/task-status.entity.js';
import { Report } from './reports/report/report.entity.js';
import {
  TrendApplication,
  TrendProject,
  TrendTask,
  TrendTaskApplication,
  TrendTaskPhase,
} from './reports/trend/trend.entity.js';
import { declareTables } from './kernel/schema/columns.js';

/** Every table of the product, but for the queue's own and the list of migrations. */
export const entities = [
  Activity,
  ActivityHour,
  ActivityHourHorizon,
  AdditionalRequirement,
  AdditionalRequirementVersion,
  RateLimit,
  SignInAddress,
  UserPreferences,
  SavedView,
  Session,
  IdentityProvider,
  SignInAttempt,
  UserIdentity,
  Invitation,
  ApiToken,
  Application,
  Attribute,
  AttributeSwitch,
  BusinessUnit,
  BusinessUnitMember,
  Capec,
  CatalogImport,
  Category,
  Component,
  ComponentAnswer,
  ComponentIcon,
  ComponentQuestion,
  ComponentVersion,
  Connector,
  Countermeasure,
  CountermeasureVersion,
  Cwe,
  ExportJob,
  FeatureFlag,
  GlossaryTerm,
  Group,
  GroupMember,
  HowTo,
  HowToVersion,
  IdCounter,
  ImportJob,
  ImportRow,
  IdempotencyKey,
  InstalledToken,
  SetupLink,
  LibraryChange,
  LibraryRelease,
  LibraryUpgrade,
  MatchCondition,
  OnboardingScan,
  Organization,
  Phase,
  RuleMapping,
  Profile,
  Project,
  ProjectAnswer,
  ProjectAttributeSource,
  ProjectComponent,
  ProjectCountermeasure,
  ProjectCountermeasureAnalysis,
  ProjectCountermeasureAssignee,
  ProjectCountermeasureNote,
  ProjectDiagram,
  ProjectDraftAnswer,
  ProjectMember,
  ProjectSurveyComment,
  ProjectThreat,
  ProjectWeakness,
  Regulation,
  RegulationSection,
  RegulationSectionCountermeasure,
  ReleaseChange,
  Report,
  RiskPolicy,
  Role,
  SurveyAnswer,
  SurveyQuestion,
  SurveySection,
  SurveySubquestion,
  SurveySubsection,
  TaskStatus,
  TrackedIssue,
  TrackerConnection,
  TrackerSyncRun,
  VerificationConnection,
  Threat,
  ThreatFramework,
  ThreatFrameworkEntry,
  ThreatVersion,
  TrainingModule,
  TrainingModuleCountermeasure,
  TrendApplication,
  TrendProject,
  TrendTask,
  TrendTaskApplication,
  TrendTaskPhase,
  User,
  Weakness,
  WeaknessVersion,
  Webhook,
  WebhookConfig,
  WebhookDelivery,
  WebhookQueue,
  WorkflowPrompt,
  WorkflowPromptContext,
];

declareTables(entities);
