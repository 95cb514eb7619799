import { jsonObjectOf } from '#platform/outbound/json-object.js';
import type { OutboundClient, OutboundResponse } from '#platform/outbound/outbound-client.js';
import { UnrecognizedServer } from '#platform/outbound/outbound-failure.js';
import type { ConnectorParams } from './connector.rules.js';
import { withoutSlashes } from './tracker-access.js';

const STATUS_PATH = '/api/system/status';
const CREDENTIALS_PATH = '/api/authentication/validate';

/** The format of SonarQube's status values. */
const STATUS_WORD = /^[A-Z_]{1,40}$/;

/** Shown to users who must not learn which addresses and ports respond. */
export const SONARQUBE_UNREACHABLE = 'SonarQube is not reachable. Super-users can test the connection to see why.';

/** How to reach a SonarQube. */
export interface SonarQubeAccess {
  readonly url: string;
  readonly token: string;
}

/** The access that valid parameters describe. */
export const sonarQubeAccess = (params: ConnectorParams): SonarQubeAccess => ({
  url: withoutSlashes(String(params['url'])),
  token: String(params['token']).trim(),
});

/** Requests a path of SonarQube's API. */
export const requestSonarQube = (
  client: OutboundClient,
  { url }: Pick<SonarQubeAccess, 'url'>,
  path: string,
  token?: string,
): Promise<OutboundResponse> =>
  client.send({
    method: 'GET',
    url: url + path,
    headers: {
      Accept: 'application/json',
      'User-Agent': 'Merlon',
      // Every release of SonarQube accepts a token as the user name, without a password.
      ...(token !== undefined && { Authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }),
    },
  });

/**
 * Returns why SonarQube cannot be used, if so. Throws `UnrecognizedServer` if this may not be SonarQube, and
 * `OutboundFailure` if there is no response.
 */
export async function checkSonarQube(client: OutboundClient, access: SonarQubeAccess): Promise<string | undefined> {
  // In parallel, so that both share one timeout.
  const [status, credentials] = await Promise.all([
    requestSonarQube(client, access, STATUS_PATH),
    requestSonarQube(client, access, CREDENTIALS_PATH, access.token),
  ]);
  return statusError(status) ?? credentialsError(credentials);
}

function statusError(response: OutboundResponse): string | undefined {
  if (response.status !== 200) throw new UnrecognizedServer(`Its host returned ${response.status} for ${STATUS_PATH}.`);
  const status = jsonObjectOf(response)['status'];
  if (status === 'UP') return undefined;
  if (typeof status === 'string' && STATUS_WORD.test(status)) return `SonarQube is not ready: its status is ${status}.`;
  throw new UnrecognizedServer(`The response for ${STATUS_PATH} is not from SonarQube.`);
}

function credentialsError(response: OutboundResponse): string | undefined {
  if (response.status === 401 || response.status === 403) return 'SonarQube does not accept the token.';
  if (response.status !== 200) return `SonarQube returned ${response.status} for ${CREDENTIALS_PATH}.`;
  const valid = jsonObjectOf(response)['valid'];
  if (valid === true) return undefined;
  if (valid === false) return 'SonarQube does not accept the token.';
  return `The response for ${CREDENTIALS_PATH} is not from SonarQube.`;
}
