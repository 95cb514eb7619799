import type { IssueChange } from '#trackers/issue.js';
import type { ConflictPolicy } from '../tracker-connection/tracker-connection.rules.js';

/** What is compared of an issue. The text is a hash: it is only compared with itself. */
export interface Facets {
  /** A status of Merlon or of the tracker. Null: the other side must still get it. */
  readonly status: string | null;
  readonly title: string;
  readonly text: string;
  readonly priority: string | null;
}

/** Both sides when they were last synchronised. */
export interface Base {
  readonly merlon: Facets;
  readonly tracker: Facets;
}

/** An issue as the tracker last returned it. */
export interface SeenIssue extends Facets {
  readonly status: string;
  /** When it last changed, in ISO 8601. */
  readonly updated: string;
  /** The key of its project. */
  readonly project: string;
}

/** A countermeasure as its issue should show it. */
export interface Wanted extends Facets {
  /** A status of Merlon. */
  readonly status: string;
  /** The text itself. */
  readonly body: string;
  /** When its status last changed, in milliseconds since 1970. */
  readonly statusChanged: number;
}

/** How statuses are translated, and which side counts if both have changed. */
export interface StatusRules {
  readonly statusToTracker: Readonly<Record<string, string>>;
  readonly trackerToStatus: Readonly<Record<string, string>>;
  readonly conflictPolicy: ConflictPolicy;
}

/** What to do about a status: nothing, remember that both sides belong together, or write one of them. */
export type StatusDecision =
  | { readonly write: 'nothing' }
  | { readonly write: 'tracker' | 'merlon'; readonly status: string; readonly conflict: boolean };

const own = (map: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;

/**
 * Compares both statuses with those of the last synchronisation. A status without a counterpart on the other side is
 * not a change that the other side could follow.
 */
export function compareStatus(
  wanted: Pick<Wanted, 'status' | 'statusChanged'>,
  seen: Pick<SeenIssue, 'status' | 'updated'>,
  base: Base,
  { statusToTracker, trackerToStatus, conflictPolicy }: StatusRules,
): StatusDecision {
  const toTracker = own(statusToTracker, wanted.status);
  const toMerlon = own(trackerToStatus, seen.status);
  const trackerFollows = wanted.status !== base.merlon.status && toTracker !== undefined && toTracker !== seen.status;
  const merlonFollows = seen.status !== base.tracker.status && toMerlon !== undefined && toMerlon !== wanted.status;
  const writeTracker = (conflict: boolean): StatusDecision =>
    toTracker === undefined ? { write: 'nothing' } : { write: 'tracker', status: toTracker, conflict };
  const writeMerlon = (conflict: boolean): StatusDecision =>
    toMerlon === undefined ? { write: 'nothing' } : { write: 'merlon', status: toMerlon, conflict };
  const bothChanged = wanted.status !== base.merlon.status && seen.status !== base.tracker.status;
  // Both were changed to the same.
  if (bothChanged && (toTracker === seen.status || toMerlon === wanted.status)) return { write: 'nothing' };
  if (!trackerFollows) return merlonFollows ? writeMerlon(false) : { write: 'nothing' };
  if (!merlonFollows) return writeTracker(false);
  const merlonWins =
    conflictPolicy === 'merlon' ||
    (conflictPolicy === 'newest' && wanted.statusChanged > new Date(seen.updated).getTime());
  return merlonWins ? writeTracker(true) : writeMerlon(true);
}

/** What a run does about an issue. */
export interface Comparison {
  /** What it changes in the tracker. */
  readonly change: IssueChange;
  /** The status that the countermeasure gets. */
  readonly mark: string | undefined;
  readonly conflict: boolean;
  /** Whether nothing differs from the last synchronisation. */
  readonly equal: boolean;
}

/** Whether Merlon's side has changed, and no one has edited the tracker's. */
const follows = (name: 'title' | 'text' | 'priority', wanted: Facets, seen: Facets, base: Base): boolean =>
  wanted[name] !== base.merlon[name] && seen[name] === base.tracker[name] && wanted[name] !== seen[name];

const isEqual = (one: Facets, other: Facets): boolean =>
  one.status === other.status &&
  one.title === other.title &&
  one.text === other.text &&
  one.priority === other.priority;

/**
 * Compares a countermeasure with its issue. Title, text and priority only go to the tracker, and not if someone has
 * edited them there.
 */
export function compare(wanted: Wanted, seen: SeenIssue, base: Base, rules: StatusRules): Comparison {
  const decision = compareStatus(wanted, seen, base, rules);
  return {
    change: {
      ...(follows('title', wanted, seen, base) && { title: wanted.title }),
      ...(follows('text', wanted, seen, base) && { text: wanted.body }),
      ...(follows('priority', wanted, seen, base) && wanted.priority !== null && { priority: wanted.priority }),
      ...(decision.write === 'tracker' && { status: decision.status }),
    },
    mark: decision.write === 'merlon' ? decision.status : undefined,
    conflict: decision.write !== 'nothing' && decision.conflict,
    equal: isEqual(wanted, base.merlon) && isEqual(seen, base.tracker),
  };
}

const facetsOf = ({ status, title, text, priority }: Facets): Facets => ({ status, title, text, priority });

/**
 * What both sides had in common after a comparison. Where the tracker was not written, that is what was compared, and
 * not its response: someone may have changed it in between.
 */
export function baseAfter(wanted: Wanted, compared: SeenIssue, { change, mark }: Comparison, now: SeenIssue): Base {
  const written = Object.fromEntries(Object.keys(change).map((name) => [name, now[name as keyof Facets]]));
  return {
    merlon: { ...facetsOf(wanted), status: mark ?? wanted.status },
    tracker: { ...facetsOf(compared), ...written },
  };
}

/** What both sides have in common when an issue has just been created: its status may have to follow. */
export function firstBase(wanted: Wanted, created: SeenIssue, { statusToTracker }: StatusRules): Base {
  const status = own(statusToTracker, wanted.status);
  const follows = status !== undefined && status !== created.status;
  return { merlon: { ...facetsOf(wanted), ...(follows && { status: null }) }, tracker: facetsOf(created) };
}
