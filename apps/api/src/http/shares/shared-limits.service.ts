import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '#platform/injected.js';
import { codeConnectionErrors } from '#platform/database/service-failures.js';
import { throttled } from '../errors/error-response.js';

/** The number of points of a limit, and its window. */
export interface LimitOptions {
  /** Prefix of the limit's keys in the table. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

const CONNECT_MILLISECONDS = 10_000;

/** Consumes one point of a key. Throws a 429 if the limit is exceeded. */
export async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw throttled(Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
    throw error;
  }
}

/**
 * Limits that all API processes share and that survive a restart: they are counted in the database. They use a small
 * pool of their own, so that counting never waits for a connection that a request's transaction holds, and a flood of
 * guesses does not take connections from others.
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
    codeConnectionErrors(this.pool);
    // An error of an idle connection: the next count opens another one. Without a listener it would end the process.
    this.pool.on('error', (error) => new Logger(SharedLimits.name).warn(error));
  }

  open({ name, points, seconds }: LimitOptions): RateLimiterPostgres {
    // Removes the library's statement names: some connection poolers do not support prepared statements.
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
