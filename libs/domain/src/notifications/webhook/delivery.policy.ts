/** How messages are paced and tried again: from the configuration, so that tests can shorten it. */
export interface DeliveryPolicy {
  readonly paceMilliseconds: number;
  /** How long a message rests after its first failure, its second, … After one more it has failed. */
  readonly retrySeconds: readonly number[];
  /** A webhook of which nothing got through for this long is switched off. */
  readonly disableAfterSeconds: number;
  /** How long a try may take. */
  readonly timeoutSeconds: number;
}

/** What came of a try: the service's answer, or why there is none. */
export type TryOutcome =
  | { readonly status: number; readonly retryAfter?: string; readonly text: string }
  | { readonly problem: string; readonly final?: boolean };

/** What becomes of a delivery. */
export type Verdict =
  | { readonly verdict: 'delivered' }
  | { readonly verdict: 'failed' }
  | {
      readonly verdict: 'later';
      readonly seconds: number;
      /** Whether it is a step in the schedule. */
      readonly counts: boolean;
      /** Whether nothing else of the webhook may be sent before either. */
      readonly holdsQueue: boolean;
    };

/** Answers that no later try would change. */
const FINAL = new Set([400, 403, 404, 410]);

const TOO_MANY_REQUESTS = 429;

/** Each rest is shorter or longer by up to this part, so that what failed together does not come back together. */
const JITTER = 0.2;

/** A service that asks for more patience than this is asked again all the same. */
const LONGEST_PATIENCE_SECONDS = 3600;

/** Seconds of a `Retry-After`, which is a number or a date; undefined where it is neither. */
export function retryAfterSeconds(text: string | undefined, now: Date): number | undefined {
  const value = text?.trim() ?? '';
  // A date begins with the name of a day; the parser of dates takes many another text for one.
  const date = /^[A-Z]/i.test(value) ? Date.parse(value) : Number.NaN;
  const seconds = /^\d{1,10}$/.test(value) ? Number(value) : (date - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), LONGEST_PATIENCE_SECONDS);
}

/**
 * What becomes of a delivery after a try.
 *
 * @param outcome of the try
 * @param failures tries that failed before this one
 * @param random from 0 to 1
 */
export function decideAfterTry(
  outcome: TryOutcome,
  failures: number,
  { retrySeconds }: Pick<DeliveryPolicy, 'retrySeconds'>,
  { now, random }: { readonly now: Date; readonly random: number },
): Verdict {
  if ('status' in outcome) {
    if (outcome.status >= 200 && outcome.status < 300) return { verdict: 'delivered' };
    if (FINAL.has(outcome.status)) return { verdict: 'failed' };
    const retrySecondsOfResponse =
      outcome.status === TOO_MANY_REQUESTS ? retryAfterSeconds(outcome.retryAfter, now) : undefined;
    if (retrySecondsOfResponse !== undefined)
      return { verdict: 'later', seconds: retrySecondsOfResponse, counts: false, holdsQueue: true };
  } else if (outcome.final) return { verdict: 'failed' };
  const rest = retrySeconds[failures];
  if (rest === undefined) return { verdict: 'failed' };
  return { verdict: 'later', seconds: rest * (1 + JITTER * (2 * random - 1)), counts: true, holdsQueue: false };
}

/** Unicode code points of the error that a delivery shows. */
const LONGEST_ERROR = 300;

/** What went wrong, for the delivery's log; null where nothing did. */
export function errorOf(outcome: TryOutcome): string | null {
  if ('problem' in outcome) return outcome.problem;
  if (outcome.status >= 200 && outcome.status < 300) return null;
  const characters = Array.from(outcome.text.replace(/[\s\p{C}]+/gu, ' ').trim());
  const quoted =
    characters.length > LONGEST_ERROR ? `${characters.slice(0, LONGEST_ERROR).join('')}…` : characters.join('');
  return `The chat service answered ${outcome.status}${quoted === '' ? '' : `: ${quoted}`}.`;
}
