/** How often a connection is synchronised without being asked. */
export const FREQUENCIES = ['manually', 'hourly', 'daily', 'weekly'] as const;

export type Frequency = (typeof FREQUENCIES)[number];

/** The seconds between two runs of a frequency. */
export const INTERVAL_SECONDS: Readonly<Record<Exclude<Frequency, 'manually'>, number>> = {
  hourly: 3600,
  daily: 86_400,
  weekly: 604_800,
};

/** Which side counts if both have changed: the tracker, Merlon, or the one that changed last. */
export const CONFLICT_POLICIES = ['tracker', 'merlon', 'newest'] as const;

export type ConflictPolicy = (typeof CONFLICT_POLICIES)[number];

/** The statuses in which a countermeasure gets an issue, unless the connection says otherwise. */
export const DEFAULT_STATUSES = ['TS2'] as const;

/** The title of an issue, unless the connection says otherwise. */
export const DEFAULT_TITLE_FORMAT = '$task_id: $title';

/** The priorities of trackers that stand for a priority of Merlon, from this one on. */
const DEFAULT_PRIORITIES: readonly (readonly [from: number, name: string])[] = [
  [10, 'Blocker'],
  [7, 'Critical'],
  [5, 'Major'],
  [3, 'Minor'],
  [1, 'Trivial'],
];

/** The name that a tracker usually has for a priority. */
export const defaultPriority = (priority: number): string =>
  DEFAULT_PRIORITIES.find(([from]) => priority >= from)?.[1] ?? 'Trivial';

/** The status of the tracker that closes an issue: that of countermeasures that do not apply, or are complete. */
export const closingStatus = (statusToTracker: Readonly<Record<string, string>>): string | undefined =>
  statusToTracker['TS3'] ?? statusToTracker['TS1'];
