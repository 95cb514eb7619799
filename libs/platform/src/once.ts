/** Computes a value on the first call and caches it. */
export function once<T>(work: () => T): () => T {
  let value: { readonly of: T } | undefined;
  return () => (value ??= { of: work() }).of;
}

/** Loads a value on the first call and caches it. A failure is not cached: the next call loads it again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
