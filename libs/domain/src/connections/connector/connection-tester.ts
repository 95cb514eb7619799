import type { Configuration } from '#platform/configuration.js';
import { type OutboundResponse, OutboundClient } from '#platform/outbound/outbound-client.js';
import { jsonObjectOf } from '#platform/outbound/json-object.js';
import { UnrecognizedServer } from '#platform/outbound/unrecognized-server.js';
import { checkTracker } from '#trackers/check-tracker.js';
import type { Tracker } from '#trackers/tracker.js';
import { TRACKERS } from '#trackers/trackers.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { type ConnectorKind, type ConnectorParams, omitUnsetParams, paramsErrors } from './connector.rules.js';
import { concealing, notUsed, textOf, trackerAccess, unusable, withoutSlashes } from './tracker-access.js';

/** The result of a connection test. */
export interface ConnectionResult {
  readonly success: boolean;
  readonly error: string | null;
}

/** Longer responses of SonarQube are cut off: the two that are requested are short. */
const MAX_SONARQUBE_BYTES = 10_000;

/** Longer responses of trackers are cut off: a project of Jira lists its versions and components. */
const MAX_TRACKER_BYTES = 1_000_000;

const STATUS_PATH = '/api/system/status';
const CREDENTIALS_PATH = '/api/authentication/validate';

/** The format of SonarQube's status values. */
const STATUS_WORD = /^[A-Z_]{1,40}$/;

/** Shown to users who must not learn which addresses and ports respond. */
const UNREACHABLE = 'SonarQube is not reachable. Super-users can test the connection to see why.';

const failure = (error: string): ConnectionResult => ({ success: false, error });

/** Tests whether tools can be reached. It changes nothing, here or there. */
export class ConnectionTester {
  private readonly sonarQubeClient: OutboundClient;
  private readonly trackerClient: OutboundClient;
  private readonly timeoutMilliseconds: number;

  constructor(configuration: Configuration) {
    this.timeoutMilliseconds = configuration.connectionTimeoutSeconds * 1000;
    const clientFor = (maximumResponseBytes: number): OutboundClient =>
      new OutboundClient({
        allowPrivate: configuration.connectionAllowPrivate,
        schemes: ['https:', 'http:'],
        timeoutMilliseconds: this.timeoutMilliseconds,
        maximumResponseBytes,
      });
    this.sonarQubeClient = clientFor(MAX_SONARQUBE_BYTES);
    this.trackerClient = clientFor(MAX_TRACKER_BYTES);
  }

  /**
   * Tests whether a system can be reached with these parameters. Everyone sees what the system itself responds, but only
   * super-users see why it was not reached. Neither the text nor the duration of the test reveals that to others:
   * otherwise anyone who may test connections could scan hosts and ports.
   *
   * @throws Invalid if the parameters do not fit the system
   */
  async test(actor: Actor, kind: ConnectorKind, system: string, input: ConnectorParams): Promise<ConnectionResult> {
    const params = omitUnsetParams(input);
    const errors = paramsErrors(system, params);
    if (errors) throw new Invalid({ params: errors });
    const tracker = kind === 'issue_tracker' ? TRACKERS[system] : undefined;
    if (tracker) return this.testTracker(actor, tracker, params);
    return this.reveal(actor, 'SonarQube could not be reached.', UNREACHABLE, () =>
      this.checkSonarQube(String(params['url']), String(params['token'])),
    );
  }

  /** Returns the result of a check. If the system was not reached, only super-users see why. */
  private async reveal(
    actor: Actor,
    notReached: string,
    unreachable: string,
    check: () => Promise<ConnectionResult>,
  ): Promise<ConnectionResult> {
    const waiting = { actor, timeoutMilliseconds: this.timeoutMilliseconds, notReached, unreachable };
    const { result, error } = await concealing(waiting, check);
    return result ?? failure(error);
  }

  private async testTracker(actor: Actor, tracker: Tracker, params: ConnectorParams): Promise<ConnectionResult> {
    const { name } = tracker;
    const access = trackerAccess(params);
    if (!access) return failure(`The test needs the \`url\` and a \`token\` of ${name}.`);
    return this.reveal(actor, notUsed(name), unusable(name), async () => {
      const error = await checkTracker(this.trackerClient, tracker, access, textOf(params, 'project_key'));
      return { success: error === undefined, error: error ?? null };
    });
  }

  private async checkSonarQube(url: string, token: string): Promise<ConnectionResult> {
    const base = withoutSlashes(url);
    // Every release of SonarQube accepts a token as the user name, without a password.
    const authorization = `Basic ${Buffer.from(`${token.trim()}:`).toString('base64')}`;
    const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<OutboundResponse> =>
      this.sonarQubeClient.send({
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
  const status = jsonObjectOf(response)['status'];
  if (status === 'UP') return undefined;
  if (typeof status === 'string' && STATUS_WORD.test(status))
    return failure(`SonarQube is not ready: its status is ${status}.`);
  throw new UnrecognizedServer(`The response for ${STATUS_PATH} is not from SonarQube.`);
}

function credentialsError(response: OutboundResponse): ConnectionResult | undefined {
  if (response.status === 401 || response.status === 403) return failure('SonarQube does not accept the token.');
  if (response.status !== 200) return failure(`SonarQube returned ${response.status} for ${CREDENTIALS_PATH}.`);
  const valid = jsonObjectOf(response)['valid'];
  if (valid === true) return undefined;
  if (valid === false) return failure('SonarQube does not accept the token.');
  return failure(`The response for ${CREDENTIALS_PATH} is not from SonarQube.`);
}
