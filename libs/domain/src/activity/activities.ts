/** The first part of an activity's name. */
export type Verb =
  | 'Created'
  | 'Updated'
  | 'Deleted'
  | 'Activated'
  | 'Deactivated'
  | 'Regenerated'
  | 'Started'
  | 'Ended'
  | 'Rejected'
  | 'Revoked'
  | 'Cancelled'
  | 'Retried'
  | 'Completed'
  | 'Archived'
  | 'Unarchived'
  | 'Locked'
  | 'Unlocked'
  | 'Upgraded'
  | 'Changed'
  | 'Added'
  | 'Applied'
  | 'Marked'
  | 'Modified'
  | 'AssignedUserTo'
  | 'Disabled'
  | 'Accepted'
  | 'AddedUserTo'
  | 'RemovedUserFrom'
  | 'ChangedUserRoleIn'
  | 'AddedGroupTo'
  | 'RemovedGroupFrom'
  | 'ChangedGroupRoleIn'
  | 'AddedReusableComponentTo'
  | 'RemovedReusableComponentFrom'
  | 'Recalculated'
  | 'Triggered';

/** The entry of an activity's data that says what a provider knows about a person: only for those who manage users. */
export const CLAIMS = 'claims';

/** `admin` for actions that only administrators can take. */
export const LOG_LEVELS = ['user', 'admin'] as const;

