import { Client } from 'pg';
import { DUE_CHANNEL } from '#domain/kernel/lease/wake-relay.js';

const RECONNECT_MILLISECONDS = 2000;

/**
 * Listens for notifications that a row is due, which wake the relay early. Delivery is not guaranteed: a notification
 * may be lost with the connection, or dropped by a connection pooler.
 */
export class DueListener {
  private client: Client | undefined;
  private reconnectTimer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly databaseUrl: string,
    private readonly wake: () => void,
  ) {}

  async open(): Promise<void> {
    if (this.closed) return;
    const client = new Client({
      connectionString: this.databaseUrl,
      application_name: 'merlon worker',
      keepAlive: true,
    });
    let lost = false;
    const reconnect = (): void => {
      if (lost) return;
      lost = true;
      client.end().catch(() => undefined); // the connection is broken, so an error is expected
      if (!this.closed) this.reconnectTimer = setTimeout(() => void this.open(), RECONNECT_MILLISECONDS);
    };
    client.on('error', reconnect).on('end', reconnect).on('notification', this.wake);
    try {
      await client.connect();
      await client.query(`LISTEN ${DUE_CHANNEL}`);
      this.client = client;
    } catch {
      reconnect(); // the relay's polling logs that the database can't be reached
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.reconnectTimer);
    await this.client?.end().catch(() => undefined);
  }
}
