import type { Request } from '@playwright/test';

import { bodyOf } from '../support/client.js';
import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { faultsOfPages, useConsole } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { addCountermeasures, makeEmptyProject } from '../support/project-content.js';
import { addMember, makeProject, type TestProject } from '../support/projects.js';

if (!hasBrowser) process.stderr.write(`The console is not tried in a browser: ${NO_BROWSER}.\n`);

const TASKS = ['T1', 'T2', 'T5', 'T7', 'T28'];

(hasBrowser ? describe : describe.skip)('The work of a project in the console', () => {
  // A stream of events ends, and is continued, several times in a test.
  const the = useConsole({ EVENT_STREAM_SECONDS: '2' });
  let project: TestProject;

  beforeEach(async () => {
    project = await makeEmptyProject(the.test, { fields: { name: 'Web shop <b>2.0</b>' } });
    await addCountermeasures(the.test, project, TASKS);
  });

  const row = (task: string) =>
    the
      .page()
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`${task}(?!\\d)`) });
  const bar = () => the.page().getByRole('form', { name: 'Change the selected countermeasures' });
  const statusOf = async (task: string): Promise<string> =>
    (await bodyOf(the.test.api.get<{ status: string }>(`/projects/${project.id}/tasks/${task}/`))).status;

  it('starts with what is assigned to the user, their projects and what has happened', async () => {
    const member = await the.test.newUser();
    await addMember(the.test, project, member, 'PR2');
    for (const task of ['T1', 'T2'])
      await bodyOf(the.test.api.patch(`/projects/${project.id}/tasks/${task}/`, { assigned_to: [member.email] }));
    await the.open('/', member.id);
    const page = the.page();
    await page.getByRole('region', { name: 'My work' }).getByText('2 open').waitFor();
    await page.getByRole('region', { name: 'Projects' }).getByText('0 / 5').waitFor();
    await page.getByRole('list', { name: 'Latest activities' }).getByRole('listitem').first().waitFor();
    await page.getByRole('region', { name: 'My work' }).getByRole('link', { name: 'Web shop <b>2.0</b>' }).click();
    await row('T28').waitFor();
    await page.getByRole('link', { name: 'My work' }).click();
    await expect(page.getByRole('listitem').getByText('Web shop <b>2.0</b>')).toHaveCount(2);
  });

  it('follows what others change, in one stream per tab that continues when it was cut, and keeps what is typed', async () => {
    const page = the.page();
    const streams = { open: 0, most: 0, continued: 0 };
    const isStream = (request: Request): boolean => request.url().endsWith('/api/v2/events/');
    const onEnd = (request: Request): void => void (isStream(request) && (streams.open -= 1));
    page.on('request', (request) => {
      if (!isStream(request)) return;
      streams.open += 1;
      streams.most = Math.max(streams.most, streams.open);
      void request.allHeaders().then((headers) => (streams.continued += 'last-event-id' in headers ? 1 : 0));
    });
    page.on('requestfinished', onEnd);
    page.on('requestfailed', onEnd);
    const change = (task: string, body: object) =>
      bodyOf(the.test.api.patch(`/projects/${project.id}/tasks/${task}/`, body));

    await the.open(`/projects/${project.id}`);
    await row('T5').getByText('Incomplete').waitFor();
    await page.evaluate('window.isSamePage = true');
    await change('T5', { status: 'TS1' });
    await row('T5').getByText('Complete', { exact: true }).waitFor();

    await row('T2').getByRole('link').click();
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByLabel('New note').fill('Half of a thought');
    const notes = `/projects/${project.id}/tasks/T2/notes/`;
    await bodyOf(the.test.api.post(notes, { text: 'Theirs' }), 201);
    await page.getByRole('article').getByText('Theirs').waitFor();
    await expect(page.getByLabel('New note')).toHaveValue('Half of a thought');

    await eventually(() => streams.continued > 0);
    await the.context().setOffline(true);
    await page.getByText('You are offline').waitFor();
    await change('T7', { status: 'TS3' });
    await the.context().setOffline(false);
    await row('T7').getByText('Not applicable').waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    expect(streams.most).toBe(1);
  });

  it('changes several countermeasures at once: x and Shift select, and the list shows the result', async () => {
    const member = await the.test.newUser();
    await addMember(the.test, project, member, 'PR2');
    await the.open(`/projects/${project.id}?order=title`);
    const page = the.page();
    const links = page.getByRole('listitem').getByRole('link');
    await links.first().focus();
    await page.keyboard.press('x');
    await bar().getByText('1 selected').waitFor();
    await page
      .getByRole('checkbox')
      .nth(2)
      .click({ modifiers: ['Shift'] });
    await bar().getByText('3 selected').waitFor();
    await bar().getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Complete', exact: true }).click();
    await bar().getByRole('combobox', { name: 'Assigned to' }).click();
    await page.getByRole('option', { name: 'Grace User' }).click();
    await bar().getByRole('combobox', { name: 'Tags instead' }).fill('Release 2.1');
    await page.keyboard.press('Enter');
    await bar().getByLabel('Note for each').fill('Done with release 2.1.');
    await bar().getByRole('button', { name: 'Change 3' }).click();
    await page.getByText('3 changed.').waitFor();
    await bar().waitFor({ state: 'detached' });
    const tagged = `/projects/${project.id}/tasks/?tag=${encodeURIComponent('Release 2.1')}`;
    expect((await bodyOf(the.test.api.get<{ results: object[] }>(tagged))).results).toHaveLength(3);
    const statuses = await Promise.all(TASKS.map(statusOf));
    expect(statuses.filter((status) => status === 'TS1')).toHaveLength(3);
    await expect(page.getByRole('listitem').getByText('Complete', { exact: true })).toHaveCount(3);
  });

  it('counts what each filter finds, and begins with the most important open countermeasures', async () => {
    await bodyOf(the.test.api.patch(`/projects/${project.id}/tasks/T5/`, { status: 'TS1', tags: ['Sprint 7'] }));
    await the.open(`/projects/${project.id}`);
    const page = the.page();
    await row('T5').waitFor();
    await page.getByRole('combobox', { name: 'Any status' }).click();
    await page.getByRole('option', { name: 'Complete', exact: true }).getByText('1').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByRole('combobox', { name: 'Any tag' }).click();
    await page.getByRole('option', { name: 'Sprint 7' }).click();
    await page.waitForURL(/tag=Sprint/);
    await row('T1').waitFor({ state: 'detached' });
    await page.goto(`${the.test.origin}/projects/${project.id}`);
    await page.getByRole('button', { name: 'First 30' }).click();
    await row('T5').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toContain('view=first');
    await page
      .getByRole('listitem')
      .nth(TASKS.length - 2)
      .waitFor();
  });

  it('shows what happened to a countermeasure and what scanners found, and changes its assignment and tags', async () => {
    const member = await the.test.newUser();
    await addMember(the.test, project, member, 'PR2');
    const notes = `/projects/${project.id}/tasks/T1/analysis-notes/`;
    const findings = [{ desc: '<script>alert(1)</script> in login.ts', count: 3 }];
    await bodyOf(the.test.api.post(notes, { status: 'fail', findings, finding_ref: 'https://scanner.example/1' }), 201);
    await the.open(`/projects/${project.id}/tasks/${project.id}-T1/`);
    const page = the.page();
    await page.getByRole('tab', { name: 'Verification' }).click();
    await page.getByText('<script>alert(1)</script> in login.ts (3)').waitFor();
    await page.getByRole('tab', { name: 'Assignment' }).click();
    const form = page.getByRole('form', { name: 'Assignment' });
    await form.getByRole('combobox', { name: 'Assigned to' }).click();
    await page.getByRole('option', { name: 'Grace User' }).click();
    await form.getByRole('combobox', { name: 'Tags' }).fill('Sprint 8');
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const saved = await bodyOf(the.test.api.get<{ tags: string[] }>(`/projects/${project.id}/tasks/T1/?include=tags`));
    expect(saved.tags).toContain('Sprint 8');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('list', { name: 'History' }).getByRole('listitem').first().waitFor();
  });

  it('keeps what could not be changed selected, and says why', async () => {
    await the.open(`/projects/${project.id}`);
    const page = the.page();
    await row('T5').getByRole('checkbox').click();
    // Another countermeasure that someone has removed in the meantime.
    await page.route('**/tasks/bulk/', (route) => {
      const body = route.request().postDataJSON() as { ids: string[] };
      return route.continue({ postData: JSON.stringify({ ...body, ids: [...body.ids, 'T99999'] }) });
    });
    await bar().getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Not applicable' }).click();
    await bar().getByRole('button', { name: 'Change 1' }).click();
    await bar().getByRole('alert').getByText('"T99999" does not exist').waitFor();
    expect(await statusOf('T5')).toBe('TS3');
    await bar().getByRole('button', { name: 'Clear the selection' }).click();
    await bar().waitFor({ state: 'detached' });
  });

  it('changes neither what a filter hides nor the same countermeasures of another project', async () => {
    const other = await makeEmptyProject(the.test);
    await addCountermeasures(the.test, other, TASKS);
    await the.open(`/projects/${project.id}`);
    const page = the.page();
    await row('T5').getByRole('checkbox').click();
    await row('T28').getByRole('checkbox').click();
    await page.getByRole('searchbox', { name: 'Filter by text' }).fill('T28');
    await bar().getByText('1 selected').waitFor();
    await page.evaluate(`history.pushState({}, '', '/projects/${other.id}')`);
    await page
      .getByRole('listitem')
      .nth(TASKS.length - 1)
      .waitFor();
    await expect(bar()).toHaveCount(0);
  });

  it('saves the filtered list as CSV', async () => {
    await the.open(`/projects/${project.id}?q=T28`);
    await row('T28').waitFor();
    const download = the.page().waitForEvent('download');
    await the.page().getByRole('button', { name: 'Download as CSV: Countermeasures' }).click();
    expect((await download).suggestedFilename()).toBe('Countermeasures.csv');
  });

  it('marks suggested answers of the survey, says who saved it, and changes nothing while the project is locked', async () => {
    const suggesting = await makeProject(the.test, { fields: { profile: 'P1' } });
    await bodyOf(the.test.api.post(`/projects/${suggesting.id}/survey/draft/`, {}));
    await the.open(`/projects/${suggesting.id}/survey`);
    const page = the.page();
    const confirm = page.getByRole('button', { name: /^Confirm the suggested answer/ });
    await page.locator('.suggested').first().waitFor();
    const before = await page.locator('.suggested').count();
    await confirm.first().click();
    await eventually(async () => (await page.locator('.suggested').count()) < before);
    await page.getByRole('button', { name: 'Who saved it when' }).click();
    await page.getByRole('list', { name: 'Who saved it when' }).getByRole('listitem').first().waitFor();
    await page.keyboard.press('Escape');
    await bodyOf(the.test.api.patch(`/projects/${suggesting.id}/`, { locked: true }));
    await page.reload();
    await page.getByText('The project is locked or archived').waitFor();
    await expect(page.getByRole('button', { name: 'Commit' })).toHaveCount(0);
  });

  it('keeps a comment on the survey when the page is loaded again, but not for the next user of the tab', async () => {
    await the.open(`/projects/${project.id}/survey`);
    const page = the.page();
    const comments = page.getByRole('button', { name: /^Comment/ }).first();
    await comments.click();
    await page.getByLabel('New comment').fill('Half of a question');
    await page.reload();
    await page.getByText('Draft restored').waitFor();
    await expect(page.getByLabel('New comment')).toHaveValue('Half of a question');
    const member = await the.test.newUser();
    await addMember(the.test, project, member, 'PR2');
    await the.open(`/projects/${project.id}/survey`, member.id);
    await comments.click();
    await expect(page.getByLabel('New comment')).toHaveValue('');
  });

  it('shows next to the survey what each answer adds and removes', async () => {
    const empty = await makeEmptyProject(the.test);
    await the.open(`/projects/${empty.id}/survey`);
    const page = the.page();
    const preview = page.getByRole('complementary', { name: 'What the draft changes' });
    await preview.getByText('Answer a question').waitFor();
    const answer = page.getByRole('checkbox').first();
    await answer.click();
    await preview.getByRole('heading', { name: 'Countermeasures that will apply' }).waitFor();
    await preview.getByText('Applies because').first().waitFor();
    await page.getByRole('button', { name: 'Commit' }).click();
    await preview.getByText('Answer a question').waitFor();
    await answer.click();
    await preview.getByRole('heading', { name: 'Countermeasures that will no longer apply' }).waitFor();
  });

  it('is accessible and fits, light and dark, from 360 pixels', async () => {
    const pages = ['/', `/projects/${project.id}`, `/projects/${project.id}/survey`];
    expect(await faultsOfPages(the, pages)).toEqual([]);
  }, 120_000);
});
