import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { makeConnector } from '#test/support/connectors.js';
import { freePort } from '#test/support/free-port.js';
import { addMember, makeProject, type TestProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import type { ContractTracker } from '#test/support/tracker-contract.js';
import { startFakeAzureDevOps } from '#test/support/trackers/fake-azure-devops.js';
import { startFakeGitHub } from '#test/support/trackers/fake-github.js';
import { startFakeGitLab } from '#test/support/trackers/fake-gitlab.js';
import { startFakeJira } from '#test/support/trackers/fake-jira.js';

const TRACKERS = '/connectors/issue-tracker/';

const saying = (...words: string[]) => words.map((word) => expect.stringContaining(word) as string);

describe('A connection to an issue tracker that is saved', () => {
  const test = useTestApi({ CONNECTION_ALLOW_PRIVATE: 'true', CONNECTION_TIMEOUT_SECONDS: '5' });
  let project: TestProject;
  let path: string;
  let jira: ContractTracker;
  let connector: number;

  const connectorOf = async ({ system, access: { url, token, email } }: ContractTracker): Promise<number> => {
    const params = { url, token, ...(email !== undefined && { email }) };
    return (await makeConnector(test.api, TRACKERS, { system: { id: system }, params })).id;
  };
  const create = (fields: object, status = 201) =>
    bodyOf(test.api.post<{ id: number }>(path, { connector, project_key: 'SHOP', ...fields }), status);
  const writes = (): number | undefined => jira.requests?.filter((request) => /^(PUT|PATCH)/.test(request)).length;

  beforeAll(async () => {
    project = await makeProject(test);
    path = `/projects/${project.id}/issue-tracker-connections/`;
    jira = await startFakeJira(true);
    connector = await connectorOf(jira);
  });
  afterAll(async () => {
    expect(jira.faults).toEqual([]);
    expect(writes()).toBe(0);
    await jira.stop();
  });

  it.each([
    [{ project_key: 'NONE' }, { project_key: saying('does not show the project `NONE`') }],
    [{ issue_type: 'Epic' }, { issue_type: saying('has no issue type `Epic` here, but these: Task, Bug.') }],
    [{ issue_type: 'Bug' }, { fields: { customfield_10050: ['"Team" is required. Allowed: Red, Blue.'] } }],
    [
      { issue_type: 'Bug', fields: { customfield_10050: 'Green' } },
      { fields: { customfield_10050: ['"Green" is not allowed. Allowed: Red, Blue.'] } },
    ],
    [
      { issue_type: 'Bug', fields: { customfield_10050: 'Red', cost: '3' } },
      { fields: { cost: [expect.stringMatching(/^The project has no "cost"\. Allowed: .*customfield_10050/)] } },
    ],
    [{ priority_map: { '10': 'Urgent' } }, { priority_map: { '10': saying('no "Urgent". Allowed: Highest, Low.') } }],
    [
      { status_to_tracker: { TS1: 'Closed', TS2: 'To Do' }, tracker_to_status: { Fixed: 'TS1', Done: 'TS1' } },
      {
        status_to_tracker: { TS1: saying('The project has no "Closed". Allowed: To Do, In Progress, Done.') },
        tracker_to_status: { Fixed: saying('The project has no "Fixed". Allowed: To Do') },
      },
    ],
  ])('is refused with %j, and names what the tracker allows', async (fields, errors) => {
    expect(await changesNothing(test, () => create(fields, 400))).toEqual(errors);
  });

  it('is changed only to what the tracker allows', async () => {
    const { id } = await create({
      issue_type: 'bug',
      fields: { customfield_10050: 'Red' },
      status_to_tracker: { TS1: 'Done', TS2: 'To Do' },
      tracker_to_status: { Done: 'TS1' },
      priority_map: { '10': 'Highest' },
    });
    const change = (body: object, status = 200) => bodyOf(test.api.patch(`${path}${id}/`, body), status);
    for (const [body, field] of [
      [{ status_to_tracker: { TS1: 'Closed' } }, 'status_to_tracker'],
      [{ fields: {} }, 'fields'],
      [{ issue_type: 'Epic' }, 'issue_type'],
      [{ project_key: 'NONE' }, 'project_key'],
    ] as const)
      expect(Object.keys((await changesNothing(test, () => change(body, 400))) as object)).toEqual([field]);
    await change({ status_to_tracker: { TS1: 'In Progress' } });
    await test.database.query(`UPDATE tracker_connection SET issue_type = 'Bug', fields = '{}' WHERE id = $1`, [id]);
    const asked = jira.requests?.length;
    await change({ min_priority: 7, frequency: 'manually' });
    expect(jira.requests?.length).toBe(asked);
    // It would start by itself, and fail.
    expect(await change({ frequency: 'hourly' }, 400)).toEqual({ fields: { customfield_10050: saying('"Team"') } });
  });

  it.each([
    ['GitHub', startFakeGitHub],
    ['GitLab', startFakeGitLab],
    ['Azure DevOps', startFakeAzureDevOps],
  ])('is checked by %s', async (_, start) => {
    const tracker = await start();
    try {
      const { statuses, type = '', project: key } = tracker;
      const fields = { connector: await connectorOf(tracker), project_key: key, issue_type: type };
      const wrong = { ...fields, status_to_tracker: { TS1: 'Nowhere' } };
      expect(await changesNothing(test, () => create(wrong, 400))).toEqual({
        status_to_tracker: { TS1: [expect.stringMatching(new RegExp(`no "Nowhere"\\. Allowed: .*${statuses[1]}`))] },
      });
      const typed = await changesNothing(test, () => create({ ...fields, issue_type: 'Saga' }, 400));
      expect(typed).toEqual({ issue_type: saying('type') });
      await create({ ...fields, status_to_tracker: { TS1: statuses[1] } });
      expect(tracker.faults).toEqual([]);
    } finally {
      await tracker.stop();
    }
  });

  it('is saved unchecked if the tracker can not be asked', async () => {
    const fields = { frequency: 'daily', issue_type: 'Epic', status_to_tracker: { TS1: 'Closed' } };
    const url = `http://127.0.0.1:${await freePort()}`;
    for (const params of [
      {},
      { url, token: 'hush' },
      { url: jira.access.url, token: 'wrong', email: 'a@example.com' },
    ]) {
      const { id } = await makeConnector(test.api, TRACKERS, { system: { id: 'jira' }, params });
      await create({ connector: id, ...fields });
    }
  });

  it('is saved unchecked in a transaction, which does not wait for a tracker', async () => {
    const asked = jira.requests?.length;
    const body = { connector, project_key: 'SHOP', issue_type: 'Epic' };
    const requests = [{ method: 'POST', path: path.slice(1), reference_id: 'made', body }];
    expect(await bodyOf(test.api.post('/composite/', { composite_request: requests }))).toMatchObject({
      composite_response: [{ http_status_code: 201 }],
    });
    expect(jira.requests?.length).toBe(asked);
  });

  it('is checked before a change that depends on what the caller has seen', async () => {
    const { id } = await create({ issue_type: 'Task' });
    const { etag } = (await test.api.get(`${path}${id}/`)).headers;
    const change = (body: object, status: number) =>
      bodyOf(test.api.with({ 'If-Match': etag }).patch(`${path}${id}/`, body), status);
    const wrong = await changesNothing(test, () => change({ issue_type: 'Epic' }, 400));
    expect(wrong).toEqual({ issue_type: saying('has no issue type `Epic` here') });
    await change({ issue_type: 'Bug', fields: { customfield_10050: 'Red' } }, 200);
    const outdated = await changesNothing(test, () => change({ fields: { customfield_10050: 'Blue' } }, 412));
    expect(outdated).toMatchObject({ current: { issue_type: 'Bug', fields: { customfield_10050: 'Red' } } });
  });

  it('is checked after everything that Merlon itself refuses, and by leads only', async () => {
    const asked = jira.requests?.length;
    expect(await create({ issue_type: 'Epic', phases: ['X99'] }, 400)).toEqual({ phases: ['"X99" does not exist.'] });
    const developer = await test.newUser();
    await addMember(test, project, developer, 'PR4');
    await bodyOf(developer.api.post(path, { connector, project_key: 'SHOP', issue_type: 'Epic' }), 403);
    expect(jira.requests?.length).toBe(asked);
  });
});
