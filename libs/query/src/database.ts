import type { QueryExecutorProvider } from 'kysely';

/** Where SQL runs: a pool or a transaction. */
export type Database = QueryExecutorProvider;

/** A transaction that only reads and sees one state of the database. `close` ends it and does not fail. */
export interface Snapshot {
  readonly database: Database;
  readonly close: () => Promise<void>;
}

/** Where a list comes from. */
export interface Source {
  readonly database: Database;
  readonly openSnapshot: () => Promise<Snapshot>;
}
