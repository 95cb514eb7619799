import { formatLocal, type LocalTime, localTimeOf } from './time-zone.js';

export const GRANULARITIES = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** The first and the last millisecond, in local time: `2026-01-31T00:00:00.000`. */
export type DateRange = readonly [from: string, to: string];

/** The text is not a date or a range of dates. */
export class InvalidDate extends Error {}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;
const EARLIEST_YEAR = 1000;
const MINUTE = 60_000;

/** A span of local time, including both ends. */
interface Span {
  readonly from: LocalTime;
  readonly to: LocalTime;
}

const invalid = (text: string): InvalidDate =>
  new InvalidDate(`${JSON.stringify(text.slice(0, 100))} is not a valid date.`);

/** A date means the whole day; a date with a time means that moment. */
function parseDate(text: string, zone: string): Span | undefined {
  const match = DATE.exec(text.trim());
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const midnight = Date.UTC(year, month - 1, day);
  const exists = new Date(midnight).toISOString().startsWith(`${match[1]}-${match[2]}-${match[3]}`);
  if (!exists || year < EARLIEST_YEAR || hour > 23 || minute > 59 || second > 59) throw invalid(text);
  if (match[4] === undefined) return { from: midnight, to: midnight + 24 * 60 * MINUTE - 1 };
  const written = midnight + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
  const offset = match[8];
  if (offset === undefined) return { from: written, to: written };
  const [, sign = '+', hours = 0, minutes = 0] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? [];
  const shift = (Number(hours) * 60 + Number(minutes)) * MINUTE * (sign === '-' ? -1 : 1);
  const local = localTimeOf(written - shift, zone);
  return { from: local, to: local };
}

/** Units whose length never varies, in milliseconds. */
const LENGTHS: Readonly<Partial<Record<Granularity, number>>> = { hour: 60 * MINUTE, minute: MINUTE, second: 1000 };

/** The start of the unit that contains a time, moved by `steps` units. */
export function startOf(local: LocalTime, unit: Granularity, steps = 0): LocalTime {
  const date = new Date(local);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const length = LENGTHS[unit];
  if (length !== undefined) return (Math.floor(local / length) + steps) * length;
  if (unit === 'year') return Date.UTC(year + steps, 0, 1);
  if (unit === 'quarter') return Date.UTC(year, month - (month % 3) + 3 * steps, 1);
  if (unit === 'month') return Date.UTC(year, month + steps, 1);
  return unit === 'week'
    ? Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7) + 7 * steps)
    : Date.UTC(year, month, day + steps);
}

/** The span from unit `first` to unit `last`, where 0 is the unit that contains `now`. */
const units = (now: LocalTime, unit: Granularity, first: number, last: number): Span => ({
  from: startOf(now, unit, first),
  to: startOf(now, unit, last + 1) - 1,
});

const UNIT = '(second|minute|hour|day|week|month|quarter|year)s?';
const MAX_COUNT = 10_000;

const NAMED: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** Parses `today`, `this month`, `last 7 days`, `3 weeks ago` and similar phrases. */
function parsePhrase(phrase: string, now: LocalTime): Span | undefined {
  if (phrase === 'now') return { from: now, to: now };
  const day = Object.hasOwn(NAMED, phrase) ? NAMED[phrase] : undefined;
  if (day !== undefined) return units(now, 'day', day, day);
  const [, which, count, unit] = new RegExp(`^(this|last|next)(?: (\\d{1,5}))? ${UNIT}$`).exec(phrase) ?? [];
  if (unit !== undefined) {
    const number = Number(count ?? 1);
    if (number < 1 || number > MAX_COUNT || (which === 'this' && count !== undefined)) return undefined;
    if (which === 'this') return units(now, unit as Granularity, 0, 0);
    return which === 'last' ? units(now, unit as Granularity, -number, -1) : units(now, unit as Granularity, 1, number);
  }
  const [, steps, step, direction] = new RegExp(`^(\\d{1,5}) ${UNIT} (ago|from now)$`).exec(phrase) ?? [];
  if (step === undefined || Number(steps) > MAX_COUNT) return undefined;
  const offset = Number(steps) * (direction === 'ago' ? -1 : 1);
  return units(now, step as Granularity, offset, offset);
}

/** Parses a phrase or a date as a span of local time. Throws `InvalidDate`. */
function parseSpan(text: string, zone: string, now: LocalTime): Span {
  const phrase = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const [, start, end] = /^from (.{1,100}?) to (.{1,100})$/.exec(phrase) ?? [];
  const span =
    start === undefined || end === undefined
      ? (parseDate(text, zone) ?? parsePhrase(phrase, now))
      : { from: parseSpan(start, zone, now).from, to: parseSpan(end, zone, now).to };
  if (!span) throw invalid(text);
  // The output format has four digits for the year.
  if (![span.from, span.to].every((time) => time >= Date.UTC(EARLIEST_YEAR, 0) && time < Date.UTC(10_000, 0)))
    throw invalid(text);
  return span;
}

/** Resolves `[from, to]`, one date, or a phrase such as `last 30 days`. Throws `InvalidDate`. */
export function resolveDateRange(range: string | readonly string[], zone: string, now: number): DateRange {
  const local = localTimeOf(now, zone);
  const texts = typeof range === 'string' ? [range] : range;
  const { from } = parseSpan(texts[0] ?? '', zone, local);
  const { to } = parseSpan(texts.at(-1) ?? '', zone, local);
  if (from > to) throw new InvalidDate('A date range must begin before it ends.');
  return [formatLocal(from), formatLocal(to)];
}
