/**
 * A local time as a number: milliseconds since 1970 as shown by a wall clock. Calendar arithmetic is done on these
 * numbers as if they were UTC, where no hour is skipped.
 */
export type LocalTime = number;

const DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Names of zones are case-insensitive, and each zone is to be cached once. */
export const zoneKey = (zone: string): string => zone.toLowerCase();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zoneKey(zone));
  if (!format) {
    format = new Intl.DateTimeFormat('en-u-ca-iso8601', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zoneKey(zone), format);
  }
  return format;
}

/** The local time in a zone at an instant. */
export function localTimeOf(instant: number, zone: string): LocalTime {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const milliseconds = ((instant % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) + milliseconds;
}

/**
 * The instant of a local time in a zone. If the time occurs twice, `side` chooses; if it is skipped, the result is
 * later by the length of the gap.
 */
export function instantOf(local: LocalTime, zone: string, side: 'earliest' | 'latest'): number {
  const offsets = [local - DAY, local + DAY].map((near) => localTimeOf(near, zone) - near);
  const instants = offsets.map((offset) => local - offset).filter((instant) => localTimeOf(instant, zone) === local);
  if (!instants.length) return local - (offsets[0] ?? 0);
  return side === 'earliest' ? Math.min(...instants) : Math.max(...instants);
}

/** `2026-01-31T09:30:00.000`. */
export const formatLocal = (local: LocalTime): string => new Date(local).toISOString().slice(0, 23);