interface Subject {
  /** The second part of the activity's name. */
  readonly noun: string;
  /** The subject in texts. */
  readonly words: string;
  /** The name of its id in the activity's data. */
  readonly key: string;
  readonly icon: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** All subjects of activities. Names, keys and icons are part of the API and never change. */
export const ACTIVITIES = {
  countermeasure: { noun: 'Standard', words: 'countermeasure', key: 'standard', icon: 'check', logLevel: 'user' },
  additional_requirement: {
    noun: 'Amendment',
    words: 'additional requirement',
    key: 'amendment',
    icon: 'add',
    logLevel: 'user',
  },
  how_to: { noun: 'HowTo', words: 'how-to', key: 'how_to', icon: 'add', logLevel: 'user' },
  attribute: { noun: 'Attribute', words: 'attribute', key: 'attribute', icon: 'label', logLevel: 'user' },
  component: { noun: 'ReusableComponent', words: 'component', key: 'component', icon: 'hub', logLevel: 'user' },
  weakness: { noun: 'Weakness', words: 'weakness', key: 'weakness', icon: 'bug', logLevel: 'user' },
  threat: { noun: 'Threat', words: 'threat', key: 'threat', icon: 'warning', logLevel: 'user' },
  phase: { noun: 'Phase', words: 'phase', key: 'phase', icon: 'timeline', logLevel: 'user' },
  workflow_prompt: {
    noun: 'WorkflowPrompt',
    words: 'workflow prompt',
    key: 'workflow_prompt',
    icon: 'chat',
    logLevel: 'user',
  },
  workflow_prompt_context: {
    noun: 'WorkflowPrompt',
    words: 'a context of workflow prompt',
    key: 'workflow_prompt',
    icon: 'chat',
    logLevel: 'user',
  },
  business_unit: {
    noun: 'BusinessUnit',
    words: 'business unit',
    key: 'business_unit',
    icon: 'create',
    logLevel: 'user',
  },
  application: { noun: 'Application', words: 'application', key: 'application', icon: 'create', logLevel: 'user' },
  project: { noun: 'Project', words: 'project', key: 'project', icon: 'create', logLevel: 'user' },
  project_member: { noun: 'Project', words: 'project', key: 'project', icon: 'personAdd', logLevel: 'user' },
  project_countermeasure: { noun: 'Task', words: 'countermeasure', key: 'task', icon: 'check', logLevel: 'user' },
  component_updates: {
    noun: 'ComponentUpdates',
    words: 'component updates to project',
    key: 'project',
    icon: 'update',
    logLevel: 'user',
  },
  note: { noun: 'Note', words: 'a note of countermeasure', key: 'task', icon: 'note', logLevel: 'user' },
  project_attribute: {
    noun: 'ProjectAttributeSource',
    words: 'attribute',
    key: 'attribute',
    icon: 'label',
    logLevel: 'user',
  },
  project_attribute_reason: {
    noun: 'ProjectAttributeSourceReason',
    words: 'the reason for attribute',
    key: 'attribute',
    icon: 'label',
    logLevel: 'user',
  },
  risk_policy: { noun: 'RiskPolicy', words: 'risk policy', key: 'risk_policy', icon: 'shield', logLevel: 'admin' },
  report: { noun: 'Report', words: 'report', key: 'report', icon: 'chart', logLevel: 'user' },
  survey_section: { noun: 'SurveySection', words: 'survey section', key: 'section', icon: 'survey', logLevel: 'user' },
  survey_subsection: {
    noun: 'SurveySubsection',
    words: 'survey subsection',
    key: 'subsection',
    icon: 'survey',
    logLevel: 'user',
  },
  survey_question: {
    noun: 'SurveyQuestion',
    words: 'survey question',
    key: 'question',
    icon: 'survey',
    logLevel: 'user',
  },
  survey_subquestion: {
    noun: 'SurveySubquestion',
    words: 'survey subquestion',
    key: 'subquestion',
    icon: 'survey',
    logLevel: 'user',
  },
  survey_answer: { noun: 'SurveyAnswer', words: 'survey answer', key: 'answer', icon: 'survey', logLevel: 'user' },
  component_question: {
    noun: 'ComponentQuestion',
    words: 'component question',
    key: 'component_question',
    icon: 'hub',
    logLevel: 'user',
  },
  regulation: { noun: 'Regulation', words: 'regulation', key: 'regulation', icon: 'gavel', logLevel: 'user' },
  regulation_section: {
    noun: 'RegulationSection',
    words: 'regulation section',
    key: 'regulation_section',
    icon: 'gavel',
    logLevel: 'user',
  },
  glossary_term: {
    noun: 'GlossaryTerm',
    words: 'glossary term',
    key: 'glossary_term',
    icon: 'book',
    logLevel: 'user',
  },
  training_module: {
    noun: 'TrainingModule',
    words: 'training module',
    key: 'training_module',
    icon: 'school',
    logLevel: 'user',
  },
  library_release: {
    noun: 'Library',
    words: 'the library to release',
    key: 'release',
    icon: 'book',
    logLevel: 'user',
  },
  rule_mapping: {
    noun: 'RuleMapping',
    words: 'rule mapping',
    key: 'rule_mapping',
    icon: 'rule',
    logLevel: 'user',
  },
  profile: { noun: 'Profile', words: 'profile', key: 'profile', icon: 'badge', logLevel: 'user' },
  user: { noun: 'User', words: 'user', key: 'user', icon: 'person', logLevel: 'admin' },
  group: { noun: 'Group', words: 'group', key: 'group', icon: 'person', logLevel: 'admin' },
  group_member: { noun: 'Group', words: 'group', key: 'group', icon: 'personAdd', logLevel: 'admin' },
  role: { noun: 'Role', words: 'role', key: 'role', icon: 'person', logLevel: 'admin' },
  flag: { noun: 'Flag', words: 'flag', key: 'flag', icon: 'flag', logLevel: 'admin' },
  import_job: { noun: 'ImportJob', words: 'import', key: 'job', icon: 'download', logLevel: 'user' },
  export_job: { noun: 'ExportJob', words: 'export', key: 'job', icon: 'download', logLevel: 'user' },
  project_component: { noun: 'Project', words: 'project', key: 'project', icon: 'hub', logLevel: 'user' },
  project_content: { noun: 'Project', words: 'project', key: 'project', icon: 'survey', logLevel: 'user' },
  project_survey: {
    noun: 'ProjectSurvey',
    words: 'the survey of project',
    key: 'project',
    icon: 'survey',
    logLevel: 'user',
  },
  project_compliance: {
    noun: 'ProjectCompliance',
    words: 'the risk-policy compliance of project',
    key: 'project',
    icon: 'shield',
    logLevel: 'user',
  },
  survey_comment: {
    noun: 'Note',
    words: 'a comment on question',
    key: 'question',
    icon: 'note',
    logLevel: 'user',
  },
  connector: { noun: 'Connector', words: 'connector', key: 'connector', icon: 'plug', logLevel: 'admin' },
  tracker_connection: {
    noun: 'IssueTrackerConnection',
    words: 'issue tracker connection',
    key: 'issue_tracker_connection',
    icon: 'plug',
    logLevel: 'user',
  },
  verification_connection: {
    noun: 'VerificationConnection',
    words: 'verification connection',
    key: 'verification_connection',
    icon: 'plug',
    logLevel: 'user',
  },
  automation_event: {
    noun: 'AutomationEvent',
    words: 'automation event',
    key: 'event',
    icon: 'bolt',
    logLevel: 'user',
  },
  webhook: { noun: 'Webhook', words: 'webhook', key: 'webhook', icon: 'webhook', logLevel: 'admin' },
  webhook_secret: {
    noun: 'WebhookSecret',
    words: 'the secret of webhook',
    key: 'webhook',
    icon: 'webhook',
    logLevel: 'admin',
  },
  webhook_config: {
    noun: 'WebhookConfig',
    words: 'an event of webhook',
    key: 'webhook',
    icon: 'webhook',
    logLevel: 'admin',
  },
  identity_provider: {
    noun: 'IdentityProvider',
    words: 'identity provider',
    key: 'identity_provider',
    icon: 'login',
    logLevel: 'admin',
  },
  provider_sign_in: {
    noun: 'SignIn',
    words: 'a sign-in with',
    key: 'identity_provider',
    icon: 'login',
    logLevel: 'admin',
  },
  invitation: { noun: 'Invitation', words: 'an invitation of', key: 'user', icon: 'person', logLevel: 'admin' },
  user_identity: { noun: 'Identity', words: 'the identity of', key: 'user', icon: 'login', logLevel: 'admin' },
  saved_view: { noun: 'SavedView', words: 'saved view', key: 'saved_view', icon: 'bookmark', logLevel: 'user' },
  session: { noun: 'Session', words: 'a session of', key: 'user', icon: 'login', logLevel: 'user' },
  sign_in: { noun: 'SignIn', words: 'a sign-in as', key: 'user', icon: 'login', logLevel: 'admin' },
  token_policy: {
    noun: 'TokenPolicy',
    words: 'the policy of tokens of',
    key: 'organization',
    icon: 'key',
    logLevel: 'admin',
  },
  token: { noun: 'Token', words: 'a token of', key: 'user', icon: 'key', logLevel: 'user' },
} as const satisfies Record<string, Subject>;

export type ActivitySubject = keyof typeof ACTIVITIES;
