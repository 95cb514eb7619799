import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { bodyOf } from '../support/client.js';
import { type ConsoleTest, faultsOfPages, useConsole } from '../support/console.js';
import { PASSWORD } from '../support/passwords.js';
import { logIn, sessionOf } from '../support/sessions.js';
import { setPasswordOf } from '../support/set-password.js';

if (!hasBrowser) process.stderr.write(`The own account is not tried in a browser: ${NO_BROWSER}.\n`);

const NEW_PASSWORD = 'staple battery horse correct';

(hasBrowser ? describe : describe.skip)('The own account in the console', () => {
  const consoleTest: ConsoleTest = useConsole();
  const { test, page, context, open } = consoleTest;
  const press = (name: string) => page().getByRole('button', { name, exact: true }).click();

  it('is reached from the menu, and lets those who manage users change their name', async () => {
    await open('/projects');
    await page()
      .getByRole('button', { name: /^Account of/ })
      .click();
    await page().getByRole('menuitem', { name: 'My account' }).click();
    await page().getByRole('textbox', { name: 'First name' }).fill('Augusta');
    await press('Save');
    await page()
      .getByRole('button', { name: /^Account of Augusta/ })
      .waitFor();
    const { id } = await test.newUser();
    await open('/account', id);
    await page().getByText('An administrator can change these.').waitFor();
  });

  it('changes the password after the present one, and ends all other sessions', async () => {
    const user = await test.newUser();
    await setPasswordOf(test, user.id, PASSWORD);
    await sessionOf(test, user.id, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0');
    await open('/account?tab=password', user.id);
    const fill = async (current: string) => {
      await page().getByRole('textbox', { name: 'Present password' }).fill(current);
      await page().getByRole('textbox', { name: 'New password' }).fill(NEW_PASSWORD);
      await page().keyboard.press('Enter');
    };
    await page().getByRole('textbox', { name: 'Present password' }).fill(PASSWORD);
    expect(await page().evaluate('JSON.stringify(sessionStorage)')).not.toContain(PASSWORD);
    await fill('a wrong password');
    await page()
      .getByRole('textbox', { name: 'Present password' })
      .and(page().locator('[aria-invalid=true]'))
      .waitFor();
    await fill(PASSWORD);
    await page().getByText('The password was changed.').waitFor();
    await page().getByRole('tab', { name: 'Sessions' }).click();
    await page().getByText('This session').waitFor();
    await expect(page().getByText('Firefox, Linux')).toHaveCount(0);
    expect((await logIn(test, user.email, NEW_PASSWORD)).status).toBe(200);
  });

  it('ends one session or all others', async () => {
    const user = await test.newUser();
    for (const browser of ['Firefox/145.0', 'Chrome/141.0', 'Safari/605.1'])
      await sessionOf(test, user.id, `Mozilla/5.0 (Macintosh; Mac OS X) ${browser}`);
    await open('/account?tab=sessions', user.id);
    const item = page().getByRole('listitem');
    await item.filter({ hasText: 'Firefox, Mac OS X' }).getByRole('button', { name: 'End' }).click();
    await item.filter({ hasText: 'Firefox' }).waitFor({ state: 'detached' });
    await press('End all others');
    await page().getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await item.filter({ hasText: 'Chrome' }).waitFor({ state: 'detached' });
    await expect(page().getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1);
  });

  it('creates a token, which is shown once with a button that copies it', async () => {
    await context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('/account?tab=tokens');
    await press('New token');
    const name = page().getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Laptop');
    await page().getByRole('button', { name: 'Create' }).focus();
    page().once('dialog', (leaving) => void leaving.accept());
    await page().reload();
    await page().getByText('Draft restored').waitFor();
    await expect(name).toHaveValue('Laptop');
    await page().getByRole('combobox', { name: 'Scopes' }).click();
    await page().getByRole('option', { name: 'library:read' }).click();
    await page().keyboard.press('Escape');
    await press('Create');
    const field = page().getByRole('textbox', { name: 'Token', exact: true });
    const token = await field.inputValue();
    await press('Copy');
    await page().getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page().evaluate('navigator.clipboard.readText()')).toBe(token);
    expect((await test.api.as(token).get('/library/tasks/', { page_size: 1 })).status).toBe(200);
    await page().reload();
    await page().getByText('Laptop').waitFor();
    await expect(field).toHaveCount(0);
  });

  it('keeps the colors for the next browser', async () => {
    const user = await test.newUser();
    await open('/account?tab=preferences', user.id);
    await page().getByText('Dark', { exact: true }).click();
    await page().locator('html[data-mantine-color-scheme=dark]').waitFor();
    await eventually(
      async () => (await bodyOf(user.api.get<{ theme: string }>('/users/me/preferences/'))).theme === 'dark',
    );
    await page().evaluate('localStorage.clear()');
    await page().goto(`${test.origin}/projects`);
    await page().locator('html[data-mantine-color-scheme=dark]').waitFor();
  });

  it('is accessible and fits, light and dark, from 360 pixels', async () => {
    const tabs = ['profile', 'password', 'preferences', 'sessions', 'tokens'];
    expect(
      await faultsOfPages(
        consoleTest,
        tabs.map((tab) => `/account?tab=${tab}`),
      ),
    ).toEqual([]);
  }, 120_000);
});
