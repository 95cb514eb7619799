import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';

import { freePort } from './free-port.ts';
import { programInPath } from './programs.ts';

/** A Redis server that tests may empty. */
export interface TestRedis {
  readonly url: string;
  /** Deletes all data, as a failover may do. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

const binary = programInPath('redis-server');

/** Whether tests can use Redis: `redis-server` is in the PATH, or REDIS_URL is set. */
export const hasRedis = binary !== undefined || (process.env['REDIS_URL'] ?? '') !== '';

/** The reason why tests on Redis are skipped. */
export const NO_REDIS = 'neither is redis-server in the PATH, nor is REDIS_URL set';

const QUEUE_BACKENDS = ['postgresql', 'redis'] as const;

/** A back end of the queues. */
export type QueueBackend = (typeof QUEUE_BACKENDS)[number];

type Suites = Readonly<Record<'run' | 'skip', (title: string, tests: () => void) => void>>;

/**
 * Declares a suite for each back end of the queues; `%s` in the title stands for its name. Without Redis, its tests are
 * reported as skipped, so that no one believes that they passed.
 */
export function describeOnQueues(
  title: string,
  tests: (backend: QueueBackend) => void,
  has: { readonly redis: boolean } = { redis: hasRedis },
  suites: Suites = { run: describe, skip: describe.skip },
): void {
  for (const backend of QUEUE_BACKENDS) {
    const declare = backend === 'redis' && !has.redis ? suites.skip : suites.run;
    declare(title.replace('%s', backend), () => tests(backend));
  }
}

/** Starts a Redis server if the program is installed; otherwise uses that of REDIS_URL. */
export async function startRedis(): Promise<TestRedis> {
  if (binary === undefined) return connectTo(String(process.env['REDIS_URL']), async () => undefined);
  const folder = await mkdtemp(path.join(tmpdir(), 'merlon-redis-'));
  const port = await freePort();
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const server = spawn(binary, words, { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  return connectTo(`redis://127.0.0.1:${port}`, async () => {
    server.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
}

async function connectTo(url: string, stop: () => Promise<void>): Promise<TestRedis> {
  const client = new Redis(url, { lazyConnect: false, retryStrategy: () => 50 });
  client.on('error', () => undefined); // the server does not listen yet
  while (client.status !== 'ready') await sleep(20);
  return {
    url,
    empty: async () => void (await client.flushall()),
    stop: async () => {
      client.disconnect();
      await stop();
    },
  };
}
