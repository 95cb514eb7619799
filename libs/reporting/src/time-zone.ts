/**
 * Local times as numbers: the milliseconds since 1970 that a clock on the wall would count. Calendar arithmetic is done
 * on these, in UTC, where no hour is ever missing.
 */
export type LocalTime = number;

const DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Names of zones mean the same in any case, and what is kept for each is to be kept once. */
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

/** What clocks in a zone show at an instant. */
export function localTimeOf(instant: number, zone: string): LocalTime {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const milliseconds = ((instant % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) + milliseconds;
}

/**
 * When clocks in a zone show a time. Where they show it twice, `side` chooses; where they skip it, it is as much later
 * as the clocks go forward.
 */
export function instantOf(local: LocalTime, zone: string, side: 'earliest' | 'latest'): number {
  const offsets = [local - DAY, local + DAY].map((near) => localTimeOf(near, zone) - near);
  const found = offsets.map((offset) => local - offset).filter((instant) => localTimeOf(instant, zone) === local);
  if (!found.length) return local - (offsets[0] ?? 0);
  return side === 'earliest' ? Math.min(...found) : Math.max(...found);
}

/** `2026-01-31T09:30:00.000`. */
export const formatLocal = (local: LocalTime): string => new Date(local).toISOString().slice(0, 23);
