/**
 * For a whole spec file: starts something before its tests and closes it after them.
 *
 * @returns what was started; it can only be used inside tests and hooks
 */
export function useForSuite<T extends object>(
  start: () => Promise<T & { close(): Promise<void> }>,
  timeoutMilliseconds = 60_000,
): T {
  let started: (T & { close(): Promise<void> }) | undefined;
  beforeAll(async () => {
    started = await start();
  }, timeoutMilliseconds);
  afterAll(async () => {
    await started?.close();
    // Node keeps the modules of suites, and everything that they refer to, until the process ends.
    started = undefined;
  });
  return new Proxy({} as T, {
    get: (_, name) => {
      if (!started) throw new Error('This can only be used inside tests and hooks.');
      return started[name as keyof T];
    },
  });
}
