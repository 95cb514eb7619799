import type { Configuration } from '#platform/configuration.js';
import { OutboundClient } from '#platform/outbound/outbound-client.js';
import { checkTracker } from '#trackers/check-tracker.js';
import type { Tracker } from '#trackers/tracker.js';
import { TRACKERS } from '#trackers/trackers.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { checkSonarQube, SONARQUBE_UNREACHABLE, sonarQubeAccess } from './check-sonarqube.js';
import { type ConnectorKind, type ConnectorParams, omitUnsetParams, paramsErrors } from './connector.rules.js';
import { concealing, notUsed, textOf, trackerAccess, unusable } from './tracker-access.js';

/** The result of a connection test. */
export interface ConnectionResult {
  readonly success: boolean;
  readonly error: string | null;
}

/** Longer responses of SonarQube are cut off: the two that are requested are short. */
const MAX_SONARQUBE_BYTES = 10_000;

/** Longer responses of trackers are cut off: a project of Jira lists its versions and components. */
const MAX_TRACKER_BYTES = 1_000_000;

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
   * Tests whether a system can be reached with these parameters. Everyone sees what the system itself responds, but
   * only super-users see why it was not reached. Neither the text nor the duration of the test reveals that to others:
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
    return this.reveal(actor, 'SonarQube could not be reached.', SONARQUBE_UNREACHABLE, () =>
      checkSonarQube(this.sonarQubeClient, sonarQubeAccess(params)),
    );
  }

  /**
   * Returns the result of a check, which says what is wrong. If the system was not reached, only super-users see why.
   */
  private async reveal(
    actor: Actor,
    notReached: string,
    unreachable: string,
    check: () => Promise<string | undefined>,
  ): Promise<ConnectionResult> {
    const waiting = { actor, timeoutMilliseconds: this.timeoutMilliseconds, notReached, unreachable };
    const { result, error } = await concealing(waiting, async () => ({ found: await check() }));
    const found = result ? result.found : error;
    return found === undefined ? { success: true, error: null } : failure(found);
  }

  private async testTracker(actor: Actor, tracker: Tracker, params: ConnectorParams): Promise<ConnectionResult> {
    const { name } = tracker;
    const access = trackerAccess(params);
    if (!access) return failure(`The test needs the \`url\` and a \`token\` of ${name}.`);
    return this.reveal(actor, notUsed(name), unusable(name), () =>
      checkTracker(this.trackerClient, tracker, access, textOf(params, 'project_key')),
    );
  }
}
