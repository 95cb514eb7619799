// `npm run bench -- jobs [--jobs N] [--rounds N]`: jobs a second on both back ends, queued in batches and handled by
// one process whose handler does nothing. Redis is measured where a `redis-server` or REDIS_URL is there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { job } from '#jobs/queues.js';
import { openQueues } from '#jobs/open-queues.js';
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.js';
import { NO_REDIS, hasRedis, startRedis } from '../../support/redis.ts';
import { middle } from '../load.ts';

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '5000' }, rounds: { type: 'string', default: '3' } },
});
const count = Number(values.jobs);
const BATCH = 500;
const NOTHING = job<{ id: string }>({
  name: 'nothing.do',
  concurrency: 16,
  key: ({ id }) => id,
});

interface Rates {
  readonly queued: number;
  readonly handled: number;
}

async function measure(redisUrl: string | undefined, databaseUrl: string, round: number): Promise<Rates> {
  const queues = await openQueues({ redisUrl, databaseUrl }, (error) => console.error(error));
  const payloads = Array.from({ length: count }, (_, n) => ({ id: `round-${round}-${n}` }));
  const begun = performance.now();
  for (let first = 0; first < count; first += BATCH) await queues.add(NOTHING, payloads.slice(first, first + BATCH));
  const queued = performance.now();
  await new Promise<void>((resolve) => {
    let handled = 0;
    queues.work(NOTHING, () => {
      handled += 1;
      if (handled === count) resolve();
      return Promise.resolve();
    });
  });
  const done = performance.now();
  await queues.close(1000);
  return { queued: (count * 1000) / (queued - begun), handled: (count * 1000) / (done - queued) };
}

const cell = (figures: readonly number[]): string => middle(figures).toFixed(0).padStart(8);

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres') });
const redis = hasRedis ? await startRedis() : undefined;
try {
  console.log(`${count} jobs, queued by ${BATCH}, median of ${values.rounds} rounds\n`);
  console.log('back end     queued/s  handled/s');
  for (const [name, url] of [['postgresql', undefined] as const, ...(redis ? [['redis', redis.url] as const] : [])]) {
    const rates: Rates[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) rates.push(await measure(url, postgres.url, round));
    console.log(
      `${name.padEnd(11)} ${cell(rates.map((rate) => rate.queued))}   ${cell(rates.map((rate) => rate.handled))}`,
    );
  }
  if (!redis) console.log(`redis       not measured: ${NO_REDIS}`);
} finally {
  await redis?.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
