// `npm run bench -- activity [--rows N | --large] [--requests N]`: delays of pages of the activity stream, by filter,
// in an organization with so many activities. See docs/operate/performance.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { quantile } from '../../support/quantile.ts';
import { startDatabase, startService } from '../deployment.ts';
import { ask } from '../load.ts';
import { PAGES, seedActivities } from '../activity-scenarios.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    large: { type: 'boolean', default: false },
    requests: { type: 'string', default: '300' },
  },
});
const rows = values.large ? 10_000_000 : Number(values.rows);
const requests = Number(values.requests);
/** Number of concurrent readers. */
const READERS = 2;

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, 0);
try {
  const begun = performance.now();
  const size = await seedActivities(database, rows);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  console.log(`${rows} activities written in ${seconds} s: ${size.table}, with ${size.indexes} of indexes`);
  const service = await startService(database);
  try {
    console.log(
      `${requests} pages each, ${READERS} concurrent readers\n\n${'pages'.padEnd(36)}   p50 ms   p99 ms   rows`,
    );
    for (const { name, path: pathOf } of PAGES) {
      const delays: number[] = [];
      let foundRows = 0;
      const read = async (): Promise<void> => {
        while (delays.length < requests) {
          const sent = performance.now();
          const { results } = await ask<{ results: unknown[] }>(service.target, `/api/v2${pathOf()}`);
          delays.push(performance.now() - sent);
          foundRows += results.length;
        }
      };
      await Promise.all(Array.from({ length: READERS }, read));
      const [p50, p99] = [0.5, 0.99].map((part) => quantile(delays, part).toFixed(1).padStart(8));
      console.log(`${name.padEnd(36)} ${p50} ${p99} ${(foundRows / delays.length).toFixed(0).padStart(6)}`);
    }
    console.log(`\nMemory of the API: ${Math.round((await service.memory()) / 2 ** 20)} MiB`);
  } finally {
    await service.stop();
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
