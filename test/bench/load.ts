import autocannon from 'autocannon';
import { quantile } from '../support/quantile.ts';
import type { Scenario } from './scenarios.ts';

/** One server under load: requests per second, and milliseconds until the end of the response. */
export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** The target of requests. */
export interface Target {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One request. */
interface Asked {
  /** By default GET, or POST if there is a body. */
  readonly method?: string;
  readonly body?: object;
}

/** Sends one request; returns the text of the response. Throws if it is an error. */
export async function textOf(
  { origin, headers }: Target,
  route: string,
  { method, body }: Asked = {},
): Promise<string> {
  const response = await fetch(`${origin}${route}`, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: { 'accept-encoding': 'identity', ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${route}: ${response.status} ${text}`);
  return text;
}

/** Sends one request; returns the body of the response. Throws if it is an error. */
export const ask = async <Body>(target: Target, route: string, request?: Asked): Promise<Body> =>
  JSON.parse(await textOf(target, route, request)) as Body;

/** Runs one scenario on a target. Throws if a response is not 200, because fast errors must not be measured. */
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
    throw new Error(`${scenario.name}: ${result.non2xx} responses were errors, ${result.errors} requests failed.`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

/** The median of several figures. */
export const middle = (values: readonly number[]): number => quantile(values, 0.5);

/** The median of each figure over several rounds. */
export const median = (rounds: readonly Measured[]): Measured => ({
  perSecond: middle(rounds.map((round) => round.perSecond)),
  p50: middle(rounds.map((round) => round.p50)),
  p99: middle(rounds.map((round) => round.p99)),
});
