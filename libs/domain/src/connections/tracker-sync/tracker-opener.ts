import type { Configuration } from '#platform/configuration.js';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import { OutboundClient } from '#platform/outbound/outbound-client.js';
import { type TrackerProject, TrackerRefusal } from '#trackers/issue.js';
import { openTrackerProject } from '#trackers/tracker-project.js';
import { TRACKERS } from '#trackers/trackers.js';
import { openParams } from '../connector/connector.params.js';
import { trackerAccess } from '../connector/tracker-access.js';
import type { SyncedConnection } from './sync-items.js';

/** Longer responses are cut off: a page has up to 100 issues with their texts. */
const MAX_RESPONSE_BYTES = 16_000_000;

/** The name of a system for people. */
export const trackerName = ({ system }: Pick<SyncedConnection, 'system'>): string => TRACKERS[system]?.name ?? system;

/** Opens the projects of trackers that connections name. */
export class TrackerOpener {
  /** How long a request may take. */
  readonly requestSeconds: number;
  private readonly client: OutboundClient;

  constructor(
    { connectionAllowPrivate, connectionTimeoutSeconds }: Configuration,
    private readonly secrets: SecretBox,
  ) {
    this.requestSeconds = connectionTimeoutSeconds;
    this.client = new OutboundClient({
      allowPrivate: connectionAllowPrivate,
      schemes: ['https:', 'http:'],
      timeoutMilliseconds: connectionTimeoutSeconds * 1000,
      maximumResponseBytes: MAX_RESPONSE_BYTES,
    });
  }

  /**
   * Checks the token and the project first, like the test of a connector, so that runs and tests take the same path.
   *
   * @throws OutboundFailure if there is no response
   * @throws UnrecognizedServer if the server is not such a tracker, or does not accept the token
   * @throws TrackerRefusal if the tracker does not show the project
   */
  async open(connection: SyncedConnection): Promise<TrackerProject> {
    const { system, projectKey } = connection;
    const access = trackerAccess(openParams(connection, this.secrets));
    if (!access) throw new TrackerRefusal('The connector has no `url` or no `token` of an issue tracker.');
    return openTrackerProject(this.client, system, access, projectKey);
  }
}
