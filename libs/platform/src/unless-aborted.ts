/**
 * What the work gives, or the signal's reason as soon as it is aborted: for work that can't be broken off, so that a
 * source that stalls holds no one up. The work itself goes on; its result is ignored then.
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
