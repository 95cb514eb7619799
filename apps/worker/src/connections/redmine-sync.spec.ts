import { useTestApiWithWorker } from '#test/support/api-with-worker.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import { hasRedmine, type Redmine, startRedmine } from '#test/support/redmine.js';

/** Redmine migrates its database first. */
const START_MILLISECONDS = 300_000;

/** Redmine takes long for a request if other suites run. */
const PATIENCE_SECONDS = 120;

const describeOnRedmine = hasRedmine ? describe : describe.skip;

interface Run {
  id: number;
  status: string;
}

describeOnRedmine('A project that is connected to a real Redmine (Debian packages redmine, redmine-sqlite)', () => {
  const reaching = { CONNECTION_ALLOW_PRIVATE: 'true', CONNECTION_TIMEOUT_SECONDS: '60' };
  const test = useTestApiWithWorker(reaching, reaching);
  let redmine: Redmine;
  let project: number;
  let path: string;

  const redmineIssues = async (): Promise<{ id: number; subject: string; status: { name: string } }[]> => {
    const response = await fetch(`${redmine.url}/issues.json?status_id=*&sort=id`, {
      headers: { 'X-Redmine-API-Key': redmine.key },
    });
    return ((await response.json()) as { issues: { id: number; subject: string; status: { name: string } }[] }).issues;
  };
  const sync = async (): Promise<Run> => {
    const { id } = await bodyOf(test.api.post<Run>(`${path}sync/`), 202);
    const read = () => bodyOf(test.api.get<Run>(`${path}runs/${id}/`));
    await eventually(async () => ['succeeded', 'failed'].includes((await read()).status), PATIENCE_SECONDS);
    return read();
  };
  const issues = (): Promise<{ id: number; task: string; state: string; error: string | null }[]> =>
    rowsOf(
      test.api.get<{ results: { id: number; task: string; state: string; error: string | null }[] }>(`${path}issues/`),
    );

  beforeAll(async () => {
    redmine = await startRedmine();
    const empty = await makeEmptyProject(test);
    project = empty.id;
    await addCountermeasures(test, empty, ['T1', 'T2', 'T3']);
    const { id: connector } = await bodyOf(
      test.api.post<{ id: number }>('/connectors/issue-tracker/', {
        name: 'Redmine',
        system: { id: 'redmine' },
        params: { url: redmine.url, token: redmine.key },
      }),
      201,
    );
    const base = `/projects/${project}/issue-tracker-connections/`;
    const { id } = await bodyOf(
      test.api.post<{ id: number }>(base, {
        connector,
        project_key: 'shop',
        issue_type: 'Bug',
        status_to_tracker: { TS1: 'Closed', TS2: 'New', TS3: 'Rejected' },
        tracker_to_status: { Closed: 'TS1', New: 'TS2', Rejected: 'TS3' },
      }),
      201,
    );
    path = `${base}${id}/`;
  }, START_MILLISECONDS);
  afterAll(() => redmine.stop());

  it('is tested, previewed and synchronised in both directions, and misses what is deleted there', async () => {
    expect(await bodyOf(test.api.post(`${path}test/`))).toEqual({
      success: true,
      error: null,
      missing_fields: [],
      problems: [],
      issue: null,
    });
    const unknown = expect.stringContaining('The project has no "Finished". Allowed: New, ') as string;
    const finished = { TS1: 'Finished', TS2: 'New' };
    expect(await bodyOf(test.api.patch(path, { status_to_tracker: finished }), 400)).toEqual({
      status_to_tracker: { TS1: [unknown] },
    });
    const store = (statuses: object) =>
      test.database.query('UPDATE tracker_connection SET status_to_tracker = $1', [JSON.stringify(statuses)]);
    await store(finished);
    expect(await bodyOf(test.api.post(`${path}test/`))).toMatchObject({
      success: false,
      problems: [expect.stringMatching(/^status_to_tracker\.TS1: The project has no "Finished"\. Allowed: New, /)],
    });
    await bodyOf(test.api.patch(path, { status_to_tracker: { TS1: 'Closed', TS2: 'New', TS3: 'Rejected' } }));

    const preview = () =>
      bodyOf(
        test.api.post<Record<'create' | 'change' | 'close' | 'conflict', { task: string; fields: object }[]>>(
          `${path}preview/`,
        ),
      );
    expect((await preview()).create.map(({ task }) => task)).toEqual([
      `${project}-T1`,
      `${project}-T2`,
      `${project}-T3`,
    ]);
    expect(await redmineIssues()).toEqual([]);

    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 3, issues_failed: 0, error: null });
    const created = await redmineIssues();
    expect(created.map(({ subject }) => subject.split(':')[0])).toEqual(['T1', 'T2', 'T3']);
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 0, issues_changed: 0, tasks_changed: 0 });

    // One changes here, and one there.
    await bodyOf(test.api.patch(`/projects/${project}/tasks/T1/`, { status: 'TS1' }));
    const put = (id: number | undefined, issue: object) =>
      fetch(`${redmine.url}/issues/${id}.json`, {
        method: 'PUT',
        headers: { 'X-Redmine-API-Key': redmine.key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ issue }),
      });
    const statuses = await fetch(`${redmine.url}/issue_statuses.json`, {
      headers: { 'X-Redmine-API-Key': redmine.key },
    });
    const { issue_statuses: known } = (await statuses.json()) as { issue_statuses: { id: number; name: string }[] };
    await put(created[1]?.id, { status_id: known.find(({ name }) => name === 'Closed')?.id });
    const { change, conflict } = await preview();
    expect(conflict).toEqual([]);
    expect(change.map(({ task, fields }) => [task, fields])).toEqual([
      [`${project}-T1`, { status: 'Closed' }],
      [`${project}-T2`, { task_status: 'TS1' }],
    ]);
    expect(await sync()).toMatchObject({ issues_changed: 1, tasks_changed: 1, conflicts: 0 });
    expect((await redmineIssues()).map(({ status }) => status.name)).toEqual(['Closed', 'Closed', 'New']);
    expect(await bodyOf(test.api.get(`/projects/${project}/tasks/T2/`))).toMatchObject({ status: 'TS1' });

    await fetch(`${redmine.url}/issues/${created[2]?.id}.json`, {
      method: 'DELETE',
      headers: { 'X-Redmine-API-Key': redmine.key },
    });
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_missing: 1, issues_created: 0 });
    const [, , missing] = await issues();
    expect(missing).toMatchObject({ state: 'missing' });
    await bodyOf(test.api.post(`${path}issues/${missing?.id}/recreate/`), 202);
    await eventually(async () => (await issues())[2]?.state === 'synced', PATIENCE_SECONDS);
    expect((await redmineIssues()).length).toBe(3);
  }, 300_000);

  it('creates an issue as a test if asked to, closes it, and does not follow it', async () => {
    const before = await redmineIssues();
    const { issue, ...result } = await bodyOf(test.api.post<{ issue: string }>(`${path}test/`, { create_issue: true }));
    expect(result).toEqual({ success: true, error: null, missing_fields: [], problems: [] });
    const created = (await redmineIssues()).slice(before.length);
    expect(created).toMatchObject([{ subject: 'A test of Merlon', status: { name: 'Rejected' } }]);
    expect(issue).toBe(`${redmine.url}/issues/${created[0]?.id}`);
    expect(await sync()).toMatchObject({ issues_created: 0, issues_changed: 0, tasks_changed: 0 });
    expect(await issues()).toHaveLength(3);
  }, 300_000);
});
