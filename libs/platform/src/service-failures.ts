import type { Pool } from 'pg';

/** PostgreSQL's code (SQLSTATE) for a failed connection. */
const CONNECTION_FAILURE = '08006';

/** Codes of PostgreSQL and of the operating system for a full disk or quota. */
const FULL = new Set(['53100', 'ENOSPC', 'EDQUOT']);

/**
 * PostgreSQL's codes for a server that cannot work at present: a failed connection (class 08), missing resources (53),
 * a server that stops, starts or recovers, and connections that it has ended.
 */
const UNAVAILABLE = /^(08|53|57P0|25P03$)|^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT)$/;

/** Why the service can't do its work at present, without any fault of the request. */
export type ServiceFailure = 'full' | 'unavailable';

/** The reason why an error means that the service can't work at present. Drivers wrap the original error. */
export function serviceFailureOf(error: unknown): ServiceFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'string') {
    if (FULL.has(code)) return 'full';
    if (UNAVAILABLE.test(code)) return 'unavailable';
  }
  return serviceFailureOf(error.cause);
}

/**
 * Gives errors of connections a code: the driver reports an exhausted pool, a failed or a lost connection without one.
 *
 * @param pool a pool of connections, before its first use
 */
export function codeConnectionErrors(pool: Pool): void {
  const connect = pool.connect.bind(pool) as () => Promise<unknown>;
  const connectWithCode = (callback?: unknown): unknown => {
    if (typeof callback !== 'function') return connect().catch(rethrowWithCode);
    const report = callback as (error: unknown, ...results: unknown[]) => void;
    return (connect as (callback: typeof report) => void)((error, ...results) => report(withCode(error), ...results));
  };
  pool.connect = connectWithCode as Pool['connect'];
  pool.on('connect', (client) => client.on('error', withCode));
}

function withCode(error: unknown): unknown {
  return error instanceof Error && !('code' in error) ? Object.assign(error, { code: CONNECTION_FAILURE }) : error;
}

function rethrowWithCode(error: unknown): never {
  throw withCode(error);
}
