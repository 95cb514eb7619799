// `npm run pictures`: takes the pictures of the documentation from the running product with the made-up company of
// `npm start -- --demo`, into docs/pictures. Needs a Chromium. `npm run pictures -- issues` takes only one of the console.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { type LargeDatabase, startDatabase, startService, startWorker } from '../bench/deployment.ts';
import { ask, type Target, textOf } from '../bench/load.ts';
import { expect, openContext, openSwaggerUi, startBrowser } from '../support/browser.ts';
import { connectTools, REACHING, showRuns } from './connected-tools.ts';

const root = path.resolve(import.meta.dirname, '../..');
const PICTURES = path.join(root, 'docs/pictures');
const PASSWORD = randomUUID();
/** The names of the pictures of the console that are taken; none: all pictures. */
const chosen = process.argv.slice(2);
const THEMES = ['light', 'dark'] as const;
const LEAD = 'jonas@example.com';
const DEVELOPER = 'mei@example.com';

/** One page of the console, as it is in a picture. */
interface Picture {
  readonly name: string;
  readonly user: string;
  readonly path: string;
  /** Waits for what the picture is about, or opens it. */
  readonly show: (page: Page) => Promise<unknown>;
}

function runAdmin(database: LargeDatabase, words: readonly string[], input = ''): void {
  execFileSync(process.execPath, ['dist/apps/admin/src/main.js', ...words], { cwd: root, env: database.env, input });
}

/** The id of the only row of a list that a filter finds. */
async function idOf(target: Target, list: string, filter: object): Promise<number> {
  const query = new URLSearchParams({ ...filter });
  const { results } = await ask<{ results: readonly { id: number }[] }>(target, `/api/v2/${list}/?${query}`);
  const [only] = results;
  if (!only || results.length > 1) throw new Error(`${results.length} rows of ${list} match ${query}.`);
  return only.id;
}

function picturesOf(project: number, administrator: string, webhook: number): readonly Picture[] {
  const list = (name: string) => (page: Page) =>
    page.getByRole('list', { name }).getByRole('listitem').first().waitFor();
  const chart = (page: Page) =>
    expect(page.getByRole('img', { name: /^Chart/ }).first()).not.toHaveJSProperty('naturalWidth', 0);
  const charts = async (page: Page): Promise<void> => {
    const images = page.getByRole('img', { name: /^Chart/ });
    // Those below the window are loaded later.
    await chart(page);
    await expect(images.nth(1)).not.toHaveJSProperty('naturalWidth', 0);
  };
  return [
    { name: 'home', user: LEAD, path: '/', show: charts },
    { name: 'my-work', user: DEVELOPER, path: '/my-work', show: (page) => page.getByRole('listitem').nth(8).waitFor() },
    {
      name: 'countermeasures',
      user: LEAD,
      path: `/projects/${project}`,
      show: (page) => page.getByRole('listitem').nth(8).waitFor(),
    },
    {
      name: 'countermeasure',
      user: LEAD,
      path: `/projects/${project}/tasks/${project}-T13/`,
      show: async (page) => {
        await page.getByRole('tab', { name: 'Why it applies' }).click();
        await list('Why it applies')(page);
      },
    },
    {
      name: 'survey',
      user: LEAD,
      path: `/projects/${project}/survey`,
      show: async (page) => {
        await page.getByRole('checkbox', { name: 'Web application used in a browser' }).check();
        await page.getByText('Countermeasures that will apply').waitFor();
      },
    },
    {
      name: 'overview',
      user: LEAD,
      path: `/projects/${project}/overview`,
      show: (page) => page.getByRole('region', { name: 'Release gate' }).waitFor(),
    },
    {
      name: 'library',
      user: LEAD,
      path: '/library/tasks/T1',
      show: (page) => page.getByRole('tabpanel').getByRole('paragraph').first().waitFor(),
    },
    { name: 'issues', user: LEAD, path: `/projects/${project}/issues`, show: showRuns },
    {
      name: 'verification',
      user: LEAD,
      path: `/projects/${project}/verification`,
      show: (page) => page.getByText('Succeeded', { exact: true }).waitFor(),
    },
    {
      name: 'deliveries',
      user: administrator,
      path: `/administration/webhooks/${webhook}`,
      show: async (page) => {
        await page.getByRole('tab', { name: 'Deliveries' }).click();
        await page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').nth(2).waitFor();
      },
    },
    { name: 'reports', user: LEAD, path: '/reports', show: charts },
    { name: 'report', user: LEAD, path: '/reports/status-by-business-unit', show: chart },
    {
      name: 'users',
      user: administrator,
      path: '/administration/users',
      show: (page) => page.getByRole('listitem').filter({ hasText: 'Jonas' }).waitFor(),
    },
  ];
}

async function takeConsole(browser: Browser, { origin }: Target, picture: Picture): Promise<void> {
  const context = await openContext(browser, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${origin}${picture.path}`);
  await page.getByLabel('E-mail address').fill(picture.user);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await picture.show(page);
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${origin}${picture.path}`);
    await picture.show(page);
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await page.screenshot({
      animations: 'disabled',
      path: path.join(PICTURES, 'console', `${picture.name}-${colorScheme}.png`),
    });
  }
  await context.close();
}

async function takeSwaggerUi(browser: Browser, target: Target): Promise<void> {
  const context = await openContext(browser, { viewport: { width: 1200, height: 860 } });
  const page = await context.newPage();
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
}

async function takeReport(target: Target): Promise<void> {
  const body = { template: 'status-by-business-unit' };
  const { id } = await ask<{ id: number }>(target, '/api/v2/queries/from-template/', { body });
  for (const theme of THEMES) {
    const chart = await textOf(target, `/api/v2/queries/${id}/chart/?format=svg&theme=${theme}`);
    writeFileSync(path.join(PICTURES, `report-${theme}.svg`), chart);
  }
  await textOf(target, `/api/v2/queries/${id}/`, { method: 'DELETE' });
}

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-pictures-'));
const database = await startDatabase(folder, 0);
try {
  runAdmin(database, ['demo']);
  const env = { ...database.env, ...REACHING };
  const service = await startService({ ...database, env });
  // It writes the same links into issues.
  const worker = await startWorker({ ...env, PORT: new URL(service.target.origin).port });
  const browser = await startBrowser();
  try {
    const { target } = service;
    mkdirSync(path.join(PICTURES, 'console'), { recursive: true });
    const project = await idOf(target, 'projects', { name: 'Payouts API' });
    // The worker has calculated the new projects. Until then, the reasons say so.
    const explanation = `/api/v2/projects/${project}/tasks/${project}-T13/explain/`;
    await expect.poll(() => textOf(target, explanation), { timeout: 120_000 }).not.toContain('not been updated');
    if (chosen.length === 0) {
      await takeReport(target);
      await takeSwaggerUi(browser, target);
    }
    const { email } = await ask<{ email: string }>(target, '/api/v2/users/me/');
    for (const user of [LEAD, DEVELOPER, email])
      runAdmin(database, ['user', 'password', '--email', user, '--keep-tokens'], PASSWORD);
    const tools = await connectTools(target, project);
    for (const picture of picturesOf(project, email, tools.webhook))
      if (chosen.length === 0 || chosen.includes(picture.name)) await takeConsole(browser, target, picture);
    await tools.stop();
  } finally {
    await browser.close();
    await worker.stop();
    await service.stop();
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
