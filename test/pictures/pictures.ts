// `node scripts/prepare.mjs test/pictures/pictures.ts`: takes the pictures of the README from the running product, into
// docs/pictures. Needs a Chromium.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDatabase, startService } from '../bench/deployment.ts';
import { ask, textOf } from '../bench/load.ts';
import { openSwaggerUi, startBrowser } from '../support/browser.ts';

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
  const { target } = service;
  const make = (list: string, body: object) => ask<{ id: number }>(target, `/api/v2/${list}/`, { body });
  try {
    for (const [unit, applications] of COMPANY) {
      const { id } = await make('business-units', { name: unit });
      for (const [name, profile, share] of applications) {
        const application = await make('applications', { name, business_unit: id });
        const project = await make('projects', { name, application: application.id, profile });
        const list = `/api/v2/projects/${project.id}/tasks/`;
        const { results: tasks } = await ask<{ results: { id: string }[] }>(target, list);
        const done = tasks.filter((_, index) => (index * 0.618) % 1 < share);
        const none = tasks.filter((_, index) => (index * 0.618) % 1 > 0.94);
        for (const [some, status] of [
          [done, 'TS1'],
          [none, 'TS3'],
        ] as const)
          for (const task of some) await ask(target, `${list}${task.id}/`, { method: 'PATCH', body: { status } });
      }
    }
    mkdirSync(PICTURES, { recursive: true });
    const query = await make('queries/from-template', { template: 'status-by-business-unit' });
    for (const theme of ['light', 'dark']) {
      const chart = await textOf(target, `/api/v2/queries/${query.id}/chart/?format=svg&theme=${theme}`);
      writeFileSync(path.join(PICTURES, `report-${theme}.svg`), chart);
    }

    const browser = await startBrowser();
    const page = await browser.newPage({ viewport: { width: 1200, height: 860 } });
    await openSwaggerUi(page, target.origin, String(target.headers['authorization']));
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
