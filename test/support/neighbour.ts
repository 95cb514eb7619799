import { quantile } from './quantile.js';

/** How long the requests of a neighbour took while something else happened, in milliseconds. */
export interface Delays {
  readonly count: number;
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
}

/**
 * Sends a neighbour's requests one after the other until `attack` ends, at least ten of them.
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
  return {
    count: times.length,
    median: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    worst: Math.max(...times),
  };
}
