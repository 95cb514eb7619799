import type { Pool, PoolClient } from 'pg';
import type { SendQuery } from './wrap-queries.js';

/** A connection is busy once a statement has taken this long. What is already behind it waits; others go elsewhere. */
export const BUSY_MILLISECONDS = 50;

/**
 * Lets all users of a pool share its connections. With the driver's option `pipeline`, each statement is then sent
 * without waiting for the results of those before it. One connection serves all, and another one is opened only while
 * the first is busy. Only for short statements outside of transactions: each waits for those before it, and all of them
 * fail if their connection is lost.
 *
 * @param pool a pool of connections, before its first use
 */
export function shareConnections(pool: Pool): void {
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const end = pool.end.bind<() => Promise<void>>(pool);
  const connections: SharedConnection[] = [];

  const remove = (connection: SharedConnection): void => {
    const index = connections.indexOf(connection);
    if (index >= 0) connections.splice(index, 1);
  };
  const add = (): SharedConnection => {
    const connection = new SharedConnection(connect, () => remove(connection));
    connections.push(connection);
    return connection;
  };
  const leastBusy = (): SharedConnection | undefined => {
    const free = connections.find((connection) => connection.age() < BUSY_MILLISECONDS);
    if (free || connections.length < pool.options.max) return free;
    return connections.toSorted((one, other) => one.age() - other.age())[0];
  };
  pool.connect = (() => (leastBusy() ?? add()).client) as Pool['connect'];
  pool.end = async () => {
    await Promise.all(connections.splice(0).map((connection) => connection.giveBack()));
    await end();
  };
}

class SharedConnection {
  readonly client: Promise<PoolClient>;
  /** When each statement was sent whose result has not arrived. Results arrive in the order of their statements. */
  private readonly sent: number[] = [];
  private release: () => void = () => undefined;

  /**
   * @param connect takes a connection from the pool
   * @param onLost called when it can't be used, or not any more
   */
  constructor(connect: () => Promise<PoolClient>, onLost: () => void) {
    this.client = connect().then(
      (client) => this.share(client, onLost),
      (error: unknown) => {
        onLost();
        throw error;
      },
    );
  }

  /** Milliseconds since the statement was sent that is running. */
  age(): number {
    const [first = Infinity] = this.sent;
    return Math.max(0, performance.now() - first);
  }

  /** Returns it to the pool. */
  async giveBack(): Promise<void> {
    await this.client.catch(() => undefined);
    this.release();
  }

  private share(client: PoolClient, onLost: () => void): PoolClient {
    const release = client.release.bind(client);
    client.release = () => undefined; // Each user calls this, but others still use the connection.
    const lost = (): void => {
      onLost();
      release(true);
    };
    client.once('end', lost);
    this.release = () => {
      client.off('end', lost);
      release();
    };
    const query = client.query.bind(client) as SendQuery;
    client.query = ((...parameters: unknown[]) => this.send(query, parameters)) as PoolClient['query'];
    return client;
  }

  private send(query: SendQuery, parameters: readonly unknown[]): unknown {
    const result = query(...parameters);
    if (!(result instanceof Promise)) return result;
    this.sent.push(performance.now());
    const arrived = (): void => void this.sent.shift();
    result.then(arrived, arrived);
    return result;
  }
}
