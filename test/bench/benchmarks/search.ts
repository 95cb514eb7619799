// `npm run bench -- search [--items N] [--rounds N]`: full-text searches in a large library, one request after the other.
// See docs/operate/performance.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { quantile } from '../../support/quantile.ts';
import { startDatabase, startService } from '../deployment.ts';
import { middle, textOf } from '../load.ts';

const { values } = parseArgs({
  options: { items: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '40' } },
});
const SEARCHES = [
  { about: 'a word in the text of every seeded item', words: 'input' },
  { about: 'a word in the title of every seeded item', words: 'countermeasure' },
  { about: 'two common words', words: 'check input' },
  { about: 'a common phrase', words: '"check every input"' },
  { about: 'the beginning of a common word', words: 'inp' },
  { about: 'a rare word', words: 'deserialization' },
];

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, Number(values.items));
try {
  const service = await startService(database);
  try {
    for (const { about, words } of SEARCHES) {
      const route = `/api/v2/search/?q=${encodeURIComponent(words)}`;
      const delays: number[] = [];
      for (let round = 0; round < Number(values.rounds); round += 1) {
        const begun = performance.now();
        await textOf(service.target, route);
        delays.push(performance.now() - begun);
      }
      const milliseconds = [middle(delays), quantile(delays, 0.95), Math.max(...delays)].map((n) => n.toFixed(0));
      console.log(`${about}: p50 ${milliseconds[0]} ms, p95 ${milliseconds[1]} ms, slowest ${milliseconds[2]} ms`);
    }
    console.log(`(${values.items} countermeasures and the starter library; target: p95 below 100 ms)`);
  } finally {
    await service.stop();
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
