import { setTimeout } from 'node:timers/promises';
import type { Configuration } from '#platform/configuration.js';
import { type OutboundResponse, OutboundClient } from '#platform/outbound/outbound-client.js';
import { OutboundFailure } from '#platform/outbound/outbound-failure.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid } from '../../kernel/domain-errors.js';
import {
  type ConnectorKind,
  type ConnectorParams,
  omitUnsetParams,
  paramsErrors,
  SONARQUBE,
  systemName,
} from './connector.rules.js';

/** The result of a connection test. */
export interface ConnectionResult {
  readonly success: boolean;
  readonly error: string | null;
}

/** Longer responses are cut off: the two that are requested are short. */
const MAX_RESPONSE_BYTES = 10_000;

const STATUS_PATH = '/api/system/status';
const CREDENTIALS_PATH = '/api/authentication/validate';

/** The format of SonarQube's status values. */
const STATUS_WORD = /^[A-Z_]{1,40}$/;

/** Shown to users who must not learn which addresses and ports respond. */
const UNREACHABLE = 'SonarQube is not reachable. Super-users can test the connection to see why.';

/** The server that responded is not recognizably SonarQube. The message may be shown to super-users. */
class UnrecognizedServer extends Error {}

const failure = (error: string): ConnectionResult => ({ success: false, error });

/** A member of a JSON object in a response, or undefined. No other part of a response is ever shown. */
function memberOf({ text }: OutboundResponse, name: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}

/** Tests whether tools can be reached. It changes nothing, here or there. */
export class ConnectionTester {
  private readonly client: OutboundClient;
  private readonly timeoutMilliseconds: number;

  constructor(configuration: Configuration) {
    this.timeoutMilliseconds = configuration.connectionTimeoutSeconds * 1000;
    this.client = new OutboundClient({
      allowPrivate: configuration.connectionAllowPrivate,
      schemes: ['https:', 'http:'],
      timeoutMilliseconds: this.timeoutMilliseconds,
      maximumResponseBytes: MAX_RESPONSE_BYTES,
    });
  }

  /**
   * Tests whether a system can be reached with these parameters. Everyone sees what SonarQube itself responds, but only
   * super-users see why it was not reached. Neither the text nor the duration of the test reveals that to others:
   * otherwise anyone who may test connections could scan hosts and ports.
   *
   * @throws Invalid if the parameters do not fit the system
   */
  async test(actor: Actor, kind: ConnectorKind, system: string, input: ConnectorParams): Promise<ConnectionResult> {
    const params = omitUnsetParams(input);
    const errors = paramsErrors(system, params);
    if (errors) throw new Invalid({ params: errors });
    if (system !== SONARQUBE) return failure(`${systemName(kind, system)} is not supported yet`);
    const startedAt = performance.now();
    try {
      return await this.checkSonarQube(String(params['url']), String(params['token']));
    } catch (error) {
      if (!(error instanceof OutboundFailure || error instanceof UnrecognizedServer)) throw error;
      if (actor.isSuperUser) return failure(`SonarQube could not be reached. ${error.message}`);
      await setTimeout(Math.max(this.timeoutMilliseconds - (performance.now() - startedAt), 0));
      return failure(UNREACHABLE);
    }
  }

  private async checkSonarQube(url: string, token: string): Promise<ConnectionResult> {
    const base = url.replace(/(?<!\/)\/+$/, '');
    // Every release of SonarQube accepts a token as the user name, without a password.
    const authorization = `Basic ${Buffer.from(`${token.trim()}:`).toString('base64')}`;
    const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<OutboundResponse> =>
      this.client.send({
        method: 'GET',
        url: base + path,
        headers: { Accept: 'application/json', 'User-Agent': 'Merlon', ...headers },
      });
    // In parallel, so that both share one timeout.
    const [status, credentials] = await Promise.all([
      get(STATUS_PATH),
      get(CREDENTIALS_PATH, { Authorization: authorization }),
    ]);
    return statusError(status) ?? credentialsError(credentials) ?? { success: true, error: null };
  }
}

/** Returns why SonarQube cannot be used, if so. Throws `UnrecognizedServer` if this may not be SonarQube. */
function statusError(response: OutboundResponse): ConnectionResult | undefined {
  if (response.status !== 200) throw new UnrecognizedServer(`Its host returned ${response.status} for ${STATUS_PATH}.`);
  const status = memberOf(response, 'status');
  if (status === 'UP') return undefined;
  if (typeof status === 'string' && STATUS_WORD.test(status))
    return failure(`SonarQube is not ready: its status is ${status}.`);
  throw new UnrecognizedServer(`The response for ${STATUS_PATH} is not from SonarQube.`);
}

function credentialsError(response: OutboundResponse): ConnectionResult | undefined {
  if (response.status === 401 || response.status === 403) return failure('SonarQube does not accept the token.');
  if (response.status !== 200) return failure(`SonarQube returned ${response.status} for ${CREDENTIALS_PATH}.`);
  const valid = memberOf(response, 'valid');
  if (valid === true) return undefined;
  if (valid === false) return failure('SonarQube does not accept the token.');
  return failure(`The response for ${CREDENTIALS_PATH} is not from SonarQube.`);
}
