import autocannon from 'autocannon';
import { quantile } from '../support/quantile.ts';
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

/** One request. */
interface Asked {
  /** GET where it is not given, or POST where there is a body. */
  readonly method?: string;
  readonly body?: object;
}

/** Sends one request; the text of its answer. Throws where that is no success. */
export async function textOf(
  { origin, headers }: Target,
  route: string,
  { method, body }: Asked = {},
): Promise<string> {
  const answer = await fetch(`${origin}${route}`, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: { 'accept-encoding': 'identity', ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${route}: ${answer.status} ${text}`);
  return text;
}

/** Sends one request; its answer. Throws where that is no success. */
export const ask = async <Body>(target: Target, route: string, request?: Asked): Promise<Body> =>
  JSON.parse(await textOf(target, route, request)) as Body;

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
export const middle = (values: readonly number[]): number => quantile(values, 0.5);

/** The median of each figure over several rounds. */
export const median = (rounds: readonly Measured[]): Measured => ({
  perSecond: middle(rounds.map((round) => round.perSecond)),
  p50: middle(rounds.map((round) => round.p50)),
  p99: middle(rounds.map((round) => round.p99)),
});
