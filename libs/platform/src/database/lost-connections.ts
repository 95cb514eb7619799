import type { Pool, PoolClient } from 'pg';

/** The user of a lost connection has this long to release it; then it is released here. */
const GRACE_MILLISECONDS = 1000;

/**
 * Releases connections that are lost while in use. A transaction whose connection is lost can't be rolled back, and is
 * then never released: without this, each loss would permanently occupy a connection of the pool.
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
        // Its user may still release it later.
        client.release = () => undefined;
      }, GRACE_MILLISECONDS).unref();
    });
  });
}
