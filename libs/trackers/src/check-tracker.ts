import type { OutboundClient, OutboundResponse } from '#platform/outbound/outbound-client.js';
import { jsonObjectOf } from '#platform/outbound/json-object.js';
import { UnrecognizedServer } from '#platform/outbound/unrecognized-server.js';
import { isProjectKey, requestHeaders, type Tracker, type TrackerAccess } from './tracker.js';

/** Statuses of trackers that reject a token: Azure DevOps sends a page for signing in, with 203 or a redirect. */
const REJECTING = new Set([203, 302, 401, 403]);

/**
 * Asks a tracker whether it accepts a token, and whether the token may see a project with issues. It only reads.
 *
 * @param client what sends the requests
 * @param tracker the kind of tracker
 * @param access its address and credentials
 * @param project the project to look for, if any
 * @returns what the tracker says against it, or undefined
 * @throws OutboundFailure if there is no response
 * @throws UnrecognizedServer if the server is not such a tracker, or accepts no token
 */
export async function checkTracker(
  client: OutboundClient,
  tracker: Tracker,
  access: TrackerAccess,
  project: string | undefined,
): Promise<string | undefined> {
  const { name } = tracker;
  const get = (path: string): Promise<OutboundResponse> =>
    client.send({
      method: 'GET',
      url: tracker.apiOf(access) + path,
      headers: requestHeaders(tracker, access),
    });
  const account = await get(tracker.accountPath);
  // Without an account, nothing shows that the server is a tracker at all.
  if (REJECTING.has(account.status)) throw new UnrecognizedServer(`${name} does not accept the token.`);
  if (account.status !== 200) throw new UnrecognizedServer(`Its host returned ${account.status}.`);
  if (!tracker.isAccount(jsonObjectOf(account))) throw new UnrecognizedServer(`The response is not from ${name}.`);
  if (project === undefined) return undefined;

  const invisible =
    `${name} does not show the project to this token. ` + 'Check `project_key` and the rights of the token.';
  if (!isProjectKey(project)) return invisible;
  const found = await get(tracker.projectPath(project));
  if (found.status === 403 || found.status === 404) return invisible;
  if (found.status !== 200) return `${name} returned ${found.status} for the project.`;
  const body = jsonObjectOf(found);
  if (!tracker.isProject(body)) return `The response for the project is not from ${name}.`;
  return tracker.hasNoIssues(body) ? `The project has no issues: switch them on in ${name}.` : undefined;
}
