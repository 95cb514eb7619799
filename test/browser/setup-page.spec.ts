import { EntityManager } from '@mikro-orm/postgresql';
import type { Browser, Page } from '@playwright/test';
import { createSetupLink } from '#domain/access/setup-link/setup-link.commands.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';

import { startTestApi, type TestApi } from '../support/api.js';
import { expect, hasBrowser, NO_BROWSER, openContext, startBrowser } from '../support/browser.js';

if (!hasBrowser) process.stderr.write(`The setup page is not tried in a browser: ${NO_BROWSER}.\n`);

(hasBrowser ? describe : describe.skip)('The page of the setup link', () => {
  let test: TestApi;
  let browser: Browser;
  let page: Page;
  const wrong: string[] = [];
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    test = await startTestApi();
    page = await (await openContext(browser)).newPage();
    wrong.length = 0;
    page.on('pageerror', ({ message }) => wrong.push(message));
    // A rejected request is reported as an error too; violations of the policy must not occur.
    page.on(
      'console',
      (line) => line.type() === 'error' && !/status of 400/.test(line.text()) && wrong.push(line.text()),
    );
  });
  afterEach(async () => {
    await page.context().close();
    await test.close();
    expect(wrong).toEqual([]);
  });

  const newToken = async (): Promise<string> => {
    const em = test.running.app.get(EntityManager);
    return (await acrossOrganizations(em, 'operate the deployment', createSetupLink)).token;
  };
  const fill = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  };
  const person = {
    'First name': 'Ada',
    'Last name': '<b>Lovelace</b>',
    'E-mail address': 'ada@example.com',
    Organization: 'Example Ltd.',
  };

  it('shows the errors of fields, then creates the first user and signs the browser in', async () => {
    const token = await newToken();
    await page.goto(`${test.origin}/setup#${token}`);
    await fill({ ...person, Password: 'short' });
    await page.getByRole('button', { name: 'Create the first user' }).press('Enter');
    await page.locator('#password-error:not(:empty)').waitFor();
    await expect(page.getByLabel('Password')).toBeFocused();

    await fill({ Password: 'correct horse battery staple' });
    await page.keyboard.press('Enter');
    await page.getByText('you are signed in').waitFor();
    expect(page.url()).toBe(`${test.origin}/setup`);
    const me = await page.evaluate('fetch("/api/v2/users/me/").then((response) => response.json())');
    expect(me).toMatchObject({ email: 'ada@example.com', last_name: '<b>Lovelace</b>' });
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ name: 'merlon', httpOnly: true, sameSite: 'Lax', path: '/' }]);
  });

  it('says that a link is used up, incomplete or not answered', async () => {
    await page.goto(`${test.origin}/setup/`);
    await page.getByText('This address is not complete').waitFor();

    await page.goto('about:blank');
    await page.goto(`${test.origin}/setup#${'x'.repeat(43)}`);
    await fill({ ...person, Password: 'correct horse battery staple' });
    await page.keyboard.press('Enter');
    await page.locator('[role=alert]:not(:empty)').waitFor();
    await expect(page.getByLabel('First name')).toHaveValue('Ada');

    await page.context().setOffline(true);
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Create the first user' }).click();
    await page.getByText('The service did not respond').waitFor();
    expect(wrong.splice(0)).toEqual([expect.stringContaining('ERR_INTERNET_DISCONNECTED')]);
  });
});
