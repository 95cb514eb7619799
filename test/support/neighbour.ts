import { quantile } from './quantile.js';

/** How long the requests of a neighbour took while something else happened, in milliseconds. */
export interface Delays {
  readonly count: number;
  readonly median: number;
  /** The 99th percentile. */
  readonly p99: number;
  readonly worst: number;
}

/**
 * Sends a neighbour's requests one at a time until `attack` ends, at least ten of them.
 *
 * @param request one request; it must fail if its response is not the expected one
 */
export async function delaysDuring(request: () => Promise<unknown>, attack: () => Promise<unknown>): Promise<Delays> {
  const progress = { isRunning: true };
  const attacking = attack().finally(() => (progress.isRunning = false));
  const times: number[] = [];
  try {
    while (progress.isRunning || times.length < 10) {
      const started = performance.now();
      await request();
      times.push(performance.now() - started);
    }
  } finally {
    await attacking;
  }
  return { count: times.length, median: quantile(times, 0.5), p99: quantile(times, 0.99), worst: Math.max(...times) };
}

const ROUNDS = 3;

/**
 * Repeats a measurement up to three times until its p99 is below `milliseconds`, and returns the last one: what else
 * the machine does, such as other suites, can only add delay.
 */
export async function quietRound(milliseconds: number, measure: () => Promise<Delays>): Promise<Delays> {
  for (let round = 1; ; round += 1) {
    const delays = await measure();
    if (delays.p99 < milliseconds || round === ROUNDS) return delays;
  }
}
