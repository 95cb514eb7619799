import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { entities } from '#domain/entities.js';
import { connectSubscriptions } from '#domain/kernel/domain-events.js';
import { subscriptions } from '#domain/subscriptions.js';
import { interruptStatements } from '#platform/database/interruptible.js';
import { lowerPriority } from '#platform/low-priority.js';
import { releaseLostConnections } from '#platform/database/lost-connections.js';
import { traceStatements } from '#platform/database/trace-statements.js';
import { codeConnectionErrors } from '#platform/database/service-failures.js';
import { telemetryIsOn } from '#platform/telemetry/telemetry.js';
import { readBigIntegers } from '#query/big-integers.js';
import { clientWithPreparedStatements } from '#query/prepared-statements.js';
import { PostgresNames } from '#domain/kernel/schema/naming-strategy.js';
import { migrations } from '#domain/migrations/index.js';

// Every process that writes loads this file first.
connectSubscriptions(subscriptions);

/** Database settings of one process. */
export interface DatabaseSettings {
  readonly url: string;
  /** Part of the `application_name` of its connections. */
  readonly process?: 'api' | 'worker' | 'admin';
  /** Maximum number of connections. */
  readonly poolSize: number;
  /** IANA name of the time zone in which timestamps are written and local times are read. */
  readonly timeZone: string;
  /** Maximum duration of a statement in seconds; by default unlimited. */
  readonly statementSeconds?: number;
  /** Whether the server's processes get a lower priority; only for a server on this machine. */
  readonly lowersPriority?: boolean;
  /** Whether frequent statements are prepared: `libs/query/src/prepared-statements.ts`. */
  readonly keepsPlans?: boolean;
}

/** A database that does not respond within this time counts as unreachable. */
const CONNECT_MILLISECONDS = 10_000;

/**
 * How long a transaction of a service may be idle before the server ends it. A process that hangs or is disconnected
 * would otherwise keep its locks and jobs for ever. `admin` commands may pause between statements.
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
      // Repeated, because MikroORM drops the query of `clientUrl`, which may contain TLS settings.
      connectionString: url,
      application_name: process && `merlon ${process}`,
      options: [
        `-c TimeZone=${timeZone}`,
        // Searches are costly by PostgreSQL's estimate, but compiling their many small parts takes longer than to run
        // them.
        '-c jit=off',
        ...(statementSeconds ? [`-c statement_timeout=${statementSeconds}s`] : []),
        ...(process === 'admin' ? [] : [`-c idle_in_transaction_session_timeout=${IDLE_TRANSACTION_SECONDS}s`]),
      ].join(' '),
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      ...(keepsPlans && { Client: clientWithPreparedStatements() }),
      ...(lowersPriority && { onConnect: lowerPriority }),
      onPoolCreated: (pool: Pool) => {
        codeConnectionErrors(pool);
        interruptStatements(pool);
        releaseLostConnections(pool);
        readBigIntegers(pool);
        if (telemetryIsOn()) traceStatements(pool);
      },
    },
    ensureDatabase: false,
  });
