/**
 * The seconds of processor time that this thread spends on `work`. Unlike the time on a clock, they do not grow while other
 * suites use the processor.
 */
export function processorSeconds(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1e6;
}

/** The fewest milliseconds that `work` takes in five attempts: the attempt with the least interference. */
export async function fastestMilliseconds(work: () => Promise<unknown>): Promise<number> {
  let fastest = Infinity;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const startedAt = performance.now();
    await work();
    fastest = Math.min(fastest, performance.now() - startedAt);
  }
  return fastest;
}
