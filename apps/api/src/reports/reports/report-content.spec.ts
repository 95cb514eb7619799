import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { makeConnector } from '#test/support/connectors.js';
import { addMember, makeProject } from '#test/support/projects.js';
import { reportClient, rowsOfReport, run } from '#test/support/reports.js';
import { makeWebhook } from '#test/support/webhooks.js';

const test = useTestApi();

describe('The cube Integration', () => {
  it('contains webhooks with deliveries and connectors with their last scan, each with its creator', async () => {
    const owner = await test.newUser({ superUser: true, role: 'UR4' });
    const webhook = await makeWebhook(test.api, { name: 'Alerts' });
    const connector = await makeConnector(owner.api, '/connectors/analysis/', { name: 'Scanner', inaccessible: true });
    const tracker = await makeConnector(test.api, '/connectors/issue-tracker/', { name: 'Tracker' });
    for (const status of ['delivered', 'failed', 'failed', 'cancelled'])
      await test.database.query(
        `INSERT INTO webhook_delivery (webhook_id, activity_id, event_source, status)
         SELECT $1, coalesce(max(activity_id), 0) + 1, 'CreatedProjectActivity', $2 FROM webhook_delivery`,
        [webhook.id, status],
      );
    const project = await makeProject(test);
    await test.database.query(
      `INSERT INTO onboarding_scan (project_id, connector_id, repository_url, status)
       SELECT $1, $2, 'https://example.com', unnest(ARRAY['old', 'new'])`,
      [project.id, connector.id],
    );
    const query = {
      schema: 'integration',
      dimensions: ['id', 'kind', 'name', 'active', 'lastStatus']
        .map((name) => `Integration.${name}`)
        .concat('User.email'),
      measures: ['Integration.count', 'Integration.deliveryCount', 'Integration.failureCount'],
      order: [['Integration.name', 'asc']],
    };
    const rows = await rowsOfReport(test, query);
    const admin = test.organization.admin.email;
    expect(rows.map((row) => Object.values(row))).toEqual([
      [String(webhook.id), 'webhook', 'Alerts', true, 'cancelled', admin, '1', '4', '2'],
      [String(connector.id), 'analysis', 'Scanner', false, 'new', owner.email, '1', '0', '0'],
      [String(tracker.id), 'issue_tracker', 'Tracker', true, null, admin, '1', '0', '0'],
    ]);
    expect(
      await rowsOfReport(test, {
        schema: 'integration',
        dimensions: ['Integration.name', 'Project.id'],
        filters: [
          { member: 'Project.id', operator: 'set' },
          { member: 'Integration.name', operator: 'set' },
        ],
      }),
    ).toEqual([{ 'Integration.name': 'Scanner', 'Project.id': String(project.id) }]);
    const stranger = await test.newOrganization();
    expect(await rowsOfReport(test, query, stranger.admin)).toEqual([]);
  });
});

describe('The cube Training', () => {
  it("contains the organization's modules, joined with the countermeasures that they teach", async () => {
    await test.database.query(
      `WITH module AS (
         INSERT INTO training_module (organization_id, number, title) SELECT $1::bigint, n, 'Module ' || n
           FROM generate_series(1, 2) n
         RETURNING id, number)
       INSERT INTO training_module_countermeasure (training_module_id, countermeasure_id)
       SELECT m.id, c.id FROM module m, countermeasure c WHERE m.number = 1 AND c.item_id IN ('T1', 'T2')`,
      [test.organization.id],
    );
    const counts = { schema: 'training', measures: ['Training.count', 'Training.completedCount'] };
    expect(await rowsOfReport(test, counts)).toEqual([{ 'Training.count': '2', 'Training.completedCount': '0' }]);
    const columns = ['Training.id', 'Training.title', 'Training.user', 'Training.completed'];
    const taught = { schema: 'all', dimensions: [...columns, 'LibraryTask.id'], order: [['LibraryTask.id', 'asc']] };
    const filters = [{ member: 'Training.id', operator: 'set' }];
    expect((await rowsOfReport(test, { ...taught, filters })).map((row) => Object.values(row))).toEqual([
      ['CTM1', 'Module 1', null, false, 'T1'],
      ['CTM1', 'Module 1', null, false, 'T2'],
    ]);
    const stranger = await test.newOrganization();
    expect(await rowsOfReport(test, counts, stranger.admin)).toEqual([
      { 'Training.count': '0', 'Training.completedCount': '0' },
    ]);
  });
});

describe('Users of a project in reports', () => {
  it('are its direct members and its members through groups, each counted once', async () => {
    const project = await makeProject(test);
    const [alone, both] = [await test.newUser(), await test.newUser()];
    const group = await bodyOf(test.api.post<{ id: string }>('/groups/', { name: 'Team', users: [both.id] }), 201);
    for (const user of [alone, both]) await addMember(test, project, user, 'PR4');
    await test.database.query(
      `INSERT INTO project_member (project_id, group_id, role) SELECT $1, id, 'PR5' FROM user_group WHERE item_id = $2
        AND organization_id = $3`,
      [project.id, group.id, test.organization.id],
    );
    const rows = await rowsOfReport(test, {
      schema: 'user',
      dimensions: ['User.id'],
      measures: ['User.count', 'Project.count'],
      filters: [{ member: 'Project.id', operator: 'equals', values: [String(project.id)] }],
    });
    const ids = rows.map((row) => Number(row['User.id']));
    expect(ids).toEqual(expect.arrayContaining([alone.id, both.id]));
    expect(rows.every((row) => row['User.count'] === '1' && row['Project.count'] === '1')).toBe(true);
    expect(
      (await run(test, { schema: 'user', measures: ['User.count'], dimensions: ['BusinessUnit.name'] })).status,
    ).toBe(200);
  });
});

describe('Every cube of the model', () => {
  it('can be queried with all its members', async () => {
    const client = await reportClient(test);
    const { cubes } = await bodyOf(
      client.get<{ cubes: { name: string; measures: { name: string }[]; dimensions: { name: string }[] }[] }>(
        `${test.origin}/cubejs-api/v1/meta`,
      ),
    );
    for (const { name, measures, dimensions } of cubes) {
      const schema = { TrendTask: 'trend_task', TrendProject: 'trend_project', TrendApplication: 'trend_application' }[
        name
      ];
      const query = {
        schema: schema ?? 'all',
        measures: measures.map((member) => member.name),
        dimensions: dimensions.map((member) => member.name),
        ...(schema && { timeDimensions: [{ dimension: `${name}.date`, granularity: 'day' }] }),
      };
      expect([name, (await run(test, query)).status]).toEqual([name, 200]);
    }
  });
});
