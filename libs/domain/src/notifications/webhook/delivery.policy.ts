import { retryAfterSeconds } from '#platform/outbound/retry-after.js';

/** How messages are paced and retried. It is configurable, so that tests can shorten the times. */
export interface DeliveryPolicy {
  readonly paceMilliseconds: number;
  /** The delay after the first failure, the second, and so on. After one more failure the delivery has failed. */
  readonly retrySeconds: readonly number[];
  /** A webhook is deactivated after this time without a delivered message. */
  readonly disableAfterSeconds: number;
  /** The timeout of one attempt. */
  readonly timeoutSeconds: number;
}

/** The result of an attempt: the response of the receiver, or why there was none. */
export type AttemptOutcome =
  | { readonly status: number; readonly retryAfter?: string; readonly text: string }
  | { readonly error: string; readonly final?: boolean };

/** What to do with a delivery after an attempt. */
export type Verdict =
  | { readonly verdict: 'delivered' }
  | { readonly verdict: 'failed' }
  | {
      readonly verdict: 'retry';
      readonly seconds: number;
      /** Whether this counts as a failure in the retry schedule. */
      readonly advancesSchedule: boolean;
      /** Whether the other messages of the webhook wait as well. */
      readonly pausesQueue: boolean;
    };

/** Responses after which a retry is pointless. */
const PERMANENT_FAILURE_STATUSES = new Set([400, 403, 404, 410]);

const TOO_MANY_REQUESTS = 429;

/** Each delay varies randomly by up to this fraction, so that messages that failed together are retried apart. */
const JITTER = 0.2;

/**
 * Decides what to do with a delivery after an attempt.
 *
 * @param failures the number of failed attempts before this one
 * @param random a number from 0 to 1
 */
export function decideAfterAttempt(
  outcome: AttemptOutcome,
  failures: number,
  { retrySeconds }: Pick<DeliveryPolicy, 'retrySeconds'>,
  { now, random }: { readonly now: Date; readonly random: number },
): Verdict {
  if ('status' in outcome) {
    if (outcome.status >= 200 && outcome.status < 300) return { verdict: 'delivered' };
    if (PERMANENT_FAILURE_STATUSES.has(outcome.status)) return { verdict: 'failed' };
    const requestedDelay =
      outcome.status === TOO_MANY_REQUESTS ? retryAfterSeconds(outcome.retryAfter, now) : undefined;
    if (requestedDelay !== undefined)
      return { verdict: 'retry', seconds: requestedDelay, advancesSchedule: false, pausesQueue: true };
  } else if (outcome.final) return { verdict: 'failed' };
  const delay = retrySeconds[failures];
  if (delay === undefined) return { verdict: 'failed' };
  return {
    verdict: 'retry',
    seconds: delay * (1 + JITTER * (2 * random - 1)),
    advancesSchedule: true,
    pausesQueue: false,
  };
}

/** In Unicode code points. */
const MAX_ERROR_LENGTH = 300;

/** Why an attempt failed, for the delivery's log; null if it succeeded. */
export function errorOf(outcome: AttemptOutcome): string | null {
  if ('error' in outcome) return outcome.error;
  if (outcome.status >= 200 && outcome.status < 300) return null;
  const characters = Array.from(outcome.text.replace(/[\s\p{C}]+/gu, ' ').trim());
  const excerpt =
    characters.length > MAX_ERROR_LENGTH ? `${characters.slice(0, MAX_ERROR_LENGTH).join('')}…` : characters.join('');
  return `The receiver returned ${outcome.status}${excerpt === '' ? '' : `: ${excerpt}`}.`;
}
