/**
 * Returns the result of the work, or throws the signal's reason as soon as it is aborted: for work that can't be
 * aborted, so that a stalled source blocks no one. The work itself continues; its result is ignored.
 */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
