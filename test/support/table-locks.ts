import { Client } from 'pg';
import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';

/** A table that is locked, until `release`. */
export interface TableLock {
  readonly release: () => Promise<void>;
}

/** Blocks everyone who writes to a table; in the stricter mode, readers too. */
export async function lockTable(
  databaseUrl: string,
  table: string,
  mode: 'EXCLUSIVE' | 'ACCESS EXCLUSIVE' = 'EXCLUSIVE',
): Promise<TableLock> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // the server may be restarted while it is held
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table} IN ${mode} MODE`);
  return { release: () => client.end() };
}

/** Blocks everyone who reads a table or writes to it while `action` runs. */
export async function withLockedTable(databaseUrl: string, table: string, action: () => Promise<void>): Promise<void> {
  const tableLock = await lockTable(databaseUrl, table, 'ACCESS EXCLUSIVE');
  try {
    await action();
  } finally {
    await tableLock.release();
  }
}

/** Resolves once a statement with this text waits for a lock. */
export const untilWaitingForLock = (database: TestDatabase, statement: string): Promise<void> =>
  eventually(async () => {
    const waiting = await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query ILIKE $1`,
      [`%${statement}%`],
    );
    return waiting.length > 0;
  }, 20);
