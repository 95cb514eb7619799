import { createPostgresBackend, Queue, Worker, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { BullQueues } from './bull-queues.js';
import { JOBS } from './jobs.js';
import { prepareQueueSchema, QUEUE_SCHEMA } from './queue-schema.js';
import type { OnQueueError, Queues } from './queues.js';

/** The servers for queues: Redis if its URL is set, otherwise the database. */
export interface QueueServers {
  readonly redisUrl: string | undefined;
  readonly databaseUrl: string;
}

/** Each kind of job holds one connection of the pool for LISTEN; these are for short statements. */
const SHARED_CONNECTIONS = 4;
const CONNECT_MILLISECONDS = 5000;

/** Redis Cluster stores keys with the same braces on one server, which BullMQ's scripts require. */
const PREFIX = '{merlon}';

/** Opens the queues. On PostgreSQL, throws if the server can't be reached; on Redis, connects in the background. */
export async function openQueues({ redisUrl, databaseUrl }: QueueServers, onError: OnQueueError): Promise<Queues> {
  return redisUrl === undefined ? openOnPostgres(databaseUrl, onError) : openOnRedis(redisUrl, onError);
}

async function openOnPostgres(url: string, onError: OnQueueError): Promise<Queues> {
  await prepareQueueSchema(url);
  const pool = new Pool({
    connectionString: url,
    application_name: 'merlon queues',
    max: JOBS.length + SHARED_CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    options: `-c search_path=${QUEUE_SCHEMA}`,
  });
  pool.on('error', (error) => onError(error, 'queue'));
  // BullMQ adds a listener for each queue and worker: more than the ten at which Node suspects a leak.
  pool.setMaxListeners(0);
  const postgres = withBackend(createPostgresBackend);
  return new BullQueues({
    backend: 'postgresql',
    onError,
    newQueue: (name) => new postgres.Queue(name, { connection: pool }),
    newWorker: (name, process, options) => new postgres.Worker(name, process, { ...options, connection: pool }),
    ping: async () => void (await pool.query('SELECT 1')),
    end: () => pool.end(),
  });
}

function openOnRedis(url: string, onError: OnQueueError): Queues {
  const retryStrategy = (attempt: number): number => Math.min(attempt * 100, 2000);
  // Adding a job must fail soon if Redis is down: the row stays due. Workers wait for Redis instead.
  const adding = new Redis(url, {
    maxRetriesPerRequest: 2,
    retryStrategy,
    connectTimeout: CONNECT_MILLISECONDS,
    commandTimeout: CONNECT_MILLISECONDS,
  });
  const working = new Redis(url, { maxRetriesPerRequest: null, retryStrategy });
  for (const connection of [adding, working]) connection.on('error', (error) => onError(error, 'queue'));
  return new BullQueues({
    backend: 'redis',
    onError,
    newQueue: (name) => new Queue(name, { connection: adding, prefix: PREFIX }),
    newWorker: (name, process, options) =>
      new Worker(name, process, { ...options, connection: working, prefix: PREFIX }),
    ping: async () => void (await adding.ping()),
    end: async () => {
      adding.disconnect();
      working.disconnect();
    },
  });
}
