// `npm run bench -- console [--tasks N] [--slowdown N]`: how fast a project with 10,000 countermeasures reacts in a browser.
// With `--slowdown 4`, the browser has a quarter of the processor. Prints, for each kind of interaction, the time from the
// key until the page has drawn what it does (interaction to next paint), and the requests and rows of the page.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { Client } from 'pg';
import { openContext, startBrowser } from '../../support/browser.ts';
import { quantile } from '../../support/quantile.ts';
import { APPLICATION_SEED, startDatabase, startService } from '../deployment.ts';
import { withSession } from '../with-session.ts';

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '10000' }, slowdown: { type: 'string', default: '1' } },
});
const tasks = Number(values.tasks);

/** One project with all countermeasures of the organization's own library. */
const SEED = [
  ...APPLICATION_SEED,
  `INSERT INTO project (organization_id, application_id, name, slug)
    SELECT organization_id, id, 'Bench', 'bench' FROM application`,
  `INSERT INTO project_countermeasure (organization_id, project_id, countermeasure_id, relevant_via_survey, status_id,
    became_relevant_at)
   SELECT p.organization_id, p.id, c.id, true, 1 + c.number % 3, clock_timestamp()
     FROM project p JOIN countermeasure c USING (organization_id)`,
  'VACUUM ANALYZE',
];

/** Collects the durations of interactions in a page: the browser reports those of 16 ms or more, in steps of 8 ms. */
const COLLECT = `
  globalThis.interactions = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });`;

const TAKE = `(() => { const all = [...interactions.values()]; interactions.clear(); return all; })()`;

interface Interactions {
  readonly name: string;
  readonly count: number;
  /** The durations that the browser reports, in milliseconds; all others took less than 16. */
  readonly slow: readonly number[];
}

/** Repeats something that a user does, and waits for the page after each time. */
async function interact(
  page: Page,
  name: string,
  count: number,
  act: (n: number) => Promise<void>,
): Promise<Interactions> {
  await page.evaluate(TAKE);
  for (let n = 0; n < count; n += 1) {
    await act(n);
    // Two frames: the first one draws the reaction, the second one follows it.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }
  return { name, count, slow: await page.evaluate(TAKE) };
}

const milliseconds = ({ count, slow }: Pick<Interactions, 'count' | 'slow'>, share: number): string => {
  const all = [...slow, ...Array.from({ length: Math.max(0, count - slow.length) }, () => 16)];
  return `${quantile(all, share)}`.padStart(5);
};

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, tasks);
try {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  for (const statement of SEED) await client.query(statement);
  const { rows } = await client.query<{ id: string }>('SELECT id FROM project');
  await client.end();
  const service = await startService(database);
  const browser = await startBrowser();
  try {
    const { origin, headers } = await withSession(service.target, database.url);
    const context = await openContext(browser, { viewport: { width: 1280, height: 800 } });
    const [name = '', value = ''] = (headers['cookie'] ?? '').split('=');
    await context.addCookies([{ name, value, url: origin }]);
    await context.addInitScript(COLLECT);
    const page = await context.newPage();
    const requests: string[] = [];
    page.on('request', (request) => request.url().includes('/api/') && requests.push(new URL(request.url()).pathname));
    const start = performance.now();
    await page.goto(`${origin}/projects/${rows[0]?.id}`);
    const list = page.getByRole('listitem');
    await list.first().waitFor();
    const shown = Math.round(performance.now() - start);
    await page.waitForLoadState('networkidle');
    const slower = await context.newCDPSession(page);
    await slower.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slowdown) });

    await list.getByRole('link').first().focus();
    const filter = page.getByRole('searchbox', { name: 'Filter by text' });
    const measured = [
      await interact(page, 'next row (j)', 60, () => page.keyboard.press('j')),
      await interact(page, 'select (x)', 30, () => page.keyboard.press('x')),
      await interact(page, 'open (Enter), close (Escape)', 20, (n) => page.keyboard.press(n % 2 ? 'Escape' : 'Enter')),
      await interact(page, 'type in the filter', 20, async (n) => {
        if (n === 0) await filter.focus();
        await page.keyboard.press('0123456789abcdef'[n % 16] ?? 'a');
      }),
    ];
    const all = {
      count: measured.reduce((sum, { count }) => sum + count, 0),
      slow: measured.flatMap(({ slow }) => slow),
    };
    console.log(`${tasks} countermeasures; first row after ${shown} ms; processor slowed down by ${values.slowdown}`);
    console.log(`${new Set(requests).size} requests: ${[...new Set(requests)].join(' ')}`);
    console.log(`${await list.count()} rows in the document\n`);
    console.log(`${'interaction'.padEnd(32)}  count    p50    p98 (ms, target of all: 200)`);
    for (const one of [...measured, { name: 'all', ...all }])
      console.log(
        `${one.name.padEnd(32)}  ${String(one.count).padStart(5)}  ${milliseconds(one, 0.5)}  ${milliseconds(one, 0.98)}`,
      );
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
