import type { TrackerMetadata } from '#trackers/issue.js';
import type { SyncedConnection } from './sync-items.js';

/** A required field of new issues for which a connection has no value. */
interface MissingField {
  /** What `fields` of the connection calls it. */
  readonly name: string;
  readonly title: string;
  /** The allowed values; null if any text is allowed. */
  readonly values: readonly string[] | null;
}

/** What would keep a connection from creating and changing issues. */
export interface ConnectionFindings {
  readonly missing_fields: readonly MissingField[];
  readonly problems: readonly string[];
}

/** A message for each name that is not among the known ones. */
const unknown = (field: string, names: readonly string[], known: readonly string[]): string[] =>
  names.filter((name) => !known.includes(name)).map((name) => `${field}: the project has no "${name}".`);

/** Compares a connection with what the project of its tracker offers. */
export function checkConnection(
  { issueType, fields, priorityMap, statusToTracker, trackerToStatus }: SyncedConnection,
  offer: TrackerMetadata,
): ConnectionFindings {
  const given = (name: string): string => (Object.hasOwn(fields, name) ? (fields[name] ?? '') : '').trim();
  const wrongValues = offer.fields.flatMap(({ id, values }) =>
    given(id) === '' || !values || values.includes(given(id))
      ? []
      : [`fields: "${id}" can't be "${given(id)}". Allowed: ${values.join(', ')}.`],
  );
  return {
    missing_fields: offer.fields
      .filter(({ id, required }) => required && given(id) === '')
      .map(({ id, name, values }) => ({ name: id, title: name, values: values ?? null })),
    problems: [
      ...unknown('issue_type', issueType === '' ? [] : [issueType], offer.issueTypes),
      ...unknown(
        'fields',
        Object.keys(fields),
        offer.fields.map(({ id }) => id),
      ),
      ...wrongValues,
      ...unknown('priority_map', Object.values(priorityMap), offer.priorities),
      ...unknown('status_to_tracker', Object.values(statusToTracker), offer.statuses),
      ...unknown('tracker_to_status', Object.keys(trackerToStatus), offer.statuses),
    ],
  };
}
