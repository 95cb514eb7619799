/** Computes a value on the first call and caches it. */
export function once<T>(work: () => T): () => T {
  let value: { readonly of: T } | undefined;
  return () => (value ??= { of: work() }).of;
}
