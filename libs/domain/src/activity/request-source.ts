import { AsyncLocalStorage } from 'node:async_hooks';

/** How a caller proves who they are. `provider`: an identity provider confirms a sign-in. */
export const CREDENTIALS = ['session', 'token', 'basic', 'provider'] as const;

/** The request that causes changes. Activities record it, so it contains no secrets. */
export interface RequestSource {
  readonly request_id: string;
  /** The client's address; null if the connection is already closed. */
  readonly address: string | null;
  /** Null until the caller is known, and on routes that need no credential. */
  credential: (typeof CREDENTIALS)[number] | null;
  /** The public id of the token; null for other credentials. */
  token: string | null;
}

const sources = new AsyncLocalStorage<RequestSource>();

/** Runs the work of a request, all of whose activities record the source. */
export const fromRequest = <Result>(source: RequestSource, work: () => Result): Result => sources.run(source, work);

/** The request that causes the current work; undefined for jobs and commands. */
export const requestSource = (): RequestSource | undefined => sources.getStore();

/** Adds the credential of the caller to the source, once it is accepted. */
export function authenticatedBy(credential: RequestSource['credential'], token: string | null = null): void {
  const source = sources.getStore();
  if (source) Object.assign(source, { credential, token });
}
