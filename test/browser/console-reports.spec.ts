import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { bodyOf } from '../support/client.js';
import { type ConsoleTest, faultsOfPages, useConsole } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { makeProject } from '../support/projects.js';
import { type Query, queryBody } from '../support/reports.js';

if (!hasBrowser) process.stderr.write(`The reports of the console are not tried in a browser: ${NO_BROWSER}.\n`);

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>';

(hasBrowser ? describe : describe.skip)('Reports in the console', () => {
  const consoleTest: ConsoleTest = useConsole();
  const { test, page, open } = consoleTest;
  const article = (name: string) => page().getByRole('article', { name });
  /** Waits until a chart is drawn: an image that could not be loaded has no width. */
  const chartOf = async (title: string): Promise<void> => {
    const chart = page().getByRole('img', { name: `Chart: ${title}` });
    await chart.scrollIntoViewIfNeeded();
    await expect(chart).not.toHaveJSProperty('naturalWidth', 0);
  };
  const save = (fields: object) => bodyOf(test.api.post<Query>('/queries/', queryBody(fields)), 201);

  it('are a gallery of saved and starter reports with their charts, filtered in the address', async () => {
    await save({ title: 'Ours by priority' });
    await open('/reports');
    await article('Ours by priority').getByRole('link').waitFor();
    await chartOf('Open high-priority countermeasures by application');
    await page().getByRole('searchbox', { name: 'Filter by text' }).fill('trend');
    await article('Ours by priority').waitFor({ state: 'detached' });
    await page().waitForURL(/q=trend/);
    await page().getByRole('searchbox', { name: 'Filter by text' }).fill('nothing has this');
    await page().getByRole('link', { name: 'Remove the filters' }).click();
    await page().getByRole('region', { name: 'At a glance' }).getByRole('article').nth(2).waitFor();
    await page().getByRole('combobox', { name: 'All reports' }).click();
    await page().getByRole('option', { name: 'Saved reports' }).click();
    await article('Top weaknesses').waitFor({ state: 'detached' });
    await article('Ours by priority').getByRole('link').focus();
    await page().keyboard.press('Enter');
    await page().getByRole('heading', { level: 1, name: 'Ours by priority' }).waitFor();
  }, 120_000);

  it('show a chart or its rows, which are sorted and filtered, and offer files', async () => {
    await makeProject(test, { fields: { profile: 'P1' } });
    await open('/reports/open-by-phase');
    await page().getByRole('heading', { level: 1 }).waitFor();
    await page().getByText('Table', { exact: true }).click();
    const rows = page().getByRole('table').getByRole('row');
    await rows.nth(1).waitFor();
    expect(page().url()).toContain('view=table');
    const all = await rows.count();
    await page().getByRole('searchbox', { name: 'Filter the rows' }).fill('Development');
    await page().waitForURL(/q=Development/);
    await eventually(async () => (await rows.count()) < all);
    await page().getByRole('button', { name: 'Countermeasures' }).click();
    await page()
      .getByRole('columnheader', { name: 'Countermeasures' })
      .and(page().locator('[aria-sort=descending]'))
      .waitFor();
    for (const [format, start] of [
      ['CSV', 'Task'],
      ['XLSX', 'PK'],
      ['PNG', '\u{fffd}PNG'],
    ] as const) {
      const [download] = await Promise.all([
        page().waitForEvent('download'),
        page()
          .getByRole('link', { name: `Download as ${format}` })
          .click(),
      ]);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).toString('utf8')).toMatch(new RegExp(`^\u{feff}?${start}`, 'u'));
    }
  }, 120_000);

  it('are copied from a starter report, and deleted after a question', async () => {
    await open('/reports/top-weaknesses');
    await page().getByRole('button', { name: 'Save a copy' }).click();
    await page().waitForURL(/\/reports\/\d+$/);
    const path = new URL(page().url()).pathname;
    await page().getByRole('button', { name: 'Delete' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page().getByText('“Top weaknesses” was deleted.').waitFor();
    expect((await test.api.get(`/queries/${path.split('/')[2]}/`)).status).toBe(404);
  }, 120_000);

  it('execute nothing that a title or a label contains', async () => {
    await makeProject(test, { fields: { name: HOSTILE } });
    const query = { schema: 'application', measures: ['Project.count'], dimensions: ['Project.name'] };
    const { id } = await save({ title: HOSTILE, chart: 'horizontal_bar', query });
    await open(`/reports/${id}`);
    await chartOf(HOSTILE);
    await expect(page().getByRole('heading', { level: 1 })).toHaveText(HOSTILE);
    await page().getByText('Table', { exact: true }).click();
    await page().getByRole('cell', { name: HOSTILE }).waitFor();
    await expect(page().locator('img[src=x], script:not([src])')).toHaveCount(0);
  }, 120_000);

  it('of projects are not offered to those who may not see all projects', async () => {
    const { id } = await test.newUser();
    await open('/reports', id);
    await article('Library at a glance').waitFor();
    await expect(article('Top weaknesses')).toHaveCount(0);
    await page().goto(`${test.origin}/reports/top-weaknesses?view=table`);
    await page().getByRole('alert').getByText('view_all_projects').waitFor();
    await expect(page().getByRole('button', { name: 'Save a copy' })).toHaveCount(0);
  }, 120_000);

  it('are accessible and fit, light and dark, from 360 pixels', async () => {
    await makeProject(test, { fields: { profile: 'P1' } });
    const paths = ['/reports', '/reports?q=nothing', '/reports/status-by-business-unit', '/reports/regulation-gaps'];
    expect(await faultsOfPages(consoleTest, [...paths, '/reports/no-such-report'])).toEqual([]);
  }, 120_000);
});
