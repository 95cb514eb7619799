import type { Page } from '@playwright/test';

import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { bodyOf } from '../support/client.js';
import { faultsOfPages, useConsole } from '../support/console.js';
import { makeCountermeasure, makeWeakness } from '../support/factories.js';
import { addCountermeasures, makeEmptyProject } from '../support/project-content.js';
import { makeProject, type TestProject } from '../support/projects.js';
import type { List } from '../support/resources.js';
import { PASSWORD } from '../support/passwords.js';
import { setPasswordOf } from '../support/set-password.js';

if (!hasBrowser) process.stderr.write(`The console is not tried in a browser: ${NO_BROWSER}.\n`);

const TASKS = ['T1', 'T2', 'T5', 'T7', 'T28'];

(hasBrowser ? describe : describe.skip)('The console', () => {
  const the = useConsole();
  const { test, open } = the;
  let page: Page;
  let project: TestProject;

  beforeAll(() => setPasswordOf(test, test.organization.admin.id, PASSWORD));
  beforeEach(async () => {
    project = await makeEmptyProject(test, { fields: { name: '<img src=x onerror=alert(1)>' } });
    await addCountermeasures(test, project, TASKS);
    page = the.page();
  });

  const taskPath = (task: string): string => `/projects/${project.id}/tasks/${project.id}-${task}/`;
  const statusOf = async (task: string): Promise<string> =>
    (await bodyOf(test.api.get<{ status: string }>(`/projects/${project.id}/tasks/${task}/`))).status;
  const form = () => page.getByRole('form', { name: 'Change status' });
  const makeAnsweredProject = async (): Promise<TestProject> => {
    const answered = await makeProject(test);
    await bodyOf(test.api.patch(`/projects/${answered.id}/survey/draft/A5/`, { selected: true }));
    await bodyOf(test.api.post(`/projects/${answered.id}/survey/draft/`));
    return answered;
  };
  const editor = () => page.getByRole('form', { name: /^Edit/ });
  const firstHowTo = async (task: string): Promise<string> => {
    const { results } = await bodyOf(test.api.get<List<{ id: string }>>(`/library/tasks/${task}/implementations/`));
    return results[0]?.id ?? '';
  };
  const choose = (status: string) => form().getByText(status, { exact: true }).click();
  const signIn = async (password: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.keyboard.press('Enter');
  };

  it('shows after the sign-in what the link led to', async () => {
    await page.goto(`${test.origin}${taskPath('T1')}?status=TS2`);
    await page.getByLabel('E-mail address').fill(test.organization.admin.email);
    await signIn('wrong password');
    await page.getByRole('alert').getByText('not correct').waitFor();
    await signIn(PASSWORD);
    await page.getByRole('form', { name: 'Change status' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=TS2');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('<img src=x onerror=alert(1)>');
  });

  it('signs out', async () => {
    await open('/projects');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail address').waitFor();
  });

  it('asks for the password over the page when the session has ended, and keeps what was typed', async () => {
    await open(taskPath('T2'));
    await choose('Complete');
    await page.getByLabel('Reason').fill('Reviewed by hand.');
    await the.context().clearCookies();
    await form().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await signIn(PASSWORD);
    await page.getByText('Status changed to “Complete”.').waitFor();
    expect(await statusOf('T2')).toBe('TS1');
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByText('Reviewed by hand.').waitFor();
  });

  it('keeps a text that was not saved when the page is loaded again', async () => {
    await open(taskPath('T2'));
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByLabel('New note').fill('Half of a thought');
    await page.reload();
    await page.getByText('Draft restored').waitFor();
    await expect(page.getByLabel('New note')).toHaveValue('Half of a thought');
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.getByRole('article').getByText('Half of a thought').waitFor();
    await choose('Complete');
    await page.getByLabel('Reason').fill('Seen in the code');
    await page.reload();
    await form().getByText('Draft restored').waitFor();
    await expect(page.getByLabel('Reason')).toHaveValue('Seen in the code');
    await form().getByRole('button', { name: 'Discard the draft' }).click();
    await page.getByLabel('Reason').waitFor({ state: 'detached' });
    await page.reload();
    await form().waitFor();
    await expect(page.getByText('Draft restored')).toHaveCount(0);
    expect(await statusOf('T2')).toBe('TS2');
  });

  it('shows the difference when someone else has changed the status, and overwrites it only if asked', async () => {
    await open(taskPath('T5'));
    await choose('Complete');
    await bodyOf(test.api.patch(`/projects/${project.id}/tasks/T5/`, { status: 'TS3' }));
    await form().getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('alert').filter({ hasText: 'Someone else has changed' });
    await conflict.getByText('Not applicable').waitFor();
    expect(await statusOf('T5')).toBe('TS3');
    await conflict.getByRole('button', { name: 'Apply my change' }).click();
    await page.getByText('Status changed to “Complete”.').waitFor();
    expect(await statusOf('T5')).toBe('TS1');
  });

  it('undoes a change visibly if the service rejects it', async () => {
    await open(taskPath('T7'));
    await choose('Complete');
    await page.route('**/api/v2/projects/*/tasks/T7/', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, json: { detail: 'The project is locked.' } })
        : route.continue(),
    );
    await form().getByRole('button', { name: 'Save' }).click();
    await page.getByText('The status was not changed').getByText('The project is locked.').waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'T7' });
    await row.getByText('Incomplete').waitFor();
  });

  it('is used with the keyboard: j and k choose, Enter opens, Escape closes and returns to the row', async () => {
    await open(`/projects/${project.id}?order=title`);
    const links = page.getByRole('listitem').getByRole('link');
    await links.first().focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    const second = (await links.nth(1).textContent()) ?? '';
    await page.locator(':focus').filter({ hasText: second }).waitFor();
    await page.keyboard.press('Enter');
    await form().waitFor();
    expect(new URL(page.url()).search).toBe('?order=title');
    await page.keyboard.press('Escape');
    await form().waitFor({ state: 'detached' });
    await page.locator(':focus').filter({ hasText: second }).waitFor();
  });

  it('keeps filters in the address', async () => {
    await open(`/projects/${project.id}`);
    await page.getByRole('searchbox', { name: 'Filter by text' }).fill('T28');
    await page.waitForURL(/q=T28/);
    await page.getByRole('combobox', { name: 'Any status' }).click();
    await page.getByRole('option', { name: 'Complete', exact: true }).click();
    await page.getByRole('link', { name: 'Remove the filters' }).click();
    await page
      .getByRole('listitem')
      .nth(TASKS.length - 1)
      .waitFor();
    await page.goBack();
    await page.getByText('No countermeasure matches the filters').waitFor();
  });

  it('finds and opens items with Ctrl+K', async () => {
    await open('/my-work');
    await page.getByText('Nothing is assigned to you').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('throttle failed sign-ins');
    await page.getByRole('option').filter({ hasText: 'Countermeasure' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/library\/tasks\/T\d+/);
    await page.getByRole('tab', { name: 'Requirement' }).waitFor();
  });

  it('answers the survey, saves it, and says why a countermeasure applies', async () => {
    await open(`/projects/${project.id}/survey`);
    const answer = page.getByRole('checkbox').first();
    await answer.click();
    await page.getByText('The draft differs from the saved survey.').waitFor();
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.getByText('The survey was saved.').waitFor();
    await page.reload();
    await page.getByRole('checkbox').first().waitFor();
    await expect(page.getByRole('checkbox').first()).toBeChecked();
    await page.getByRole('checkbox', { name: 'None of these' }).last().click();
    await page.getByRole('checkbox', { name: 'None of these', checked: true }).waitFor();
    await page.getByRole('link', { name: 'Countermeasures' }).last().click();
    await page.getByRole('listitem').getByRole('link').first().click();
    await page.getByRole('tab', { name: 'Why it applies' }).click();
    await page.getByRole('list', { name: 'Why it applies' }).getByRole('listitem').first().waitFor();
  });

  it('creates a project with a new application, and opens its survey', async () => {
    await open('/projects/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ledger');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Fill this in.').waitFor();
    await page.getByRole('combobox', { name: 'Application' }).click();
    await page.getByRole('option', { name: 'New application' }).click();
    await page.getByLabel('Name of the application').fill('Accounting');
    await page.getByRole('combobox', { name: 'Business unit' }).click();
    await page.getByRole('option', { name: 'New business unit' }).click();
    await page.getByLabel('Name of the business unit').fill('Finance');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/projects\/\d+\/survey/);
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor();
  });

  it('edits a countermeasure of the library: names its projects, previews its Markdown, overwrites nothing of others', async () => {
    const problem = (await makeWeakness(test.api)).id;
    const { id } = await makeCountermeasure(test.api, { title: 'Store hashes', text: 'One\n\nTwo', problem });
    const { name } = await makeAnsweredProject();
    await open(`/library/tasks/${id}`);
    await page.getByRole('link', { name: 'Edit “Store hashes”' }).click();
    await page.getByRole('region', { name: 'Projects' }).getByRole('link', { name }).waitFor();
    await editor().getByRole('textbox', { name: 'Text' }).fill('One\n\n**Three** <img src=x onerror=alert(1)>');
    await editor().getByRole('tab', { name: 'Preview' }).click();
    await editor().getByRole('strong').getByText('Three').waitFor();
    await bodyOf(test.api.patch(`/library/tasks/${id}/`, { text: 'One\n\nTheirs', priority: 3 }));
    await editor().getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('alert').filter({ hasText: 'Someone else has changed' });
    await conflict.getByRole('insertion').getByText('Theirs').waitFor();
    await conflict.getByText('Priority: “3”').waitFor();
    await editor().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await editor().waitFor({ state: 'detached' });
    await page.getByRole('tabpanel').getByText('Three').waitFor();
    expect(await bodyOf(test.api.get(`/library/tasks/${id}/`))).toMatchObject({
      text: 'One\n\n**Three** <img src=x onerror=alert(1)>',
      priority: 3,
    });
  });

  it('edits a how-to of the library, and restores the original', async () => {
    const howTo = await firstHowTo('T1');
    const path = `/library/tasks/T1/implementations/${howTo}/`;
    const { title } = await bodyOf(test.api.get<{ title: string }>(path));
    await open(`/library/tasks/T1/edit/how-tos/${howTo}`);
    await editor().getByLabel('Title').fill('Our way');
    await editor().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('tab', { name: 'How-tos' }).click();
    await page.getByRole('link', { name: 'Edit “Our way”' }).click();
    await page.getByRole('button', { name: 'Restore the original' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore the original' }).click();
    await page.getByRole('tab', { name: 'How-tos' }).click();
    await page.getByRole('link', { name: `Edit “${title}”` }).waitFor();
    expect(await bodyOf(test.api.get(path))).toMatchObject({ title, type: 'Built-in' });
  });

  it('offers editing of the library only to those who may change it', async () => {
    const reader = await test.newUser();
    await open('/library/tasks/T1', reader.id);
    await page.getByRole('tab', { name: 'How-tos' }).click();
    await page.getByRole('tabpanel').getByRole('heading').first().waitFor();
    await expect(page.getByRole('link', { name: /^Edit/ })).toHaveCount(0);
  });

  it('is accessible and fits on every page, light and dark, from 360 pixels', async () => {
    const howTo = await firstHowTo('T1');
    const paths = [
      '/projects',
      `/projects/${project.id}?group=status`,
      taskPath('T1'),
      `/projects/${project.id}/survey`,
      '/projects/new',
      '/my-work',
      '/library/tasks/T1',
      '/library/tasks/T1/edit',
      `/library/tasks/T1/edit/how-tos/${howTo}`,
      '/library/problems',
      '/library/threats',
      '/library/nothing',
    ];
    expect(await faultsOfPages(the, paths)).toEqual([]);
  }, 120_000);
});
