import type { Pool, PoolClient } from 'pg';

/** Whoever uses a connection that is lost has this long to give it back; then it is taken. */
const GRACE_MILLISECONDS = 1000;

/**
 * Gives back connections that are lost while in use. A transaction whose connection dies can't be rolled back, and
 * what fails to roll back is never released: without this, each such loss would take a place of the pool for good.
 *
 * @param pool a pool of connections, before its first use
 */
export function releaseLostConnections(pool: Pool): void {
  const inUse = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      setTimeout(() => {
        if (!inUse.has(client)) return;
        client.release(new Error('The connection was lost.'));
        // Its user may still come to give it back.
        client.release = () => undefined;
      }, GRACE_MILLISECONDS).unref();
    });
  });
}
