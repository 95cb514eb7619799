// `npm run bench -- components [--rounds N]`: the list of 1,000 components with everything that can be included and
// expanded, one request after the other. See docs/operate/performance.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startDatabase, startService } from '../deployment.ts';
import { ask, middle, textOf } from '../load.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } });
const COUNT = 1000;
const COMPONENTS = '/api/v2/library/components/';
const EVERYTHING = 'include=component_questions&expand=tasks,answer_mapping,implied_attributes';

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, 0);
try {
  const service = await startService(database);
  /** Each with six countermeasures, two attributes and two questions, all spread over the starter library. */
  const make = (n: number): Promise<unknown> =>
    ask(service.target, COMPONENTS, {
      body: {
        title: `Component ${n}`,
        description: 'Takes requests from partners and hands them on. '.repeat(8),
        answer_mapping: `A${1 + (n % 60)}`,
        tasks_implemented: [0, 1, 2].map((k) => `T${1 + ((n * 7 + k) % 70)}`),
        tasks_introduced: [0, 1, 2].map((k) => `T${71 + ((n * 5 + k) % 70)}`),
        implied_attributes: [`AT${1 + (n % 40)}`, `AT${41 + (n % 40)}`],
        component_questions: [{ question: 'AQ1' }, { question: 'AQ2' }],
      },
    });
  try {
    for (let n = 0; n < COUNT; n += 8) await Promise.all(Array.from({ length: 8 }, (_, k) => make(n + k)));
    const route = `${COMPONENTS}?type=Custom&page_size=${COUNT}&${EVERYTHING}`;
    const delays: number[] = [];
    let bytes = 0;
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const begun = performance.now();
      bytes = Buffer.byteLength(await textOf(service.target, route));
      delays.push(performance.now() - begun);
    }
    const sorted = delays.toSorted((a, b) => a - b);
    console.log(
      `${COUNT} components with all includes and expands, ${(bytes / 2 ** 20).toFixed(1)} MiB: ` +
        `p50 ${middle(delays).toFixed(0)} ms, ` +
        `fastest ${sorted[0]?.toFixed(0)} ms, slowest ${sorted.at(-1)?.toFixed(0)} ms (target: below 150)`,
    );
  } finally {
    await service.stop();
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
