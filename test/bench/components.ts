// `npm run bench:components [-- --rounds N]`: the list of 1,000 components with everything that can be included and
// expanded, one request after the other. See docs/performance.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startDatabase, startService } from './installation.ts';
import { middle } from './load.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } });
const COMPONENTS = 1000;
const EVERYTHING = 'include=component_questions&expand=tasks,answer_mapping,implied_attributes';

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, 0);
try {
  const service = await startService(database);
  const components = `${service.target.origin}/api/v2/library/components/`;
  const ask = async (url: string, body?: object): Promise<string> => {
    const answer = await fetch(url, {
      headers: { ...service.target.headers, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
    return text;
  };
  /** Each with six countermeasures, two attributes and two questions, all spread over the starter library. */
  const make = (n: number): Promise<string> =>
    ask(components, {
      title: `Component ${n}`,
      description: 'Takes requests from partners and hands them on. '.repeat(8),
      answer_mapping: `A${1 + (n % 60)}`,
      tasks_implemented: [0, 1, 2].map((k) => `T${1 + ((n * 7 + k) % 70)}`),
      tasks_introduced: [0, 1, 2].map((k) => `T${71 + ((n * 5 + k) % 70)}`),
      implied_attributes: [`AT${1 + (n % 40)}`, `AT${41 + (n % 40)}`],
      component_questions: [{ question: 'AQ1' }, { question: 'AQ2' }],
    });
  try {
    for (let n = 0; n < COMPONENTS; n += 8) await Promise.all(Array.from({ length: 8 }, (_, k) => make(n + k)));
    const url = `${components}?type=Custom&page_size=${COMPONENTS}&${EVERYTHING}`;
    const delays: number[] = [];
    let bytes = 0;
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const begun = performance.now();
      bytes = Buffer.byteLength(await ask(url));
      delays.push(performance.now() - begun);
    }
    const sorted = delays.toSorted((a, b) => a - b);
    console.log(
      `${COMPONENTS} components with everything, ${(bytes / 2 ** 20).toFixed(1)} MiB: p50 ${middle(delays).toFixed(0)} ms, ` +
        `fastest ${sorted[0]?.toFixed(0)} ms, slowest ${sorted.at(-1)?.toFixed(0)} ms (target: below 150)`,
    );
  } finally {
    await service.stop();
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
