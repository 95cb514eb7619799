import type { TrackerMetadata } from '#trackers/issue.js';
import { isSameName } from '#trackers/texts.js';
import type { FieldErrors } from '../../kernel/domain-errors.js';
import type { SyncedConnection } from './sync-items.js';

/** A required field of new issues for which a connection has no value. */
interface MissingField {
  /** What `fields` of the connection calls it. */
  readonly name: string;
  readonly title: string;
  /** The allowed values; null if any text is allowed. */
  readonly values: readonly string[] | null;
}

/** Something that a connection names, and the project of its tracker does not have. */
interface Misfit {
  readonly field: 'issue_type' | 'fields' | 'priority_map' | 'status_to_tracker' | 'tracker_to_status';
  /** The entry of the field, if that is a map. */
  readonly entry?: string;
  readonly message: string;
}

/** What would keep a connection from creating and changing issues. */
interface ConnectionCheck {
  readonly missing: readonly MissingField[];
  readonly misfits: readonly Misfit[];
}

/** The same, as the test of a connection reports it. */
export interface ConnectionFindings {
  readonly missing_fields: readonly MissingField[];
  readonly problems: readonly string[];
}

/** Trackers can have hundreds of fields. */
const MAX_NAMED = 30;

const allowed = (names: readonly string[]): string => {
  if (!names.length) return 'Allowed: none.';
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `Allowed: ${names.slice(0, MAX_NAMED).join(', ')}${more}.`;
};

const absent = (name: string, known: readonly string[]): string => `The project has no "${name}". ${allowed(known)}`;

/** The entries of a map that name something unknown. */
const unknown = (
  field: Misfit['field'],
  entries: readonly (readonly [entry: string, name: string])[],
  known: readonly string[],
): Misfit[] =>
  entries
    .filter(([, name]) => !known.includes(name))
    .map(([entry, name]) => ({ field, entry, message: absent(name, known) }));

const namesOf = (map: Readonly<Record<string, string>>): [string, string][] =>
  Object.keys(map).map((name) => [name, name]);

/** Compares a connection with what the project of its tracker offers. */
export function checkConnection(
  { issueType, fields, priorityMap, statusToTracker, trackerToStatus }: SyncedConnection,
  offer: TrackerMetadata,
): ConnectionCheck {
  const given = (name: string): string => (Object.hasOwn(fields, name) ? (fields[name] ?? '') : '').trim();
  const ids = offer.fields.map(({ id }) => id);
  const isKnownType = issueType === '' || offer.issueTypes.some((name) => isSameName(name, issueType));
  const wrongValues = offer.fields.flatMap(({ id, values }): Misfit[] =>
    given(id) === '' || !values || values.includes(given(id))
      ? []
      : [{ field: 'fields', entry: id, message: `"${given(id)}" is not allowed. ${allowed(values)}` }],
  );
  return {
    missing: offer.fields
      .filter(({ id, required }) => required && given(id) === '')
      .map(({ id, name, values }) => ({ name: id, title: name, values: values ?? null })),
    misfits: [
      ...(isKnownType ? [] : [{ field: 'issue_type', message: absent(issueType, offer.issueTypes) } as const]),
      ...unknown('fields', namesOf(fields), ids),
      ...wrongValues,
      ...unknown('priority_map', Object.entries(priorityMap), offer.priorities),
      ...unknown('status_to_tracker', Object.entries(statusToTracker), offer.statuses),
      ...unknown('tracker_to_status', namesOf(trackerToStatus), offer.statuses),
    ],
  };
}

/** What was found, as the test of a connection reports it. */
export const findingsOf = ({ missing, misfits }: ConnectionCheck): ConnectionFindings => ({
  missing_fields: missing,
  problems: misfits.map(
    ({ field, entry, message }) => `${entry === undefined ? field : `${field}.${entry}`}: ${message}`,
  ),
});

/** The same as errors of the connection's fields. */
export function errorsOf({ missing, misfits }: ConnectionCheck): FieldErrors {
  const required = missing.map(({ name, title, values }): Misfit => ({
    field: 'fields',
    entry: name,
    message: `"${title}" is required.${values ? ` ${allowed(values)}` : ''}`,
  }));
  const errors: FieldErrors = {};
  for (const { field, entry, message } of [...required, ...misfits])
    if (entry === undefined) errors[field] = [message];
    else {
      const entries = (errors[field] ??= Object.create(null) as FieldErrors) as FieldErrors;
      entries[entry] = [message];
    }
  return errors;
}
