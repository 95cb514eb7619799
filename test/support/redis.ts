import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';

import { freePort } from './free-port.ts';
import { programInPath } from './programs.ts';

/** A Redis that tests may empty. */
export interface TestRedis {
  readonly url: string;
  /** Loses everything, as a fail-over may. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

const binary = programInPath('redis-server');

/** Whether the tests can have a Redis: a `redis-server` in the path, or REDIS_URL. */
export const redisIsThere = binary !== undefined || (process.env['REDIS_URL'] ?? '') !== '';

/** Why tests on Redis do not run, for those who wonder. */
export const NO_REDIS = 'there is neither a redis-server in the path nor a REDIS_URL';

const QUEUE_BACKENDS = ['postgresql', 'redis'] as const;

/** What can keep the queues. */
export type QueueBackend = (typeof QUEUE_BACKENDS)[number];

type Suites = Readonly<Record<'run' | 'skip', (title: string, tests: () => void) => void>>;

/**
 * A suite with the queues on each back end, whose name takes the place of `%s`. Where there is no Redis, its tests are
 * reported as skipped, so that no one takes silence for success.
 */
export function describeOnQueues(
  title: string,
  tests: (backend: QueueBackend) => void,
  has: { readonly redis: boolean } = { redis: redisIsThere },
  suites: Suites = { run: describe, skip: describe.skip },
): void {
  for (const backend of QUEUE_BACKENDS) {
    const declare = backend === 'redis' && !has.redis ? suites.skip : suites.run;
    declare(title.replace('%s', backend), () => tests(backend));
  }
}

/** A Redis of its own where there is a binary, else that of REDIS_URL. */
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
  client.on('error', () => undefined); // it does not listen yet
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
