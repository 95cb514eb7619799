import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '#platform/injected.js';
import { throttled } from '../errors/error-response.js';

/** What may be done how often. */
export interface LimitOptions {
  /** In the table, keys begin with it. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

const CONNECT_MILLISECONDS = 10_000;

/** Counts one more for a key. Throws a 429 where it is one too many. */
export async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw throttled(Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
    throw error;
  }
}

/**
 * Limits that all API processes count together, and that a restart does not reset: they are kept in the database. They
 * have few connections of their own, so that counting never waits for a connection that a request in a transaction
 * holds, and a flood of guesses takes none from others.
 */
@Injectable()
export class SharedLimits implements OnApplicationShutdown {
  private readonly pool: Pool;

  constructor({ databaseUrl }: Settings) {
    this.pool = new Pool({
      connectionString: databaseUrl,
      application_name: 'merlon limits',
      max: 2,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
    });
    // Of an idle connection: the next count opens another one. Without a listener it would end the process.
    this.pool.on('error', (error) => new Logger(SharedLimits.name).warn(error));
  }

  open({ name, points, seconds }: LimitOptions): RateLimiterPostgres {
    // Without the names that the library gives its statements: not every pooler keeps them.
    const storeClient = {
      query: ({ text, values }: { text: string; values?: unknown[] }) => this.pool.query(text, values),
    };
    return new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: 'rate_limit',
      tableCreated: true,
      keyPrefix: name,
      points,
      duration: seconds,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
