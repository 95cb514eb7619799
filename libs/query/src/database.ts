import type { QueryExecutorProvider } from 'kysely';

/** A pool or a transaction that runs SQL. */
export type Database = QueryExecutorProvider;

/** A read-only transaction that sees one state of the database. `close` ends it and never throws. */
export interface Snapshot {
  readonly database: Database;
  readonly close: () => Promise<void>;
}

/** The database that a list is read from. */
export interface Source {
  readonly database: Database;
  readonly openSnapshot: () => Promise<Snapshot>;
}
