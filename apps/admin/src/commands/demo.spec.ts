import { runAdmin } from '#test/support/admin.js';
import { type TestOrganization, useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';

const test = useTestApi();

interface DemoProject {
  readonly name: string;
  readonly survey_complete: boolean;
  readonly archived: boolean;
}

describe('The demo', () => {
  let organization: TestOrganization;
  const fill = () =>
    runAdmin(
      {
        DATABASE_URL: test.database.applicationUrl,
        DATABASE_OWNER_URL: test.database.url,
        SECRET_KEY: 'k'.repeat(40),
      },
      'demo',
      '--organization',
      organization.name,
    );
  const rows = <Row>(path: string, query: Record<string, string> = {}): Promise<Row[]> =>
    rowsOf(organization.api.get<{ results: Row[] }>(path, { page_size: '1000', ...query }));
  const count = async (path: string, query: Record<string, string> = {}): Promise<number> =>
    (await rows(path, query)).length;

  beforeAll(async () => {
    organization = await test.newOrganization();
    expect(await fill()).toMatchObject({ code: 0, error: '', result: { projects: 12 } });
  }, 300_000);

  it('fills an organization with projects in several states', async () => {
    const projects = await rows<DemoProject>('/projects/', { active: 'all' });
    expect(projects).toHaveLength(12);
    expect(projects.filter((project) => !project.survey_complete)).toHaveLength(2);
    expect(projects.filter(({ archived }) => archived).map(({ name }) => name)).toEqual(['Loyalty programme 2024']);
    expect(await count('/business-units/')).toBe(4);
    expect(await count('/applications/')).toBe(12);
    expect(await count('/users/')).toBe(10);
  });

  it('has a history of many weeks, whose trend goes up', async () => {
    const days = await test.database.query<{ day: string; complete: number }>(
      `SELECT day::text, sum(total) FILTER (WHERE status = 'Complete')::integer AS complete
       FROM trend_task WHERE organization_id = $1 GROUP BY day ORDER BY day`,
      [organization.id],
    );
    expect(days.length).toBeGreaterThan(60);
    const [early, today] = [days[14], days.at(-1)];
    expect(early?.complete).toBeGreaterThan(0);
    expect(today?.complete).toBeGreaterThan(3 * (early?.complete ?? 0));
    const [future] = await test.database.query('SELECT 1 FROM activity WHERE occurred_at > now()');
    expect(future).toBeUndefined();
  });

  it('has rows in every starter report', async () => {
    for (const { id } of await rows<{ id: string }>('/queries/templates/')) {
      const report = await bodyOf(
        organization.api.post<{ id: number }>('/queries/from-template/', { template: id }),
        201,
      );
      const { data } = await bodyOf(organization.api.get<{ data: unknown[] }>(`/queries/${report.id}/run/`));
      expect([id, data.length > 0]).toEqual([id, true]);
    }
  }, 120_000);

  it('gives the first super-user work of their own, and creates no user who could sign in', async () => {
    const [first] = await test.database.query(
      `SELECT 1 FROM project_countermeasure_assignee a WHERE a.user_id = $1 LIMIT 1`,
      [organization.admin.id],
    );
    expect(first).toBeDefined();
    const able = await test.database.query(
      `SELECT u.id FROM user_account u WHERE u.organization_id = $1
         AND (u.password_hash IS NOT NULL OR EXISTS (SELECT 1 FROM api_token t WHERE t.user_id = u.id))`,
      [organization.id],
    );
    expect(able).toEqual([{ id: String(organization.admin.id) }]);
  });

  it('is refused by an organization that has projects', async () => {
    const { code, error } = await fill();
    expect([code, error]).toEqual([
      1,
      `The organization "${organization.name}" already has projects. The demo needs an empty one.\n`,
    ]);
    expect(await count('/projects/', { active: 'all' })).toBe(12);
  });
});
