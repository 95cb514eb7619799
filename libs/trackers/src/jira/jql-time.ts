/** The zone with the earliest local time: what is written in it is not too late in any other zone. */
const EARLIEST_ZONE = 'Etc/GMT+12';

const HOUR_MILLISECONDS = 3_600_000;

function localTime(time: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(time);
}

/** Whether the runtime knows a time zone: that of an account is a text of another service. */
function isKnown(timeZone: string): boolean {
  try {
    return localTime(0, timeZone) !== '';
  } catch {
    return false;
  }
}

/**
 * A time as JQL expects it: to the minute, in the time zone of the account that asks.
 *
 * @param zone the zone of the account, if it is known
 */
export function jqlTime(time: Date, zone: string | undefined): string {
  const timeZone = zone !== undefined && isKnown(zone) ? zone : EARLIEST_ZONE;
  const local = localTime(time.getTime(), timeZone);
  // When clocks go back, an hour has the same name as the next: nothing says which one is meant.
  const isAmbiguous = local === localTime(time.getTime() + HOUR_MILLISECONDS, timeZone);
  return isAmbiguous ? localTime(time.getTime() - 2 * HOUR_MILLISECONDS, timeZone) : local;
}
