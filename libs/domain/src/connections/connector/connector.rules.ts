import type { FieldErrors } from '../../kernel/domain-errors.js';

/** What connectors lead to, as their names appear in texts, by the id that a connector's `system` has. */
export const CONNECTOR_SYSTEMS = {
  /** Tools that verify countermeasures. */
  analysis: {
    appscan: 'AppScan',
    checkmarx: 'Checkmarx',
    fortify: 'Fortify',
    github: 'GitHub',
    semgrep: 'Semgrep',
    snyk: 'Snyk',
    sonarqube: 'SonarQube',
    veracode: 'Veracode',
  },
  issue_tracker: {
    azure_devops: 'Azure DevOps',
    github: 'GitHub',
    gitlab: 'GitLab',
    jira: 'Jira',
    servicenow: 'ServiceNow',
  },
} as const;

export type ConnectorKind = keyof typeof CONNECTOR_SYSTEMS;

/** Ids of the systems that connectors of a kind lead to. */
export const systemIdsOf = (kind: ConnectorKind): readonly string[] => Object.keys(CONNECTOR_SYSTEMS[kind]);

/** How a system is called. */
export const systemName = (kind: ConnectorKind, id: string): string =>
  new Map(Object.entries<string>(CONNECTOR_SYSTEMS[kind])).get(id) ?? id;

/** The one system that is really spoken to. */
export const SONARQUBE = 'sonarqube';

/** What a connector's secrets are sealed as: see `SecretBox`. */
export const CONNECTOR_SECRETS_PURPOSE = 'connector.secrets';

/** Stands where a secret is kept. Sent back, it leaves that secret as it is. */
export const SECRET_MASK = '********';

/** How to reach a system: texts, numbers, true, false, and lists of these, by the caller's names. */
export type ConnectorParams = Readonly<Record<string, unknown>>;

/** Names of what may be shown. Whatever else there is counts as a secret: a name says too little to be sure of less. */
const SHOWN = new Set([
  'branch',
  'email',
  'organization',
  'project',
  'project_key',
  'repository',
  'url',
  'user',
  'username',
  'workspace',
]);

/** Whether a text has a URL that may hold credentials: before its host, or in its query. */
function mayHoldCredentials(text: string): boolean {
  const start = text.indexOf('://');
  return start !== -1 && /[@?]/.test(text.slice(start));
}

/** Whether a parameter is kept sealed and never answered. */
export const isSecret = (name: string, value: unknown): boolean =>
  !SHOWN.has(name) || mayHoldCredentials(JSON.stringify(value));

const URL_MAXIMUM_LENGTH = 2048;
const URL_FORM = 'Enter a URL such as https://tools.example.com: http or https, no user name, no query.';

/** Neither blanks nor backslashes, which URL parsers read as slashes, no user name, no query and no fragment. */
const PLAIN_URL = /^https?:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/i;

const urlProblem = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= URL_MAXIMUM_LENGTH && PLAIN_URL.test(value) && URL.canParse(value)
    ? undefined
    : URL_FORM;

/**
 * Errors of a system's parameters by name, or undefined. Messages never contain the values, which may be secrets.
 */
export function paramsProblems(system: string, params: ConnectorParams): FieldErrors | undefined {
  const errors: FieldErrors = {};
  const problem = Object.hasOwn(params, 'url') ? urlProblem(params['url']) : undefined;
  if (problem !== undefined) errors['url'] = [problem];
  if (system === SONARQUBE) {
    for (const name of ['url', 'token']) if (!Object.hasOwn(params, name)) errors[name] = ['This field is required.'];
    const token = params['token'];
    if (token !== undefined && (typeof token !== 'string' || token.trim() === ''))
      errors['token'] = ['Enter a token of SonarQube.'];
  }
  return Object.keys(errors).length ? errors : undefined;
}

/** Parameters as they are meant: null stands for none, and so does the mask of a secret. */
export const givenParams = (params: ConnectorParams): ConnectorParams =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null && value !== SECRET_MASK));
