import autocannon from 'autocannon';
import type { Scenario } from './scenarios.ts';

/** One server under load: requests a second, and milliseconds to the end of the answer. */
export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Where requests go. */
export interface Target {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Loads a target with one scenario. Throws where an answer is not 200: a fast error is no figure. */
export async function measure(
  target: Target,
  scenario: Scenario,
  pathOf: (n: number) => string,
  connections: number,
  seconds: number,
): Promise<Measured> {
  let n = 0;
  const result = await autocannon({
    url: target.origin,
    connections,
    duration: seconds,
    requests: [
      {
        method: scenario.method,
        headers: { ...target.headers, ...(scenario.body && { 'content-type': 'application/json' }) },
        setupRequest: (request) => {
          n += 1;
          return { ...request, path: pathOf(n), ...(scenario.body && { body: scenario.body(n) }) };
        },
      },
    ],
  });
  if (result.non2xx || result.errors)
    throw new Error(`${scenario.name}: ${result.non2xx} answers were no success, ${result.errors} failed.`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

/** The middle one of several figures. */
export const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The median of each figure over several rounds. */
export const median = (rounds: readonly Measured[]): Measured => ({
  perSecond: middle(rounds.map((round) => round.perSecond)),
  p50: middle(rounds.map((round) => round.p50)),
  p99: middle(rounds.map((round) => round.p99)),
});
