import type { Page } from '@playwright/test';
import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { bodyOf, rowsOf } from '../support/client.js';
import { makeConnector } from '../support/connectors.js';
import { accessibilityErrors, useConsole } from '../support/console.js';
import { makeEmptyProject } from '../support/project-content.js';
import { startFakeJira } from '../support/trackers/fake-jira.js';
import type { TestProject } from '../support/projects.js';

if (!hasBrowser) process.stderr.write(`The console is not tried in a browser: ${NO_BROWSER}.\n`);

(hasBrowser ? describe : describe.skip)('Connections of a project in the console', () => {
  const the = useConsole({ CONNECTION_ALLOW_PRIVATE: 'true' });
  let jira: Awaited<ReturnType<typeof startFakeJira>>;
  let project: TestProject;
  let page: Page;

  beforeAll(async () => {
    jira = await startFakeJira(true);
  });
  afterAll(async () => {
    await jira.stop();
    expect(jira.faults).toEqual([]);
  });
  beforeEach(async () => {
    project = await makeEmptyProject(the.test);
    page = the.page();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const pathOf = (kind: string): string => `/projects/${project.id}/${kind}-connections/`;
  const connection = async (kind: string): Promise<{ readonly id: number }> => {
    const [only] = await rowsOf(the.test.api.get<{ results: { id: number }[] }>(pathOf(kind)));
    if (!only) throw new Error('Nothing is connected.');
    return only;
  };
  const choose = async (label: string, option: string): Promise<void> => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  /** Saves a form of which someone else has changed another field meanwhile: it says what, and keeps what was typed. */
  const saveAfter = async (kind: string, changes: object, difference: string): Promise<void> => {
    const { id } = await connection(kind);
    await page.context().setOffline(true); // no events: the change is noticed when the form is saved
    await bodyOf(the.test.api.patch(`${pathOf(kind)}${id}/`, changes));
    await page.context().setOffline(false);
    await button('Save').click();
    await page.getByRole('alert').getByText(difference).waitFor();
    await button('Save').click();
    await button('Save').waitFor({ state: 'detached' });
  };

  it('to an issue tracker ask for what the tracker requires, and can be changed', async () => {
    const params = { ...jira.access };
    await makeConnector(the.test.api, '/connectors/issue-tracker/', { system: { id: 'jira' }, params });
    await the.open(`/projects/${project.id}/issues`);
    await button('Connect a tracker').click();
    await page.getByLabel('Project in the tracker').fill('SHOP');
    await page.getByLabel('Type of issues').fill('Bug');
    await page.getByRole('combobox', { name: 'Labels of new issues' }).pressSequentially('security,');
    await button('Add a row: Priorities in the tracker').click();
    await choose('Priority 1', '10');
    await page.getByLabel('Priority in the tracker: 10').fill('Urgent');
    await button('Add a row: Other fields of new issues').click();
    await button('Connect').click();
    await page.getByText('Fill in both sides of each row, or remove the row.').waitFor();
    await button('Remove a row: Other fields of new issues').click();
    await button('Connect').click();

    const required = page.getByLabel('Value: customfield_10050');
    await expect(required).toHaveAccessibleDescription('"Team" is required. Allowed: Red, Blue.');
    await expect(required).toBeFocused();
    const priority = page.getByLabel('Priority in the tracker: 10');
    await expect(priority).toHaveAccessibleDescription('The project has no "Urgent". Allowed: Highest, Low.');
    expect(await accessibilityErrors(page)).toEqual([]);
    await required.fill('Red');
    await priority.fill('Highest');
    await page.getByLabel('Status in the tracker: Complete').fill('Done');
    await button('Connect').click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await connection('issue-tracker')).toMatchObject({
      issue_type: 'Bug',
      labels: ['security'],
      fields: { customfield_10050: 'Red' },
      priority_map: { '10': 'Highest' },
      status_to_tracker: { TS1: 'Done' },
      tracker_to_status: { Done: 'TS1' },
    });

    await button('Edit the connection: SHOP').click();
    await page.getByLabel('Value: customfield_10050').fill('Green');
    await button('Add a row: What statuses of the tracker mean').click();
    await page.getByLabel('Status in the tracker 2').fill('To Do');
    await choose('Status of the countermeasure: To Do', 'Incomplete');
    await page.getByRole('switch', { name: 'Close issues whose countermeasure is no longer in scope' }).check();
    expect(await accessibilityErrors(page)).toEqual([]);
    await button('Save').click();
    await expect(page.getByLabel('Value: customfield_10050')).toHaveAccessibleDescription(
      '"Green" is not allowed. Allowed: Red, Blue.',
    );
    await page.getByLabel('Value: customfield_10050').fill('Blue');
    await saveAfter('issue-tracker', { min_priority: 7 }, 'Lowest priority: “7”');
    expect(await connection('issue-tracker')).toMatchObject({
      min_priority: 7,
      fields: { customfield_10050: 'Blue' },
      tracker_to_status: { Done: 'TS1', 'To Do': 'TS2' },
      close_out_of_scope: true,
    });
  });

  it('to SonarQube are created, changed and removed by forms', async () => {
    await the.open(`/projects/${project.id}/verification`);
    await button('Connect SonarQube').click();
    await page.getByText('An administrator must add a connector to SonarQube first, by the API.').waitFor();
    await makeConnector(the.test.api, '/connectors/analysis/', { name: 'Sonar of ours' });
    await page.reload();
    await button('Connect SonarQube').click();
    await page.getByLabel('Project in SonarQube').fill('acme:shop');
    await page.getByRole('switch', { name: /A changed result completes/ }).check();
    expect(await accessibilityErrors(page)).toEqual([]);
    await button('Connect').click();
    await page.getByText('SonarQube: acme:shop', { exact: true }).waitFor();
    expect(await connection('verification')).toMatchObject({ frequency: 'daily', update_status: true });

    await button('Edit the connection: acme:shop').click();
    await page.getByLabel('Branch').fill('release');
    await choose('Earlier results', 'All of them stay, and the worst counts');
    await saveAfter('verification', { frequency: 'weekly' }, 'Runs: “Runs every week”');
    expect(await connection('verification')).toMatchObject({
      branch: 'release',
      merge: 'combine',
      frequency: 'weekly',
    });
    await button('Disconnect').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No tool verifies this project on a schedule.').waitFor();
  });
});
