import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { bodyOf, rowsOf } from '../support/client.js';
import { accessibilityErrors, useConsole } from '../support/console.js';
import { makeConnector } from '../support/connectors.js';
import { addCountermeasures, makeEmptyProject } from '../support/project-content.js';
import { addMember, type TestProject } from '../support/projects.js';
import { startFakeGitHub } from '../support/trackers/fake-github.js';
import { startTestWorker, type TestWorker } from '../support/worker.js';

if (!hasBrowser) process.stderr.write(`The console is not tried in a browser: ${NO_BROWSER}.\n`);

const REACHING = { CONNECTION_ALLOW_PRIVATE: 'true', DATA_DIR: path.join(tmpdir(), `merlon-files-${randomUUID()}`) };

(hasBrowser ? describe : describe.skip)('Issue trackers of a project in the console', () => {
  let worker: TestWorker | undefined;
  afterAll(() => worker?.stop());
  const the = useConsole(REACHING);
  let github: Awaited<ReturnType<typeof startFakeGitHub>>;
  let project: TestProject;

  beforeAll(async () => {
    worker = await startTestWorker({ ...REACHING, DATABASE_URL: the.test.database.applicationUrl });
    github = await startFakeGitHub();
  });
  afterAll(() => github.stop());
  beforeEach(async () => {
    project = await makeEmptyProject(the.test, { fields: { name: 'Ledger' } });
    await addCountermeasures(the.test, project, ['T1', 'T2']);
  });

  const connectorOf = async (): Promise<number> => {
    const { url, token } = github.access;
    const body = { name: '<b>Forge</b>', system: { id: 'github' }, params: { url, token } };
    return (await makeConnector(the.test.api, '/connectors/issue-tracker/', body)).id;
  };
  const button = (name: string) => the.page().getByRole('button', { name, exact: true });

  it('are connected by a form that names what the tracker lacks, previewed, run, and repaired', async () => {
    await connectorOf();
    await the.open(`/projects/${project.id}/issues`);
    const page = the.page();
    await page.getByText('The project is not connected to an issue tracker.').waitFor();
    await button('Connect a tracker').click();
    const form = page.getByRole('form', { name: 'Connect a tracker' });
    await form.getByLabel('Project in the tracker').fill('acme/none');
    await button('Connect').click();
    await form.getByText('acme/none').waitFor();
    await form.getByLabel('Project in the tracker').fill(github.project);
    await form.getByLabel('Status in the tracker: Complete').fill('closed');
    await form.getByLabel('Status in the tracker: Incomplete').fill('open');
    expect(await accessibilityErrors(page)).toEqual([]);
    await button('Connect').click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const connection = page.getByRole('article', { name: github.project });
    await button(`Preview a run: ${github.project}`).click();
    await expect(connection.getByRole('list', { name: 'New issues' }).getByRole('listitem')).toHaveCount(2);
    await button(`Run now: ${github.project}`).click();
    await connection.getByText('2 issues created').waitFor();

    const base = `/projects/${project.id}/issue-tracker-connections/`;
    const [{ id } = { id: 0 }] = await rowsOf(the.test.api.get<{ results: { id: number }[] }>(base));
    await bodyOf(the.test.api.patch(`${base}${id}/`, { title_format: '$title' }));
    await button(`Preview a run: ${github.project}`).click();
    const changes = connection.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await expect(changes).toHaveText([/^#\d+: .* \(title\)$/, /^#\d+: .* \(title\)$/]);
    const [lost] = await the.test.database.query<Parameters<NonNullable<typeof github.remove>>[0]>(
      'SELECT issue_id AS id FROM tracked_issue WHERE connection_id = $1 ORDER BY tracked_issue.id LIMIT 1',
      [id],
    );
    if (!lost) throw new Error('There is no issue.');
    await github.remove?.(lost);
    // Once a day, a run looks for issues that are gone.
    await the.test.database.query(`UPDATE tracker_connection SET listed_at = NULL WHERE id = $1`, [id]);
    await button(`Run now: ${github.project}`).click();
    await connection.getByText('1 issue missing').waitFor();
    const problems = connection.getByRole('list', { name: 'Issues with problems' });
    await problems.getByRole('button', { name: /^Create it again/ }).click();
    await problems.waitFor({ state: 'detached' });
    expect(await accessibilityErrors(page)).toEqual([]);
    await button('Disconnect').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await connection.waitFor({ state: 'detached' });
  });

  it('can be read by members, who may not change them', async () => {
    const connector = await connectorOf();
    const body = { connector, project_key: github.project, frequency: 'daily', min_priority: 7 };
    await bodyOf(the.test.api.post(`/projects/${project.id}/issue-tracker-connections/`, body), 201);
    const member = await the.test.newUser();
    await addMember(the.test, project, member, 'PR4');
    await the.open(`/projects/${project.id}/issues`, member.id);
    const connection = the.page().getByRole('article', { name: github.project });
    await connection.getByText('Runs every day · priority 7 and above').waitFor();
    await button(`Latest runs: ${github.project}`).click();
    await connection.getByText('There was no run yet.').or(connection.getByText('Succeeded')).first().waitFor();
    await expect(button(`Run now: ${github.project}`)).toHaveCount(0);
    await expect(button('Connect a tracker')).toHaveCount(0);
  });
});
