import type { TrackerIssue, TrackerProject } from '#trackers/issue.js';

/**
 * Changes are read again from so long before the last known one: trackers index them later, and transactions that began
 * earlier may commit later.
 */
const OVERLAP_MILLISECONDS = 5 * 60_000;

/**
 * The pages of the issues that have changed in a tracker.
 *
 * @param cursor the time of the last known change, in ISO 8601; null: all issues
 */
export async function* changesSince(
  tracker: TrackerProject,
  cursor: string | null,
): AsyncGenerator<readonly TrackerIssue[]> {
  const since = new Date(cursor === null ? 0 : new Date(cursor).getTime() - OVERLAP_MILLISECONDS);
  let page: string | undefined;
  do {
    const { issues, next } = await tracker.changedSince(since, page);
    yield issues;
    page = next;
  } while (page !== undefined);
}
