import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeConnector, makeMissingIssue } from '#test/support/connectors.js';
import { freePort } from '#test/support/free-port.js';
import { addMember, makeProject, type TestProject } from '#test/support/projects.js';
import { trackerClient } from '#test/support/tracker-contract.js';
import { startFakeGitHub } from '#test/support/trackers/fake-github.js';
import { trackerProject } from '#trackers/tracker-project.js';
import { changesNothing } from '#test/support/records.js';

const TRACKERS = '/connectors/issue-tracker/';

describe('Connections of a project to issue trackers', () => {
  const test = useTestApi({ CONNECTION_ALLOW_PRIVATE: 'true', CONNECTION_TIMEOUT_SECONDS: '1' });
  let project: TestProject;
  let connector: number;
  let path: string;

  beforeAll(async () => {
    project = await makeProject(test);
    const params = { url: `http://127.0.0.1:${await freePort()}`, token: 'hush' };
    connector = (await makeConnector(test.api, TRACKERS, { system: { id: 'redmine' }, params })).id;
    path = `/projects/${project.id}/issue-tracker-connections/`;
  });

  const connect = async (fields: object = {}): Promise<number> =>
    (await bodyOf(test.api.post<{ id: number }>(path, { connector, project_key: 'shop', ...fields }), 201)).id;

  it.each([
    [{ connector: 999_999 }, { connector: ['"999999" does not exist.'] }],
    [{ phases: ['X99'] }, { phases: ['"X99" does not exist.'] }],
    [{ min_priority: 11 }, { min_priority: ['Ensure this value is less than or equal to 10.'] }],
    [{ frequency: 'yearly' }, { frequency: [expect.stringContaining('is not a valid choice')] }],
    [{ statuses_in_scope: [] }, { statuses_in_scope: ['This list may not be empty.'] }],
    [{ priority_map: { '11': 'Low' } }, { priority_map: [expect.stringContaining('"11" is not a valid choice')] }],
    [{ status_to_tracker: { TS1: '' } }, { status_to_tracker: { TS1: [expect.stringContaining('may not be blank')] } }],
    [{ tracker_to_status: { Done: 'TS9' } }, { tracker_to_status: { Done: [expect.stringContaining('TS9')] } }],
    [{ fields: { severity: 3 } }, { fields: { severity: [expect.any(String)] } }],
    [{ close_out_of_scope: true }, { close_out_of_scope: [expect.stringContaining('needs a status for TS3 or TS1')] }],
  ])('are not created with %j', async (fields, errors) => {
    const body = { connector, project_key: 'shop', ...fields };
    expect(await changesNothing(test, () => bodyOf(test.api.post(path, body), 400))).toEqual(errors);
  });

  it('take only connectors to issue trackers of the same organization', async () => {
    const analysis = await makeConnector(test.api, '/connectors/analysis/');
    const other = await makeConnector((await test.newOrganization()).api, TRACKERS);
    for (const { id } of [analysis, other])
      expect(await bodyOf(test.api.post(path, { connector: id, project_key: 'shop' }), 400)).toEqual({
        connector: [`"${id}" does not exist.`],
      });
  });

  it('keep their tracker and project once they have issues, and their status for closing', async () => {
    const id = await connect({ close_out_of_scope: true, status_to_tracker: { TS1: 'Closed' } });
    await bodyOf(test.api.patch(`${path}${id}/`, { project_key: 'web' }));
    await makeMissingIssue(test, id);
    const moved = changesNothing(test, () => bodyOf(test.api.patch(`${path}${id}/`, { project_key: 'shop' }), 400));
    expect(await moved).toEqual({ project_key: [expect.stringContaining('Create another connection')] });
    const without = { status_to_tracker: {} };
    expect(await bodyOf(test.api.patch(`${path}${id}/`, without), 400)).toHaveProperty('close_out_of_scope');
    await bodyOf(test.api.patch(`${path}${id}/`, { ...without, close_out_of_scope: false }));
  });

  it('protect their connector and their phases from deletion', async () => {
    const own = await makeConnector(test.api, TRACKERS);
    const phase = await bodyOf(test.api.post<{ id: string }>('/phases/', { name: 'Hardening' }), 201);
    const id = await connect({ connector: own.id, phases: [phase.id] });
    expect(await bodyOf(test.api.delete(`${TRACKERS}${own.id}/`), 400)).toEqual({
      non_field_errors: ['It connects 1 project to its system. Delete those connections first.'],
    });
    expect(await bodyOf(test.api.delete(`/phases/${phase.id}/`), 400)).toEqual({
      non_field_errors: [expect.stringContaining('1 issue tracker connection (shop)')],
    });
    await bodyOf(test.api.delete(`${path}${id}/`), 204);
    await bodyOf(test.api.delete(`${TRACKERS}${own.id}/`), 204);
    await bodyOf(test.api.delete(`/phases/${phase.id}/`), 204);
  });

  it('have one unfinished run at most, whoever asks for it', async () => {
    const id = await connect();
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => bodyOf(test.api.post<{ id: number }>(`${path}${id}/sync/`), 202)),
    );
    expect(new Set(runs.map((run) => run.id)).size).toBe(1);
    expect(await rowsOf(test.api.get<{ results: object[] }>(`${path}${id}/runs/`))).toHaveLength(1);
  });

  it('shows only super-users why the tracker was not reached, in tests and previews', async () => {
    const lead = await test.newUser({ role: 'UR4' });
    await addMember(test, project, lead, 'PR1');
    const id = await connect();
    const generic = 'Redmine is not reachable, or does not accept the token. Super-users can test it to see why.';
    const untested = { success: false, missing_fields: [], problems: [], issue: null };
    expect(await bodyOf(test.api.post(`${path}${id}/test/`))).toEqual({
      ...untested,
      error: expect.stringContaining('ECONNREFUSED'),
    });
    const startedAt = Date.now();
    expect(await bodyOf(lead.api.post(`${path}${id}/test/`))).toEqual({ ...untested, error: generic });
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990);
    expect(await bodyOf(lead.api.post(`${path}${id}/preview/`), 400)).toEqual({ non_field_errors: [generic] });
  });

  it('are invisible to other organizations', async () => {
    const id = await connect();
    const { api } = await test.newOrganization();
    await changesNothing(test, async () => {
      for (const part of ['', `${id}/`, `${id}/runs/`, `${id}/issues/`]) await bodyOf(api.get(`${path}${part}`), 404);
      for (const part of ['test/', 'preview/', 'sync/']) await bodyOf(api.post(`${path}${id}/${part}`), 404);
    });
  });

  it('create an issue as a test and close it, only if asked to, and only if they have all that they need', async () => {
    const github = await startFakeGitHub();
    const { system, access } = github;
    const params = { url: access.url, token: access.token };
    const own = (await makeConnector(test.api, TRACKERS, { system: { id: system }, params })).id;
    const closing = { status_to_tracker: { TS1: 'closed', TS2: 'open', TS3: 'not_planned' } };
    const id = await connect({ connector: own, project_key: github.project, ...closing });
    const ask = (body?: object) => bodyOf(test.api.post<{ issue: string | null }>(`${path}${id}/test/`, body));
    const writes = () => github.requests?.filter((request) => !request.startsWith('GET')).length;
    const passed = { success: true, error: null, missing_fields: [], problems: [] };

    for (const body of [undefined, {}, { create_issue: false }])
      expect(await ask(body)).toEqual({ ...passed, issue: null });
    expect(writes()).toBe(0);
    const { issue, ...result } = await ask({ create_issue: true });
    expect(result).toEqual(passed);
    expect(issue).toContain('/acme/shop/issues/');
    expect(writes()).toBe(2);
    const project = trackerProject(trackerClient(), system, access, github.project);
    const created = await project.read(`7/${issue?.split('/').at(-1)}`);
    expect(created).toMatchObject({ title: 'A test of Merlon', status: 'not_planned', url: issue });

    await bodyOf(test.api.patch(`${path}${id}/`, { status_to_tracker: { TS2: 'open' } }));
    expect(await ask({ create_issue: true })).toMatchObject({
      success: false,
      problems: [expect.stringMatching(/no status for TS3 or TS1, so that #\d+ stays open/)],
    });
    // The tracker has changed since the connection was saved.
    const renamed = `UPDATE tracker_connection SET status_to_tracker = '{"TS1": "Done"}' WHERE id = $1`;
    await test.database.query(renamed, [id]);
    const count = writes();
    expect(await ask({ create_issue: true })).toMatchObject({ success: false, issue: null });
    await bodyOf(test.api.post(`${path}${id}/test/`, { create_issue: 'maybe' }), 400);
    expect(writes()).toBe(count);
    expect(github.faults).toEqual([]);
    await github.stop();
  });

  it('are found only below their own project', async () => {
    const id = await connect();
    const other = `/projects/${(await makeProject(test)).id}/issue-tracker-connections/${id}/`;
    await changesNothing(test, async () => {
      for (const part of ['', 'runs/', 'issues/']) await bodyOf(test.api.get(`${other}${part}`), 404);
      for (const part of ['test/', 'preview/', 'sync/']) await bodyOf(test.api.post(`${other}${part}`), 404);
      await bodyOf(test.api.patch(other, { min_priority: 5 }), 404);
      await bodyOf(test.api.delete(other), 404);
    });
  });
});
