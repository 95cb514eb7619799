import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { bodyOf } from '../support/client.js';
import { faultsOfPages, useConsole } from '../support/console.js';
import { makeConnector } from '../support/connectors.js';
import { addCountermeasures, makeEmptyProject } from '../support/project-content.js';
import type { TestProject } from '../support/projects.js';
import type { Project } from '../support/resources.js';

if (!hasBrowser) process.stderr.write(`The console is not tried in a browser: ${NO_BROWSER}.\n`);

const TASKS = ['T1', 'T2', 'T5', 'T7', 'T28'];
const SECTIONS = [
  'overview',
  'weaknesses',
  'threats',
  'updates',
  'verification',
  'issues',
  'activity',
  'members',
  'settings',
];
const HOSTILE = '<img src=x onerror=alert(1)>';

(hasBrowser ? describe : describe.skip)('The pages of a project in the console', () => {
  const the = useConsole();
  let project: TestProject;

  beforeEach(async () => {
    project = await makeEmptyProject(the.test, { fields: { name: `Ledger ${HOSTILE}` } });
    await addCountermeasures(the.test, project, TASKS);
  });

  const openSection = (section: string): Promise<void> => the.open(`/projects/${project.id}/${section}`);
  const saved = () => bodyOf(the.test.api.get<Project>(`/projects/${project.id}/`));
  const region = (name: string) => the.page().getByRole('region', { name });
  const choose = async (field: string, option: string): Promise<void> => {
    await the.page().getByRole('combobox', { name: field }).click();
    await the.page().getByRole('option', { name: option }).click();
  };

  it('begin with what a release still needs, in sentences with links, and with the progress', async () => {
    await bodyOf(the.test.api.patch(`/projects/${project.id}/tasks/T1/`, { status: 'TS1' }));
    await openSection('overview');
    const gate = region('Release gate');
    await gate.getByText('Not ready for a release').waitFor();
    await gate.getByRole('link', { name: 'Continue the survey' }).waitFor();
    await the.page().getByRole('list', { name: 'By phase' }).getByText('1 /').first().waitFor();
    const report = await the.page().getByRole('link', { name: 'Report', exact: true }).getAttribute('href');
    expect(report).toBe(`/api/v2/projects/${project.id}/report/`);
    const missing = gate.getByRole('listitem').getByRole('link').nth(1);
    const title = (await missing.textContent()) ?? '';
    await missing.click();
    await the.page().getByRole('region', { name: title }).waitFor();
  });

  it('decide on changes of the library: each says what it does, and is accepted by a button', async () => {
    await the.test.database.query(
      `UPDATE project_countermeasure SET accepted = false WHERE project_id = $1 AND countermeasure_id =
        (SELECT id FROM countermeasure WHERE item_id = 'T5' LIMIT 1)`,
      [project.id],
    );
    await the.open('/');
    await region('Changes of the library to decide on').getByRole('link').first().press('Enter');
    await the.page().getByText('It applies, but is not part of the project.').waitFor();
    await the
      .page()
      .getByRole('button', { name: /^Add it/ })
      .click();
    await the.page().getByText('The project is up to date with the library').waitFor();
    const { accepted } = await bodyOf(the.test.api.get<{ accepted: boolean }>(`/projects/${project.id}/tasks/T5/`));
    expect(accepted).toBe(true);
  });

  it('add, change and remove members, and never undo what someone else has changed', async () => {
    await the.page().route('**/api/v2/events/', (route) => route.abort());
    const member = await the.test.newUser({ firstName: 'Hedy', lastName: 'Lamarr' });
    await openSection('members');
    await the.page().getByRole('combobox', { name: 'User or group' }).fill(member.email);
    // By name: until the search has ended, the list has others too.
    await the.page().getByRole('option', { name: 'Hedy Lamarr' }).click();
    await choose('Role', 'Developer');
    await the.page().getByRole('button', { name: 'Add', exact: true }).click();
    const role = the.page().getByRole('combobox', { name: 'Role of Hedy Lamarr' });
    await role.waitFor();
    const added = (await saved()).users.find(({ email }) => email === member.email);
    expect(added).toBeDefined();
    // Someone else changes the project, which the page does not know.
    await bodyOf(the.test.api.patch(`/projects/${project.id}/`, { description: 'Changed meanwhile' }));
    const remove = the.page().getByRole('listitem').filter({ hasText: member.email }).getByRole('button');
    const removeMember = async (): Promise<void> => {
      await remove.click();
      await the.page().getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    };
    await removeMember();
    await the.page().getByText('Someone else has changed the members meanwhile').waitFor();
    expect((await saved()).users.map(({ email }) => email)).toContain(member.email);
    await removeMember();
    await role.waitFor({ state: 'detached' });
    expect((await saved()).users.map(({ email }) => email)).not.toContain(member.email);
  });

  it('change the settings, show what someone else has saved meanwhile, and archive and reopen the project', async () => {
    await openSection('settings');
    await the.page().getByLabel('Name').fill('Ledger 2');
    await bodyOf(the.test.api.patch(`/projects/${project.id}/`, { description: 'Theirs' }));
    await the.page().getByRole('button', { name: 'Save' }).click();
    await the.page().getByRole('alert').getByText('Description: “Theirs”').waitFor();
    await the.page().getByRole('button', { name: 'Save' }).click();
    await the.page().getByRole('heading', { level: 1, name: 'Ledger 2' }).waitFor();
    expect(await saved()).toMatchObject({ name: 'Ledger 2', description: 'Theirs' });
    await the.page().getByRole('button', { name: 'Archive the project' }).click();
    await the.page().getByRole('dialog').getByRole('button', { name: 'Archive the project' }).click();
    await the.page().getByRole('button', { name: 'Reopen the project' }).click();
    await the.page().getByLabel('Name').waitFor();
    expect((await saved()).archived).toBe(false);
  });

  it('say which verification tools are connected, why a run failed, and what a scan report has verified', async () => {
    const { id: connector } = await makeConnector(the.test.api, '/connectors/analysis/');
    const body = { connector, project_key: `acme:${HOSTILE}`, branch: 'release', frequency: 'daily' };
    await bodyOf(the.test.api.post(`/projects/${project.id}/verification-connections/`, body), 201);
    await openSection('verification');
    const connection = region('Connected tools').getByRole('listitem');
    await connection.getByText(`SonarQube: acme:${HOSTILE}, branch release`).waitFor();
    await connection.getByText('Has not run yet').waitFor();
    await the.test.database.query(
      `UPDATE verification_connection SET finished_at = now(), error = 'SonarQube has no such branch.'
        WHERE project_id = $1`,
      [project.id],
    );
    await connection.getByRole('button', { name: /^Run now/ }).click();
    await connection.getByText('changed nothing: SonarQube has no such branch.').waitFor();
    await the.page().getByRole('button', { name: 'Upload', exact: true }).click();
    await the.page().getByText('Fill this in.').first().waitFor();
    const report = '<testsuite name="s"><testcase name="T1 works"/><testcase name="another"/></testsuite>';
    const file = { name: 'report.xml', mimeType: 'text/xml', buffer: Buffer.from(report) };
    await the.page().locator('input[type=file]').setInputFiles(file);
    await the.page().getByRole('textbox', { name: 'Tool' }).fill('junit');
    await the.page().getByRole('button', { name: 'Upload', exact: true }).click();
    await the.page().getByText('It verifies 1 countermeasure: none of them fails.').waitFor();
    const { verification_status: status } = await bodyOf(
      the.test.api.get<{ verification_status: string }>(`/projects/${project.id}/tasks/T1/`),
    );
    expect(status).toBe('pass');
  });

  it('keep what is typed when the page is loaded again, until it is saved or discarded, and say what others changed', async () => {
    const name = the.page().getByLabel('Name');
    const restored = the.page().getByText('Draft restored');
    await openSection('settings');
    await name.fill('Mine');
    await the.page().reload();
    await restored.waitFor();
    await expect(name).toHaveValue('Mine');
    await the.page().route('**/api/v2/events/', (route) => route.abort());
    await bodyOf(the.test.api.patch(`/projects/${project.id}/`, { name: 'Theirs' }));
    await the.page().reload();
    await the.page().getByRole('alert').getByText('Name: “Theirs”').waitFor();
    await expect(name).toHaveValue('Mine');
    await the.page().getByRole('button', { name: 'Discard the draft' }).click();
    await expect(name).toHaveValue('Theirs');
    await the.page().reload();
    await name.waitFor();
    await expect(name).toHaveValue('Theirs');
    await expect(restored).toHaveCount(0);
  });

  it('load with at most three requests each, are accessible and fit, light and dark, from 360 pixels', async () => {
    const requests = new Map<string, Set<string>>();
    the.page().on('request', (request) => {
      const { pathname } = new URL(request.url());
      const shown = new URL(the.page().url()).pathname;
      // A browser reads the preferences of colors once, and a tab opens one stream of events.
      if (/\/api\/v2\/(?!users\/me\/preferences|events)/.test(pathname))
        requests.set(shown, (requests.get(shown) ?? new Set()).add(pathname));
    });
    const paths = SECTIONS.map((section) => `/projects/${project.id}/${section}`);
    expect(await faultsOfPages(the, paths)).toEqual([]);
    const busiest = Math.max(...paths.map((path) => requests.get(path)?.size ?? 0));
    expect(busiest).toBeGreaterThan(0);
    expect(busiest).toBeLessThanOrEqual(3);
  }, 180_000);
});
