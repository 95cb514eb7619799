import type { Pool, PoolClient } from 'pg';

/** Sends a query, in one of the driver's forms: its last argument may be a callback. */
export type SendQuery = (...parameters: unknown[]) => unknown;

/**
 * Replaces how the connections of a pool send queries.
 *
 * @param pool a pool of connections, before its first use
 * @param wrap returns the replacement for a connection's own function
 */
export function wrapQueries(pool: Pool, wrap: (query: SendQuery, client: PoolClient) => SendQuery): void {
  pool.on('connect', (client) => {
    client.query = wrap(client.query.bind(client) as SendQuery, client) as PoolClient['query'];
  });
}
