/** A longer `Retry-After` is shortened to this. */
const MAX_RETRY_AFTER_SECONDS = 3600;

/** The seconds of a `Retry-After` header, which is a number or a date; undefined if it is neither. */
export function retryAfterSeconds(text: string | undefined, now: Date): number | undefined {
  const value = text?.trim() ?? '';
  // HTTP dates begin with a weekday. `Date.parse` accepts many other texts as well.
  const date = /^[A-Z]/i.test(value) ? Date.parse(value) : Number.NaN;
  const seconds = /^\d{1,10}$/.test(value) ? Number(value) : (date - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}
