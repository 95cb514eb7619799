import type { Browser, BrowserContext, Page } from '@playwright/test';

import { useTestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { expect, hasBrowser, NO_BROWSER, openContext, openSwaggerUi, startBrowser } from '../support/browser.js';

if (!hasBrowser) process.stderr.write(`Swagger UI is not tried in a browser: ${NO_BROWSER}.\n`);

(hasBrowser ? describe : describe.skip)('Swagger UI in a browser', () => {
  const test = useTestApi();
  let browser: Browser;
  /** Remembers a token, so that its pages need not be authorized again. */
  let authorized: BrowserContext;
  let authorizedPage: Page;
  const urls: string[] = [];
  const wrong: string[] = [];
  beforeAll(async () => {
    browser = await startBrowser();
    authorized = await openContext(browser);
    authorizedPage = await authorized.newPage();
    authorizedPage.on('request', (request) => urls.push(request.url()));
    authorizedPage.on('pageerror', ({ message }) => wrong.push(message));
    authorizedPage.on('console', (line) => line.type() === 'error' && wrong.push(line.text()));
    await openSwaggerUi(authorizedPage, test.origin, `Token ${test.organization.admin.token}`);
  });
  afterAll(() => browser.close());

  it('authorizes with a token, sends a request and shows the response', async () => {
    const page = authorizedPage;
    await page.locator('h3[data-tag="Users"]').click();
    const operation = page.locator('.opblock').filter({ hasText: '/api/v2/users/me/' }).first();
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table');
    await answer.getByText(test.organization.admin.email).first().waitFor();

    await expect(answer.locator('.response-col_status').nth(1)).toHaveText(/^200/);
    expect(wrong).toEqual([]);
    expect(urls.filter((url) => !url.startsWith(`${test.origin}/`) && !url.startsWith('data:'))).toEqual([]);
  });

  it('opens the operation that an address names', async () => {
    const page = await authorized.newPage();
    await page.goto(`${test.origin}/docs/#/Projects/projects_get`);
    const operation = page.locator('.opblock.is-open').filter({ hasText: '/api/v2/projects/{id}/' });
    await operation.getByRole('button', { name: 'Try it out' }).waitFor();
    await expect(page.locator('.opblock.is-open')).toHaveCount(1);
  });

  it('shows its own logo, asks for the API token first and alone, and hides removed operations', async () => {
    const page = await (await openContext(browser)).newPage();
    await page.goto(`${test.origin}/docs/`);
    await page.getByAltText('Merlon').waitFor();
    await page.locator('h3[data-tag="Projects"]').waitFor();
    await expect(page.locator('h3[data-tag="Removed"]')).toHaveCount(0);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    await dialog.getByText('The API token of a user.').waitFor();
    await expect(dialog.locator('.auth-container')).toHaveCount(1);
    await expect(dialog.getByText('For reports only')).toHaveCount(0);
  });

  it('asks for the report token where it applies', async () => {
    const page = await (await openContext(browser)).newPage();
    await page.goto(`${test.origin}/docs/#/Reports/cube_meta`);
    const operation = page.locator('.opblock.is-open').filter({ hasText: '/cubejs-api/v1/meta/' });
    await operation.locator('.authorization__btn').click();
    await page.locator('.dialog-ux').getByText('For reports only').waitFor();
  });

  it('finds operations by words of their summary and path', async () => {
    const page = await authorized.newPage();
    await page.goto(`${test.origin}/docs/`);
    await page.getByRole('searchbox', { name: 'Find operations' }).fill('business-units delete');
    await page.locator('h3[data-tag="Phases"]').waitFor({ state: 'detached' });
    await expect(page.locator('h3[data-tag]')).toHaveCount(1);
    await expect(page.locator('h3[data-tag="Business units"]')).toHaveCount(1);
  });

  it('fills in a page size for lists, and shows long responses without highlighting', async () => {
    const page = await authorized.newPage();
    await page.goto(`${test.origin}/docs/#/Countermeasures/countermeasures_list`);
    const operation = page.locator('.opblock.is-open');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const size = operation.locator('tr[data-param-name="page_size"] input');
    await expect(size).toHaveValue('25');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .highlight-code').waitFor();
    await size.fill('');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table pre.plain').waitFor();
  });

  it('shows a chart as an image', async () => {
    const report = test.api.post<{ id: number }>('/queries/from-template/', { template: 'coverage-by-regulation' });
    const { id } = await bodyOf(report, 201);
    const page = await authorized.newPage();
    await page.goto(`${test.origin}/docs/#/Reports/query_runs_chart`);
    const operation = page.locator('.opblock.is-open');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.locator('tr[data-param-name="id"] input').fill(String(id));
    await operation.locator('tr[data-param-name="format"] select').selectOption('svg');
    await operation.getByRole('button', { name: 'Execute' }).click();
    const chart = operation.locator('.live-responses-table').getByAltText('Response');
    await expect(chart).not.toHaveJSProperty('naturalWidth', 0);
  });
});
