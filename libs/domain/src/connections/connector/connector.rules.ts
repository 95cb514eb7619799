import { TRACKERS } from '#trackers/trackers.js';
import { REQUIRED } from '../../kernel/fields/field-checks.js';
import type { FieldErrors } from '../../kernel/domain-errors.js';

export type ConnectorKind = 'analysis' | 'issue_tracker';

/** The only tool for verification that can be contacted. Reports of others are uploaded. */
export const SONARQUBE = 'sonarqube';

/** The systems that a connector can have. Connectors that are older may have others, which are no longer supported. */
export const systemIdsOf = (kind: ConnectorKind): readonly string[] =>
  kind === 'analysis' ? [SONARQUBE] : Object.keys(TRACKERS);

/** The encryption purpose of a connector's secrets: see `SecretBox`. */
export const CONNECTOR_SECRETS_PURPOSE = 'connector.secrets';

/** Shown in place of a secret. Sent back, it leaves the secret unchanged. */
export const SECRET_MASK = '********';

/** Connection parameters by name: strings, numbers, booleans, and lists of these. */
export type ConnectorParams = Readonly<Record<string, unknown>>;

/** Parameters that may be shown. All others are treated as secrets, since a name alone does not prove otherwise. */
const PUBLIC_PARAMS = new Set([
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

/** Whether a text contains a URL that may have credentials before its host or in its query. */
function mayHoldCredentials(text: string): boolean {
  const start = text.indexOf('://');
  return start !== -1 && /[@?]/.test(text.slice(start));
}

/** Whether a parameter is encrypted and never shown. */
export const isSecret = (name: string, value: unknown): boolean =>
  !PUBLIC_PARAMS.has(name) || mayHoldCredentials(JSON.stringify(value));

const MAX_URL_LENGTH = 2048;
const URL_FORMAT_MESSAGE = 'Enter a URL such as https://tools.example.com: http or https, no user name, no query.';

/** Rejects user names, queries, fragments and blanks, and backslashes, which URL parsers read as slashes. */
const PLAIN_URL = /^https?:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/i;

const urlError = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= MAX_URL_LENGTH && PLAIN_URL.test(value) && URL.canParse(value)
    ? undefined
    : URL_FORMAT_MESSAGE;

/**
 * Returns the errors of a system's parameters by name, or undefined. Messages never contain values: they may be secret.
 */
export function paramsErrors(system: string, params: ConnectorParams): FieldErrors | undefined {
  const errors: FieldErrors = {};
  const error = Object.hasOwn(params, 'url') ? urlError(params['url']) : undefined;
  if (error !== undefined) errors['url'] = [error];
  if (system === SONARQUBE) {
    for (const name of ['url', 'token']) if (!Object.hasOwn(params, name)) errors[name] = [REQUIRED];
    const token = params['token'];
    if (token !== undefined && (typeof token !== 'string' || token.trim() === ''))
      errors['token'] = ['Enter a token of SonarQube.'];
  }
  return Object.keys(errors).length ? errors : undefined;
}

/** Removes parameters that are null or a mask: both mean that there is no value. */
export const omitUnsetParams = (params: ConnectorParams): ConnectorParams =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null && value !== SECRET_MASK));
