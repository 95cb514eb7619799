import { z } from 'zod';

import type { OutboundClient } from '#platform/outbound/outbound-client.js';
import { jsonObjectOf } from '#platform/outbound/json-object.js';
import { UnrecognizedServer } from '#platform/outbound/outbound-failure.js';
import { TrackerBusy, TrackerRefusal } from './issue.js';
import { TrackerRequests } from './tracker-requests.js';
import { requestHeaders, type Tracker, type TrackerAccess } from './tracker.js';

/** Statuses of trackers that reject a token: Azure DevOps sends a page for signing in, with 203 or a redirect. */
const REJECTING = new Set([203, 302, 401, 403]);

/**
 * Asks a tracker whether it accepts a token. It only reads.
 *
 * @throws OutboundFailure if there is no response
 * @throws UnrecognizedServer if the server is not such a tracker, or does not accept the token
 */
export async function checkAccount(client: OutboundClient, tracker: Tracker, access: TrackerAccess): Promise<void> {
  const { name } = tracker;
  const account = await client.send({
    method: 'GET',
    url: tracker.apiOf(access) + tracker.accountPath,
    headers: requestHeaders(tracker, access),
  });
  // Without an account, nothing shows that the server is a tracker at all.
  if (REJECTING.has(account.status)) throw new UnrecognizedServer(`${name} does not accept the token.`);
  if (account.status !== 200) throw new UnrecognizedServer(`Its host returned ${account.status}.`);
  if (!tracker.isAccount(jsonObjectOf(account))) throw new UnrecognizedServer(`The response is not from ${name}.`);
}

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
  await checkAccount(client, tracker, access);
  if (project === undefined) return undefined;
  try {
    await new TrackerRequests(client, tracker, access, project).project(z.unknown());
    return undefined;
  } catch (error) {
    if (error instanceof TrackerRefusal || error instanceof TrackerBusy) return error.message;
    throw error;
  }
}
