// `npm run pictures`: takes the pictures of the README from the running product, into docs/pictures. Needs a Chromium.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDatabase, startService } from '../bench/installation.ts';
import { startBrowser } from '../support/browser.ts';

const PICTURES = path.resolve(import.meta.dirname, '../../docs/pictures');

/** What the pictures show: business units, their applications, and how far each has come. */
const COMPANY: readonly (readonly [string, readonly (readonly [string, string, number])[]])[] = [
  [
    'Payments',
    [
      ['Checkout', 'P1', 0.8],
      ['Payouts', 'P2', 0.55],
    ],
  ],
  [
    'Retail',
    [
      ['Web shop', 'P9', 0.65],
      ['Store app', 'P3', 0.35],
    ],
  ],
  [
    'Platform',
    [
      ['Developer portal', 'P4', 0.9],
      ['Event pipeline', 'P8', 0.5],
    ],
  ],
  ['Research', [['Assistant', 'P6', 0.2]]],
];

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-pictures-'));
const database = await startDatabase(folder, 0);
try {
  const service = await startService(database);
  const api = `${service.target.origin}/api/v2`;
  const send = async (method: string, where: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${api}/${where}`, {
      method,
      headers: { ...service.target.headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  try {
    for (const [unit, applications] of COMPANY) {
      const { id } = await send('POST', 'business-units/', { name: unit });
      for (const [name, profile, share] of applications) {
        const application = await send('POST', 'applications/', { name, business_unit: id });
        const project = await send('POST', 'projects/', { name, application: application['id'], profile });
        const tasks = (await send('GET', `projects/${String(project['id'])}/tasks/`))['results'] as { id: string }[];
        const done = tasks.filter((_, place) => (place * 0.618) % 1 < share);
        const none = tasks.filter((_, place) => (place * 0.618) % 1 > 0.94);
        for (const [list, status] of [
          [done, 'TS1'],
          [none, 'TS3'],
        ] as const)
          for (const task of list)
            await send('PATCH', `projects/${String(project['id'])}/tasks/${task.id}/`, { status });
      }
    }
    mkdirSync(PICTURES, { recursive: true });
    const { id: query } = await send('POST', 'queries/from-template/', { template: 'status-by-business-unit' });
    for (const theme of ['light', 'dark']) {
      const chart = await fetch(`${api}/queries/${String(query)}/chart/?format=svg&theme=${theme}`, service.target);
      if (!chart.ok) throw new Error(`The chart: ${chart.status} ${await chart.text()}`);
      writeFileSync(path.join(PICTURES, `report-${theme}.svg`), await chart.text());
    }

    const browser = await startBrowser();
    const page = await browser.newPage({ viewport: { width: 1200, height: 860 } });
    await page.goto(`${service.target.origin}/docs/`);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    await dialog.locator('input').first().fill(String(service.target.headers['authorization']));
    await dialog.locator('button[type=submit]').first().click();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.locator('h3[data-tag="Countermeasures"]').click();
    const operation = page.locator('.opblock-get').filter({ hasText: '/api/v2/library/tasks/{id}/' });
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.locator('tr[data-param-name="id"] input').fill('T1');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .microlight').first().waitFor();
    await operation.locator('.responses-wrapper').evaluate((answer) => {
      answer.scrollIntoView();
    });
    await page.screenshot({ path: path.join(PICTURES, 'swagger-ui.png') });
    await browser.close();
  } finally {
    await service.stop();
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
