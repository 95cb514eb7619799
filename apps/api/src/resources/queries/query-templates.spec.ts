import { EntityManager } from '@mikro-orm/postgresql';
import { takeSnapshot } from '#domain/trend/trend.commands.js';
import { inTransaction } from '#domain/transaction.js';
import { useTestApi } from '../../../../../test/support/api.js';
import { bodyOf, rowsOf } from '../../../../../test/support/client.js';
import { type Loaded, type Query, rowsOfReport } from '../../../../../test/support/reports.js';

const test = useTestApi();

interface Template {
  readonly id: string;
  readonly title: string;
  readonly chart: string;
}

const templates = (): Promise<Template[]> => rowsOf(test.api.get<{ results: Template[] }>('/queries/templates/'));

describe('Starter reports', () => {
  it('are 15, and each can be saved, run and drawn', async () => {
    const found = await templates();
    expect(found).toHaveLength(15);
    for (const { id, title, chart } of found) {
      const saved = await bodyOf(test.api.post<Query>('/queries/from-template/', { template: id }), 201);
      expect(saved).toMatchObject({ title, chart });
      expect(await bodyOf(test.api.get<Loaded>(`/queries/${saved.id}/run/`))).toMatchObject({ truncated: false });
      expect([id, (await test.api.get(`/queries/${saved.id}/chart/`)).status]).toEqual([id, 200]);
    }
  }, 120_000);

  it('can be given another title; an unknown one is a 400, and saving takes edit_custom_reports', async () => {
    const body = { template: 'top-weaknesses', title: 'Ours' };
    expect(await bodyOf(test.api.post('/queries/from-template/', body), 201)).toMatchObject({ title: 'Ours' });
    expect(await bodyOf(test.api.post('/queries/from-template/', { template: 'bogus' }), 400)).toHaveProperty(
      'template',
    );
    const { api } = await test.newUser();
    expect(await bodyOf(api.post('/queries/from-template/', body), 403)).toHaveProperty('detail');
  });
});

describe('A snapshot for trends', () => {
  it('counts each day once however often it is taken, and fills past days in from the activity', async () => {
    const organization = test.organization.id;
    const insert = async (statement: string, values: readonly unknown[]): Promise<string> =>
      (await test.database.query<{ id: string }>(`${statement} RETURNING id`, values))[0]?.id ?? '';
    const unit = await insert(`INSERT INTO business_unit (organization_id, name, slug) VALUES ($1, 'U', 'u')`, [
      organization,
    ]);
    const past = `now() - interval '5 days'`;
    const application = await insert(
      `INSERT INTO application (organization_id, business_unit_id, name, slug, created_at) VALUES ($1, $2, 'A', 'a', ${past})`,
      [organization, unit],
    );
    const project = await insert(
      `INSERT INTO project (organization_id, application_id, name, slug, created_at) VALUES ($1, $2, 'P', 'p', ${past})`,
      [organization, application],
    );
    for (const number of [1, 2])
      await insert(
        `INSERT INTO project_countermeasure (organization_id, project_id, number, title, text, phase_id, priority, status_id, created_at)
         VALUES ($1, $2, $3, 'T', '', (SELECT min(id) FROM phase), 8, $4, ${past})`,
        [organization, project, number, number],
      );
    await insert(
      `INSERT INTO activity (organization_id, name, text, data, icon, log_level, occurred_at)
       VALUES ($1, 'MarkedTaskActivity', '', $2, 'check', 'user', now() - interval '2 days')`,
      [organization, JSON.stringify({ project: Number(project), task: `${project}-PT1`, status: 'TS1' })],
    );
    const take = (backfillDays: number) =>
      inTransaction(test.running.app.get(EntityManager), (em) => takeSnapshot(em, { zone: 'UTC', backfillDays }));
    for (const days of [0, 4, 4, 0]) await take(days);
    const rows = await rowsOfReport(test, {
      schema: 'trend_task',
      measures: ['TrendTask.count', 'TrendTask.completeCount'],
      timeDimensions: [{ dimension: 'TrendTask.date', granularity: 'day' }],
    });
    expect(rows.map((row) => [row['TrendTask.count'], row['TrendTask.completeCount']])).toEqual([
      ['2', '0'],
      ['2', '0'],
      ['2', '1'],
      ['2', '1'],
      ['2', '1'],
    ]);
    for (const [schema, cube] of [
      ['trend_project', 'TrendProject'],
      ['trend_application', 'TrendApplication'],
    ] as const)
      expect(
        await rowsOfReport(test, {
          schema,
          measures: [`${cube}.count`, `${cube}.incompleteCount`],
          timeDimensions: [{ dimension: `${cube}.date`, dateRange: 'today' }],
        }),
      ).toEqual([{ [`${cube}.count`]: '1', [`${cube}.incompleteCount`]: '1' }]);
  }, 60_000);
});
