/** Works a value out when it is first asked for. */
export function once<T>(work: () => T): () => T {
  let value: { readonly of: T } | undefined;
  return () => (value ??= { of: work() }).of;
}
