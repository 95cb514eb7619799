import type { Pool, PoolClient } from 'pg';
import { type SendQuery, wrapQueries } from './wrap-queries.js';

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
 * Gives errors of connections a code: the driver reports an exhausted pool, a failed or a lost connection, and a query
 * that is sent over a lost one, without a code.
 *
 * @param pool a pool of connections, before its first use
 */
export function codeConnectionErrors(pool: Pool): void {
  const connect = pool.connect.bind(pool) as () => Promise<unknown>;
  const connectWithCode = (callback?: unknown): unknown => {
    if (typeof callback !== 'function') return connect().catch((error: unknown) => Promise.reject(withCode(error)));
    return (connect as (callback: Callback) => void)(reportingCode(callback as Callback));
  };
  pool.connect = connectWithCode as Pool['connect'];
  // The driver reports by this event why a connection was lost. Queries that follow only say that it is lost.
  const reasons = new WeakMap<PoolClient, Error>();
  pool.on('connect', (client) => client.on('error', (error) => reasons.set(client, error)));
  wrapQueries(pool, (query, client) => codingErrors(query, () => reasons.get(client)));
}

type Callback = (error: unknown, ...results: unknown[]) => void;

const reportingCode =
  (callback: Callback, reason?: () => Error | undefined): Callback =>
  (error, ...results) =>
    callback(withCode(error, reason), ...results);

const codingErrors =
  (query: SendQuery, reason: () => Error | undefined): SendQuery =>
  (...parameters) => {
    const callback = parameters.at(-1);
    if (typeof callback === 'function')
      return query(...parameters.slice(0, -1), reportingCode(callback as Callback, reason));
    const result = query(...parameters);
    return result instanceof Promise
      ? result.catch((error: unknown) => Promise.reject(withCode(error, reason)))
      : result;
  };

function withCode(error: unknown, reason?: () => Error | undefined): unknown {
  if (!(error instanceof Error) || 'code' in error) return error;
  const cause = reason?.();
  // Queries that were running fail with the reason itself.
  return Object.assign(error, { code: CONNECTION_FAILURE }, cause && cause !== error && { cause });
}
