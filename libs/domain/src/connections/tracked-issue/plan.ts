import { closingStatus } from '../tracker-connection/tracker-connection.rules.js';
import { type Base, compare, type Comparison, type SeenIssue, type StatusRules, type Wanted } from './compare.js';

/** The row of an issue, as far as a run looks at it. */
export interface TrackedRow {
  readonly id: number;
  readonly marker: string;
  readonly status: 'pending' | 'synced' | 'failed' | 'missing' | 'out_of_scope';
  /** Null until the issue is known to exist. */
  readonly issueId: string | null;
  readonly issueKey: string | null;
  readonly base: Base | null;
  readonly seen: SeenIssue | null;
}

/** The row of an issue that exists. */
export type ExistingRow = TrackedRow & {
  readonly issueId: string;
  readonly base: Base;
  readonly seen: SeenIssue;
};

export interface PlanRules extends StatusRules {
  readonly statusesInScope: readonly string[];
  readonly closeOutOfScope: boolean;
}

/** What a run does about a countermeasure and its issue. */
export type Step =
  | { readonly step: 'nothing' }
  | { readonly step: 'create' }
  /** An attempt to create the issue may have failed or succeeded: it is searched first. */
  | { readonly step: 'resume'; readonly row: TrackedRow }
  | { readonly step: 'compare'; readonly row: ExistingRow; readonly comparison: Comparison }
  /** It is no longer in scope: its issue is closed, if it has another status, or left as it is. */
  | { readonly step: 'release'; readonly row: ExistingRow; readonly status: string | undefined };

const NOTHING: Step = { step: 'nothing' };

const exists = (row: TrackedRow): row is ExistingRow => row.issueId !== null && row.base !== null && row.seen !== null;

/**
 * Decides what to do, without doing it: runs and previews share it.
 *
 * @param wanted the countermeasure as its issue should show it; undefined if it is not in scope
 * @param row its issue, if it has one
 */
export function planStep(wanted: Wanted | undefined, row: TrackedRow | undefined, rules: PlanRules): Step {
  if (!row) return wanted && rules.statusesInScope.includes(wanted.status) ? { step: 'create' } : NOTHING;
  if (row.status === 'missing') return NOTHING;
  if (!exists(row)) return wanted ? { step: 'resume', row } : NOTHING;
  if (!wanted) return row.status === 'out_of_scope' ? NOTHING : release(row, rules);
  const comparison = compare(wanted, row.seen, row.base, rules);
  return comparison.equal && row.status === 'synced' ? NOTHING : { step: 'compare', row, comparison };
}

function release(row: ExistingRow, { closeOutOfScope, statusToTracker }: PlanRules): Step {
  const status = closeOutOfScope ? closingStatus(statusToTracker) : undefined;
  return { step: 'release', row, status: status === row.seen.status ? undefined : status };
}
