import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { bodyOf } from '../support/client.js';
import { accessibilityErrors, useConsole } from '../support/console.js';
import { makeCountermeasure } from '../support/factories.js';
import { addCountermeasures, makeEmptyProject } from '../support/project-content.js';
import { makeProject, type TestProject } from '../support/projects.js';

if (!hasBrowser) process.stderr.write(`CSV files of the console are not tried in a browser: ${NO_BROWSER}.\n`);

const HOSTILE = ['=1+1', '+1', '-1', '@SUM(A1)', '<img src=x onerror=alert(1)>, "quoted"'];

/** A list, the name of its button, and the column that its rows show. */
const LISTS = [
  ['/library/tasks?q=password', 'Countermeasures', 'title'],
  ['/library/problems?q=injection', 'Weaknesses', 'title'],
  ['/library/threats', 'Threats', 'title'],
  ['/administration/users', 'Users', 'email'],
  ['/administration/groups?q=CSV', 'Groups', 'name'],
  ['/administration/roles', 'Roles', 'name'],
  ['/administration/webhooks', 'Webhooks', 'name'],
] as const;

(hasBrowser ? describe : describe.skip)('A list of the console as a CSV file', () => {
  const the = useConsole();
  let project: TestProject;

  beforeAll(async () => {
    const { api } = the.test;
    project = await makeEmptyProject(the.test);
    const made = await Promise.all(HOSTILE.map((title) => makeCountermeasure(api, { title, priority: 3 })));
    await addCountermeasures(the.test, project, ['T1', 'T2', 'T5', 'T7', ...made.map(({ id }) => id)]);
    await bodyOf(
      api.patch(`/projects/${project.id}/tasks/T2/`, {
        status: 'TS1',
        assigned_to: [the.test.organization.admin.email],
      }),
    );
    await bodyOf(api.post('/groups/', { name: 'CSV readers' }), 201);
    await bodyOf(api.post('/groups/', { name: 'CSV writers' }), 201);
    await bodyOf(api.post('/flags/', { name: 'Webhooks' }), 201);
    const url = 'https://hooks.slack.com/services/T0/B0/x';
    await bodyOf(api.post('/webhooks/', { name: '=HYPERLINK("x")', url }), 201);
  });

  const fileOf = async (name: string): Promise<Record<string, string>[]> => {
    const page = the.page();
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download as CSV: ${name}` }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe(`${name}.csv`);
    return parse(await readFile(await download.path(), 'utf8'), { columns: true });
  };

  const rows = () => the.page().getByRole('main').locator('li[aria-posinset]');
  const valuesOf = (file: readonly Record<string, string>[], column: string): (string | undefined)[] =>
    file.map((row) => row[column]);

  it('has the rows of the page, with its filters, search and order, and the words for what it refers to', async () => {
    await the.open(`/projects/${project.id}?status=TS2&order=title`);
    await expect(rows()).toHaveCount(8);
    const shown = await rows().locator('.row-title').allTextContents();
    const file = await fileOf('Countermeasures');
    expect(valuesOf(file, 'title').map((title) => title?.replace(/^'/, ''))).toEqual(shown);
    expect(new Set(valuesOf(file, 'status.name'))).toEqual(new Set(['Incomplete']));
    expect(file[0]).toMatchObject({ task_id: expect.any(String), 'phase.name': expect.any(String), priority: '3' });
    for (const column of ['text', 'url', 'artifact_proxy', 'phase.description'])
      expect(file[0]).not.toHaveProperty([column]);
    await the.page().getByRole('searchbox').fill('no such countermeasure');
    await expect(rows()).toHaveCount(0);
    expect(await fileOf('Countermeasures')).toEqual([]);
    expect(await accessibilityErrors(the.page())).toEqual([]);
  });

  it('has texts that no spreadsheet runs', async () => {
    await the.open(`/projects/${project.id}?order=title`);
    await expect(rows()).toHaveCount(9);
    const titles = valuesOf(await fileOf('Countermeasures'), 'title');
    for (const title of HOSTILE) expect(titles).toContain(/^[=+\-@]/.test(title) ? `'${title}` : title);
    await the.open('/administration/webhooks');
    expect(valuesOf(await fileOf('Webhooks'), 'name')).toEqual([`'=HYPERLINK("x")`]);
  });

  it('has the progress of projects, and the projects of the own work', async () => {
    await the.open(`/projects?q=${project.name.replace(' ', '+')}`);
    await expect(rows()).toHaveCount(1);
    expect(await fileOf('Projects')).toMatchObject([
      { name: project.name, 'task_counts.total': '9', 'task_counts.complete': '1' },
    ]);
    await the.open('/my-work');
    await expect(rows()).toHaveCount(1);
    expect(await fileOf('My work')).toMatchObject([
      { task_id: 'T2', 'status.name': 'Complete', 'project.name': project.name },
    ]);
  });

  it.each(LISTS)('has all rows of %s', async (path, name, column) => {
    await the.open(path);
    await rows().first().waitFor();
    const count = Number((await the.page().locator('h1 + [role=status]').textContent())?.replaceAll(/\D/g, ''));
    const file = await fileOf(name);
    expect(file).toHaveLength(count);
    const first = valuesOf(file, column)[0]?.replace(/^'/, '') ?? '';
    await expect(rows().first()).toContainText(first);
  });

  it('has the weaknesses and activities of a project', async () => {
    const full = await makeProject(the.test);
    await the.open(`/projects/${full.id}/weaknesses`);
    await rows().first().waitFor();
    const shown = await rows().locator('.row-title').allTextContents();
    const titles = valuesOf(await fileOf('Weaknesses'), 'title');
    // A long list is in the page as far as it is visible.
    expect(titles.slice(0, shown.length)).toEqual(shown);
    await the.open(`/projects/${full.id}/activity`);
    const entries = the.page().getByRole('list', { name: 'Activity' }).getByRole('listitem');
    await entries.first().waitFor();
    expect(await fileOf('Activity')).toHaveLength(await entries.count());
  });

  it('is there for a list without rows', async () => {
    await the.open(`/projects/${project.id}/threats`);
    expect(await fileOf('Threats')).toEqual([]);
  });

  it('has the updates of a project', async () => {
    // Its countermeasures no longer follow from its survey.
    await the.test.database.query('UPDATE project_countermeasure SET relevant = false WHERE project_id = $1', [
      project.id,
    ]);
    await the.open(`/projects/${project.id}/updates`);
    const updates = the.page().getByRole('list', { name: 'Countermeasures' }).getByRole('listitem');
    await expect(updates).toHaveCount(9);
    expect(await fileOf('Countermeasures')).toHaveLength(9);
  });

  it('has all activities of the filters, not only those that are loaded', async () => {
    const { id, admin } = the.test.organization;
    await the.test.database.query(
      `INSERT INTO activity (organization_id, name, actor_id, text, data, icon, log_level)
        SELECT $1, 'Many', $2, 'Counted ' || n, '{}', 'x', 'user' FROM generate_series(1, 250) n`,
      [id, admin.id],
    );
    await the.open(`/administration/activity?q=Counted&actor=${admin.id}`);
    await the.page().getByRole('button', { name: 'Show more' }).waitFor();
    const texts = valuesOf(await fileOf('Activity'), 'text');
    expect(texts).toHaveLength(250);
    expect(texts).toContain('Counted 1');
  });

  it('says why it could not be saved', async () => {
    await the.open('/library/threats');
    await rows().first().waitFor();
    await the
      .page()
      .route('**/api/v2/library/threats/**', (route) =>
        route.fulfill({ status: 503, contentType: 'application/json', body: '{"detail":"Too many lists at once."}' }),
      );
    await the.page().getByRole('button', { name: 'Download as CSV: Threats' }).click();
    await the.page().getByText('Too many lists at once.').waitFor();
  });
});
