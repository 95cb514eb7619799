import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { entities } from '#domain/entities.js';
import { connectSubscriptions } from '#domain/kernel/domain-events.js';
import { subscriptions } from '#domain/subscriptions.js';
import { lowerPriority } from '#platform/low-priority.js';
import { releaseLostConnections } from '#platform/lost-connections.js';
import { readBigIntegers } from '#query/big-integers.js';
import { clientWithPreparedStatements } from '#query/prepared-statements.js';
import { PostgresNames } from '#domain/kernel/schema/naming-strategy.js';
import { migrations } from '#domain/migrations/index.js';

// Every process that writes loads this file first.
connectSubscriptions(subscriptions);

/** How one process reaches the database. */
export interface DatabaseSettings {
  readonly url: string;
  /** Which process it is: its connections are called so, after `merlon`, in the database's own lists. */
  readonly process?: 'api' | 'worker' | 'admin';
  /** Greatest number of connections. */
  readonly poolSize: number;
  /** IANA name; timestamps are written and local times are read in it. */
  readonly timeZone: string;
  /** Seconds that one statement may take; without it, any time. */
  readonly statementSeconds?: number;
  /** Whether the server's processes give way to others: only for a server on this machine. */
  readonly lowersPriority?: boolean;
  /** Whether connections keep the plans of frequent statements: `libs/query/src/prepared-statements.ts`. */
  readonly keepsPlans?: boolean;
}

/** A database that does not answer within this time counts as not reachable. */
const CONNECT_MILLISECONDS = 10_000;

/**
 * How long a transaction of a service may do nothing before the server ends it. A process that hangs, or that the
 * network cuts off, would keep its locks for ever, and with them the jobs that others are to take over. Commands of
 * the administrator may take their time between two statements.
 */
const IDLE_TRANSACTION_SECONDS = 10;

/** Options of the object-relational mapper. */
export const ormOptions = ({
  url,
  process,
  poolSize,
  timeZone,
  statementSeconds,
  lowersPriority,
  keepsPlans,
}: DatabaseSettings): Options =>
  defineConfig({
    clientUrl: url,
    entities,
    namingStrategy: PostgresNames,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false },
    pool: { min: 0, max: poolSize },
    driverOptions: {
      // Once more: what its query says, of TLS above all, gets lost in `clientUrl`.
      connectionString: url,
      application_name: process && `merlon ${process}`,
      options: [
        `-c TimeZone=${timeZone}`,
        ...(statementSeconds ? [`-c statement_timeout=${statementSeconds}s`] : []),
        ...(process === 'admin' ? [] : [`-c idle_in_transaction_session_timeout=${IDLE_TRANSACTION_SECONDS}s`]),
      ].join(' '),
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      ...(keepsPlans && { Client: clientWithPreparedStatements() }),
      ...(lowersPriority && { onConnect: lowerPriority }),
      onPoolCreated: (pool: Pool) => {
        releaseLostConnections(pool);
        readBigIntegers(pool);
      },
    },
    ensureDatabase: false,
  });
