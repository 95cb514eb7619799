import { randomUUID } from 'node:crypto';
import { MERLON_LABEL, type TrackerProject, TrackerRefusal } from '#trackers/issue.js';
import { closingStatus } from '../tracker-connection/tracker-connection.rules.js';
import type { SyncedConnection } from './sync-items.js';

const TITLE = 'A test of Merlon';
const TEXT = 'Merlon has created this issue to test a connection. It closes the issue at once, and does not follow it.';

/** What became of an issue that was created as a test. */
export interface TrialIssue {
  /** Where people read it. */
  readonly url: string;
  /** Why it could not be closed. */
  readonly problem: string | undefined;
}

/**
 * Creates an issue and closes it, by the path of a run: only that shows that the token may, and that the workflow
 * allows it.
 *
 * @throws TrackerRefusal if the tracker does not create it
 */
export async function tryIssue(connection: SyncedConnection, tracker: TrackerProject): Promise<TrialIssue> {
  const { issueType, labels, fields, priorityMap, statusToTracker } = connection;
  const issue = await tracker.create({
    type: issueType === '' ? undefined : issueType,
    title: TITLE,
    text: TEXT,
    priority: Object.values(priorityMap)[0],
    labels,
    fields,
    marker: `${MERLON_LABEL}-${randomUUID()}`,
  });
  const { key, url } = issue;
  const status = closingStatus(statusToTracker);
  if (status === undefined)
    return { url, problem: `status_to_tracker: it has no status for TS3 or TS1, so that ${key} stays open.` };
  try {
    await tracker.update(issue.id, { status });
    return { url, problem: undefined };
  } catch (error) {
    if (error instanceof TrackerRefusal) return { url, problem: `${key} stays open. ${error.message}` };
    throw error;
  }
}
