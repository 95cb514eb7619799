import { isTimeZone } from '#platform/setting.js';
import { type Checking, isPlain, MAX_MEMBERS, type QueryErrorCollector } from './query-error-collector.js';
import { type DateRange, GRANULARITIES, type Granularity, InvalidDate, resolveDateRange } from './date-range.js';
import type { Operator } from './operators.js';
import type { TimeDimension } from './query.js';

/** The time zone becomes part of the SQL text, so only the characters of zone names are accepted. */
const ZONE = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;
const MAX_COMPARED = 10;

/** The time zone of a query. Returns UTC if the query names none, or an unknown one, which is reported as an error. */
export function checkTimeZone(zone: unknown, errors: QueryErrorCollector): string {
  if (zone === undefined || zone === null) return 'UTC';
  if (typeof zone === 'string' && ZONE.test(zone) && isTimeZone(zone)) return zone;
  errors.note('timezone', 'Expected the IANA name of a time zone, such as "Europe/Berlin".');
  return 'UTC';
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Resolves a range of dates. Returns undefined if it is invalid, which is reported as an error. */
function checkRange(
  { errors, timezone, now }: Checking,
  value: unknown,
  key: string,
  path: string,
): DateRange | undefined {
  const isPair = Array.isArray(value) && value.length >= 1 && value.length <= 2 && value.every(isText);
  if (!isText(value) && !isPair)
    return errors.note(key, `${path}: Expected [from, to], one date, or words such as "last 30 days".`);
  try {
    return resolveDateRange(value, timezone, now);
  } catch (error) {
    if (!(error instanceof InvalidDate)) throw error;
    return errors.note(key, `${path}: ${error.message}`);
  }
}

/** Resolves the values of a filter on a time to ranges of local time, as one flat list of starts and ends. */
export function checkDates(
  checking: Checking,
  values: readonly (string | null)[],
  operator: Operator,
  path: string,
): (string | null)[] | undefined {
  if (operator.isRange) {
    const range = checkRange(checking, values, 'filters', path);
    return range && [...range];
  }
  const ranges = values.map((value) => (value === null ? [null, null] : checkRange(checking, value, 'filters', path)));
  return ranges.every((range) => range !== undefined) ? ranges.flat() : undefined;
}

/** The ranges that a query compares, and the index of the time dimension that they apply to. */
export interface ComparedRanges {
  readonly timeIndex: number;
  readonly ranges: readonly DateRange[];
}

interface CheckedTimes {
  readonly timeDimensions: TimeDimension[];
  readonly compared?: ComparedRanges;
}

const ENTRY_KEYS = new Set(['dimension', 'granularity', 'dateRange', 'compareDateRange']);

/** Checks the time dimensions of a query. Clients send them under one of two names. */
export function checkTimeDimensions(
  checking: Checking,
  input: Readonly<Record<string, unknown>>,
  required: boolean | undefined,
): CheckedTimes {
  const { errors } = checking;
  const key = 'time_dimensions' in input && !('timeDimensions' in input) ? 'time_dimensions' : 'timeDimensions';
  if ('time_dimensions' in input && 'timeDimensions' in input) errors.note('time_dimensions', 'Sent under two names.');
  const entries: unknown = input[key] ?? [];
  if (!Array.isArray(entries)) return (errors.note(key, 'Expected a list.'), { timeDimensions: [] });
  if (required && !entries.length) errors.note(key, 'A trend needs at least one time dimension.');
  if (entries.length > MAX_MEMBERS)
    return (errors.note(key, `At most ${MAX_MEMBERS} can be named.`), { timeDimensions: [] });
  const timeDimensions: TimeDimension[] = [];
  const compared: ComparedRanges[] = [];
  for (const [index, entry] of entries.entries()) {
    const path = `${key}[${index}]`;
    const checked = checkEntry(checking, entry, key, path);
    if (!checked) continue;
    if (checked.ranges) compared.push({ timeIndex: timeDimensions.length, ranges: checked.ranges });
    timeDimensions.push(checked.time);
  }
  if (compared.length > 1) errors.note(key, 'Only one time dimension can compare ranges.');
  return { timeDimensions, ...(compared[0] && { compared: compared[0] }) };
}

function checkEntry(
  checking: Checking,
  entry: unknown,
  key: string,
  path: string,
): { time: TimeDimension; ranges?: DateRange[] } | undefined {
  const { errors } = checking;
  if (!isPlain(entry)) return errors.note(key, `${path}: Expected an object.`);
  for (const name of Object.keys(entry))
    if (!ENTRY_KEYS.has(name)) errors.note(key, `${path}.${name.slice(0, 100)}: This key is unknown.`);
  const member = checking.member(entry['dimension'], key, `${path}.dimension`);
  if (member && (member.kind !== 'dimension' || member.type !== 'time'))
    errors.note(key, `${path}.dimension: "${member.name}" is not a time.`);
  const granularity = entry['granularity'] ?? undefined;
  const isKnown = granularity === undefined || (GRANULARITIES as readonly unknown[]).includes(granularity);
  if (!isKnown) errors.note(key, `${path}.granularity: Allowed: ${GRANULARITIES.join(', ')}.`);
  const rawRange = entry['dateRange'] ?? undefined;
  const comparedRanges = entry['compareDateRange'] ?? undefined;
  if (rawRange !== undefined && comparedRanges !== undefined)
    errors.note(key, `${path}: Either "dateRange" or "compareDateRange".`);
  const dateRange = rawRange === undefined ? undefined : checkRange(checking, rawRange, key, `${path}.dateRange`);
  const ranges =
    comparedRanges === undefined ? undefined : checkCompared(checking, comparedRanges, key, `${path}.compareDateRange`);
  if (!member) return undefined;
  const time = {
    dimension: member.name,
    ...(granularity !== undefined && { granularity: granularity as Granularity }),
    ...(dateRange && { dateRange }),
  };
  return { time, ...(ranges && { ranges }) };
}

function checkCompared(checking: Checking, value: unknown, key: string, path: string): DateRange[] | undefined {
  if (!Array.isArray(value) || value.length < 2 || value.length > MAX_COMPARED)
    return checking.errors.note(key, `${path}: Expected 2 to ${MAX_COMPARED} ranges.`);
  return value.flatMap((range: unknown, index) => {
    const resolved = checkRange(checking, range, key, `${path}[${index}]`);
    return resolved ? [resolved] : [];
  });
}
