/** What can happen, as it stands at the front of an activity's name. */
export type Verb =
  | 'Created'
  | 'Updated'
  | 'Deleted'
  | 'Activated'
  | 'Deactivated'
  | 'Regenerated'
  | 'Revoked'
  | 'Cancelled'
  | 'Retried'
  | 'Completed'
  | 'AddedUserTo'
  | 'RemovedUserFrom';

interface Subject {
  /** As it stands in the activity's name. */
  readonly noun: string;
  /** As people call it. */
  readonly words: string;
  /** The name of its id in the activity's data. */
  readonly key: string;
  readonly icon: string;
  /** `admin` for what only administrators do. */
  readonly logLevel: 'user' | 'admin';
}

/** Everything that activities are about. Names, keys and icons are part of the interface and never change. */
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
  report: { noun: 'Report', words: 'report', key: 'report', icon: 'chart', logLevel: 'user' },
  user: { noun: 'User', words: 'user', key: 'user', icon: 'person', logLevel: 'admin' },
  group: { noun: 'Group', words: 'group', key: 'group', icon: 'person', logLevel: 'admin' },
  role: { noun: 'Role', words: 'role', key: 'role', icon: 'person', logLevel: 'admin' },
  flag: { noun: 'Flag', words: 'flag', key: 'flag', icon: 'flag', logLevel: 'admin' },
  export_job: { noun: 'ExportJob', words: 'export', key: 'job', icon: 'download', logLevel: 'user' },
  token: { noun: 'Token', words: 'a token of', key: 'user', icon: 'key', logLevel: 'user' },
} as const satisfies Record<string, Subject>;

export type ActivitySubject = keyof typeof ACTIVITIES;
