import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { bodyOf } from '../support/client.js';
import { type ConsoleTest, faultsOfPages, useConsole } from '../support/console.js';
import { makeFinishedExport } from '../support/exports.js';
import { newEmail, unique } from '../support/factories.js';
import { makeReadyImport } from '../support/imports.js';
import { makeIdentityProvider, PRIVATE_PROVIDERS, useProviderFor } from '../support/oidc-provider.js';
import { makeProject } from '../support/projects.js';

if (!hasBrowser) process.stderr.write(`The administration is not tried in a browser: ${NO_BROWSER}.\n`);

interface Named {
  readonly id: number | string;
  readonly name: string;
}

(hasBrowser ? describe : describe.skip)('The administration in the console', () => {
  const consoleTest: ConsoleTest = useConsole(PRIVATE_PROVIDERS);
  const { test, page, open } = consoleTest;
  const provider = useProviderFor(test);
  const fill = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [label, value] of Object.entries(fields))
      await page().getByRole('textbox', { name: label, exact: true }).fill(value);
  };
  const press = (name: string) => page().getByRole('button', { name, exact: true }).click();
  const choose = async (field: string, ...names: (string | RegExp)[]): Promise<void> => {
    const box = page().getByRole('combobox', { name: field, exact: true });
    await box.click();
    for (const name of names) await page().getByRole('option', { name, exact: true }).click();
    await page().keyboard.press('Escape');
  };
  const confirm = (name: string) => page().getByRole('dialog').getByRole('button', { name, exact: true }).click();

  it('creates a user, shows errors next to their fields, invites with a link shown once, and deactivates', async () => {
    await open('/administration');
    await page().waitForURL(/\/administration\/users$/);
    await press('New user');
    await fill({ 'First name': 'Grace', 'Last name': 'Hopper', 'E-mail address': 'nobody' });
    await press('Create');
    const email = page().getByRole('textbox', { name: 'E-mail address' });
    await email.and(page().locator('[aria-invalid=true]:focus')).waitFor();
    await email.fill('grace@example.com');
    await page().keyboard.press('Enter');
    await page().waitForURL(/\/users\/\d+$/);
    const id = new URL(page().url()).pathname.split('/').at(-1);
    // A role that was chosen can be exchanged, not taken away.
    await page().getByLabel(/^Role/).and(page().locator('input[required]')).waitFor();
    await press('Invite');
    const link = await page().getByRole('textbox', { name: 'Link of the invitation' }).inputValue();
    expect(link).toMatch(/\/invitation#[\w-]{43}$/);
    await press('Deactivate');
    await confirm('Deactivate');
    await page().getByRole('listitem').filter({ hasText: 'Grace Hopper' }).getByText('Deactivated').waitFor();
    expect(await bodyOf(test.api.get(`/users/${id}/`))).toMatchObject({ is_active: false, email: 'grace@example.com' });
    await page().reload();
    await press('Activate');
    await page().getByRole('button', { name: 'Deactivate' }).waitFor();
    await expect(page().getByText(link)).toHaveCount(0);
  });

  it('confirms a new e-mail address by another sign-in at the identity provider, which sent no last name', async () => {
    const id = await makeIdentityProvider(test, provider, { create_users: true, default_role: 'UR4' });
    provider.signIn(unique('subject'), { email: newEmail(), given_name: 'Sukarno' });
    await page().goto(`${test.origin}/auth/oidc/${id}/start?return_to=/account`);
    await fill({ 'First name': 'Suharto' });
    await press('Save');
    await page().getByText('Saved.', { exact: true }).waitFor();
    await page().getByRole('button', { name: 'Account of Suharto', exact: true }).waitFor();
    const user = await bodyOf(test.api.get<{ results: { id: number }[] }>('/users/', { search: 'Suharto' }));
    const path = `/users/${user.results[0]?.id}/`;
    await page().goto(`${test.origin}/administration${path.slice(0, -1)}`);
    const address = newEmail();
    await fill({ 'E-mail address': address });
    await press('Save');
    const again = page().getByRole('button', { name: 'Sign in again with your identity provider' });
    // What is typed comes back, so nothing asks whether to leave it.
    const asked: string[] = [];
    page().on('dialog', (leaving) => {
      asked.push(leaving.type());
      void leaving.accept();
    });
    await Promise.all([page().waitForEvent('load'), again.click()]);
    expect(asked).toEqual([]);
    expect(new URL(page().url()).pathname).toBe(`/administration${path.slice(0, -1)}`);
    expect(await bodyOf(test.api.get(path))).not.toMatchObject({ email: address });
    await page().getByText('Draft restored').waitFor();
    await press('Save');
    await page().getByText('Saved.', { exact: true }).waitFor();
    expect(await bodyOf(test.api.get(path))).toMatchObject({ email: address, last_name: '' });
  });

  it('asks before typed text is lost, and closes a panel with Escape when there is none', async () => {
    const asked: string[] = [];
    page().on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await open('/administration/groups/new');
    await fill({ Name: 'Half typed' });
    await page().keyboard.press('Escape');
    await page().getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    expect(asked).toEqual(['Leave the form? What you typed is lost.']);
    await fill({ Name: '' });
    await page().keyboard.press('Escape');
    await page().waitForURL(/\/groups$/);
  });

  it('gives groups a role and members, and roles their permissions', async () => {
    const { id } = await test.newUser({ firstName: 'Ada', lastName: 'Lovelace' });
    await open('/administration/roles/new');
    await fill({ Name: 'Auditor' });
    await choose('Permissions', 'View all projects');
    await press('Create');
    await page().waitForURL(/\/roles\/CU\d+$/);
    await page().getByRole('link', { name: 'Groups', exact: true }).click();
    await press('New group');
    await fill({ Name: 'Auditors' });
    await choose('Role', 'Auditor');
    await choose('Members', /^Ada Lovelace /); // with the address
    await press('Create');
    await page().waitForURL(/\/groups\/G\d+$/);
    const { results } = await bodyOf(test.api.get<{ results: object[] }>('/groups/', { name: 'Auditors' }));
    expect(results).toMatchObject([{ users: [id], role: expect.stringMatching(/^CU\d+$/) }]);
    await press('Delete');
    await confirm('Delete');
    await page().getByText('There is no group yet').waitFor();
  });

  it('says what someone else has changed, keeps what was typed, and saves it only when asked again', async () => {
    const group = await bodyOf(test.api.post<Named>('/groups/', { name: 'Ours', description: 'First' }), 201);
    const path = `/groups/${group.id}/`;
    await open(`/administration/groups/${group.id}`);
    await fill({ Description: 'Typed here' });
    await bodyOf(test.api.patch(path, { name: 'Theirs' }));
    await press('Save');
    const conflict = page().getByRole('alert').filter({ hasText: 'Someone else has changed this' });
    await conflict.getByText('Name: “Theirs”').waitFor();
    await expect(page().getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Theirs');
    expect(await bodyOf(test.api.get(path))).toMatchObject({ name: 'Theirs', description: 'First' });
    await press('Save');
    await page().getByText('Saved.', { exact: true }).waitFor();
    expect(await bodyOf(test.api.get(path))).toMatchObject({ name: 'Theirs', description: 'Typed here' });
    await bodyOf(test.api.delete(path), 204);
  });

  it('creates, shows once and revokes tokens of a service account, and ends the sessions of a person', async () => {
    const account = await bodyOf(
      test.api.post<{ id: number }>('/users/', {
        email: 'ci@example.com',
        first_name: 'CI',
        last_name: 'Pipeline',
        is_service_account: true,
      }),
      201,
    );
    await open(`/administration/users/${account.id}`);
    await page().getByRole('tab', { name: 'Tokens' }).click();
    await press('New token');
    await press('Create');
    await page().getByText('Fill this in.').first().waitFor();
    await fill({ Name: 'Build' });
    await choose('Scopes', 'projects:read');
    await press('Create');
    const secret = await page().getByRole('textbox', { name: 'Token', exact: true }).inputValue();
    expect((await test.api.as(secret).get('/projects/')).status).toBe(200);
    expect((await test.api.as(secret).get('/users/')).status).toBe(403);
    await press('Revoke');
    await confirm('Revoke');
    await page().getByText('There is no token.').waitFor();
    expect((await test.api.as(secret).get('/projects/')).status).toBe(401);
  });

  it('connects an identity provider, whose secret is not shown again, and maps its groups', async () => {
    await open('/administration/identity-providers/new');
    await fill({ Name: 'Example Ltd.', Issuer: 'https://login.example.com/', 'Client ID': 'merlon' });
    await page().getByRole('textbox', { name: 'Client secret' }).fill('a secret of the client');
    await press('Create');
    await page().waitForURL(/\/identity-providers\/\d+$/);
    await expect(page().getByRole('textbox', { name: 'Client secret' })).toHaveValue('');
    await expect(page().getByRole('link', { name: 'Test the sign-in' })).toHaveAttribute(
      'href',
      /^\/auth\/oidc\/\d+\/start\?return_to=%2Fadministration%2F/,
    );
    await page().getByRole('tab', { name: 'Mapping rules' }).click();
    await fill({ 'Group at the provider': 'appsec' });
    await choose('Gives', 'Role: Project Lead');
    await press('Add the rule');
    await page().getByText('appsec → Role:').waitFor();
    const path = new URL(page().url()).pathname.replace('/administration', '');
    expect(await bodyOf(test.api.get(`${path}/`))).toMatchObject({
      group_mappings: [{ group: 'appsec', role: expect.stringMatching(/^UR\d+$/) }],
    });
    await press('Remove the rule for appsec');
    await page().getByText('There is no mapping rule.').waitFor();
  });

  it('creates webhooks, shows their deliveries and sends them again', async () => {
    await open('/administration/webhooks/new');
    await fill({ Name: 'Channel', Address: 'https://hooks.slack.com/services/T0/B0/x' });
    await press('Create');
    await page().waitForURL(/\/webhooks\/\d+$/);
    await page().getByRole('switch', { name: 'A project was created' }).click();
    await page().getByRole('switch', { name: 'A project was created', checked: true }).waitFor();
    await makeProject(test);
    await page().getByRole('tab', { name: 'Deliveries' }).click();
    const delivery = page().getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first();
    await delivery.getByText('Waiting').waitFor();
    const answered = page().waitForResponse((response) => response.url().endsWith('/redeliver/'));
    await delivery.getByRole('button', { name: 'Send again' }).click();
    expect((await answered).status()).toBe(202);
  });

  it('starts, stops and retries exports, and downloads their files', async () => {
    await open('/administration/exports/new');
    await press('Create');
    await page().waitForURL(/\/exports\/\d+$/);
    await press('Stop');
    await press('Retry');
    await page().getByRole('button', { name: 'Stop' }).waitFor();
    const { id } = await makeFinishedExport(test);
    await page().goto(`${test.origin}/administration/exports/${id}`);
    const [download] = await Promise.all([
      page().waitForEvent('download'),
      page().getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
  });

  it('uploads a file, shows what an import would change, and applies it', async () => {
    await open('/administration/imports/new');
    await press('Upload');
    await page().getByText('Fill this in.').waitFor();
    const rows = Buffer.from(JSON.stringify({ model: 'standard', rows: [] }));
    const file = { name: 'standard.json', mimeType: 'application/json', buffer: rows };
    await page().locator('input[type=file]').setInputFiles(file);
    await choose('Content of a single file', 'Countermeasures');
    await press('Upload');
    await page().waitForURL(/\/imports\/\d+$/);
    await page().getByRole('region').getByText('Waiting').waitFor();
    const { id } = await makeReadyImport(test);
    await page().goto(`${test.origin}/administration/imports/${id}`);
    await page().getByRole('heading', { name: 'What it changes' }).waitFor();
    await press('Apply the changes');
    await page().getByRole('region').getByText('Applying').waitFor();
  });

  it('turns features on and off, and requires scopes and an expiry of tokens', async () => {
    await open('/administration/flags');
    await page().getByRole('switch', { name: 'DECISION_ENGINE' }).click();
    await page().getByRole('switch', { name: 'DECISION_ENGINE', checked: true }).waitFor();
    const { results } = await bodyOf(test.api.get<{ results: Named[] }>('/flags/'));
    expect(results.map(({ name }) => name)).toContain('DECISION_ENGINE');
    await page().getByRole('link', { name: 'Token policy' }).click();
    await page().getByRole('textbox', { name: 'Longest life in days' }).or(page().getByRole('spinbutton')).fill('0');
    await press('Save');
    await page().locator('[aria-invalid=true]:focus').fill('90');
    await press('Save');
    await page().getByText('Saved.', { exact: true }).waitFor();
    expect(await bodyOf(test.api.get('/token-policy/'))).toMatchObject({ max_days: 90 });
    await bodyOf(test.api.patch('/token-policy/', { max_days: null }));
  });

  it('shows what happened, by user and text, with names as text', async () => {
    await makeProject(test, { fields: { name: '<b>*Bold*</b> [x](/y)' } });
    await open('/administration/activity');
    await page().getByRole('searchbox').fill('Bold');
    const list = page().getByRole('list', { name: 'Activity' });
    await list.getByText('<b>*Bold*</b> [x](/y)').first().waitFor();
    await page().waitForURL(/q=Bold/);
    await page().getByLabel('To', { exact: true }).fill('2001-01-01');
    await page().getByText('Nothing happened that matches the filters').waitFor();
  });

  it('is shown only to those who may use it, and only the parts that they may use', async () => {
    const { id } = await test.newUser();
    await open('/administration/users', id);
    await page().getByText('There is nothing here that you may manage').waitFor();
    const navigation = page().getByRole('navigation', { name: 'Navigation' });
    await navigation.getByRole('link', { name: 'Reports' }).waitFor();
    await expect(navigation.getByRole('link', { name: 'Administration' })).toHaveCount(0);
    const role = await bodyOf(
      test.api.post<Named>('/global-roles/', { name: 'Exporter', permissions: ['customize_content'] }),
      201,
    );
    const exporter = await test.newUser({ role: String(role.id) });
    await open('/administration', exporter.id);
    await page().waitForURL(/\/administration\/exports$/);
    const pages = page().getByRole('navigation', { name: 'Pages of the administration' }).getByRole('link');
    await expect(pages).toHaveText(['Exports', 'Imports']);
  });

  it('is accessible and fits, light and dark, from 360 pixels', async () => {
    const sections = ['groups/new', 'roles', 'roles/UR1', 'identity-providers/new', 'token-policy', 'flags'];
    const others = ['webhooks/new', 'exports/new', 'imports/new', 'activity'];
    const user = `users/${test.organization.admin.id}`;
    const paths = ['users', user, 'users/new', ...sections, ...others].map((name) => `/administration/${name}`);
    expect(await faultsOfPages(consoleTest, paths)).toEqual([]);
  }, 180_000);
});
