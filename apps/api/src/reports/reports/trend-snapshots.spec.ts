import { EntityManager } from '@mikro-orm/postgresql';
import { takeSnapshot } from '#domain/reports/trend/trend.commands.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { makeCountermeasure } from '#test/support/factories.js';
import { rowsOfReport, type ReportRow } from '#test/support/reports.js';

const test = useTestApi();

const take = (backfillDays = 0) =>
  acrossOrganizations(test.running.app.get(EntityManager), 'count and snapshot', (em) =>
    takeSnapshot(em, { zone: 'UTC', backfillDays }),
  );

const insert = async (statement: string, values: readonly unknown[]): Promise<string> =>
  (await test.database.query<{ id: string }>(`${statement} RETURNING id`, values))[0]?.id ?? '';

const ago = (days: number): string => `now() - interval '${days} days'`;

async function makeProject(name: string, days: number): Promise<string> {
  const { id } = test.organization;
  const unit = await insert('INSERT INTO business_unit (organization_id, name, slug) VALUES ($1, $2, $2)', [id, name]);
  const application = await insert(
    `INSERT INTO application (organization_id, business_unit_id, name, slug, created_at)
      VALUES ($1, $2, $3, $3, ${ago(days)})`,
    [id, unit, name],
  );
  return insert(
    `INSERT INTO project (organization_id, application_id, name, slug, created_at)
      VALUES ($1, $2, $3, $3, ${ago(days)})`,
    [id, application, name],
  );
}

const addTask = (
  project: string,
  number: number,
  status: number,
  days: number,
  { priority = 8, phase = 'X1' } = {},
): Promise<string> =>
  insert(
    `INSERT INTO project_countermeasure (organization_id, project_id, number, title, text, phase_id, priority,
      status_id, created_at)
     VALUES ($1, $2, $3, 'T', '', (SELECT id FROM phase WHERE item_id = $6 AND organization_id IS NULL), $5, $4,
      ${ago(days)})`,
    [test.organization.id, project, number, status, priority, phase],
  );

const mark = (project: string, number: number, status: string, days: number): Promise<string> =>
  insert(
    `INSERT INTO activity (organization_id, name, text, data, icon, log_level, occurred_at)
     VALUES ($1, 'MarkedTaskActivity', '', $2, 'check', 'user', ${ago(days)})`,
    [test.organization.id, JSON.stringify({ project: Number(project), task: `${project}-PT${number}`, status })],
  );

const tasksByDay = async (project: string): Promise<ReportRow[keyof ReportRow][][]> => {
  const rows = await rowsOfReport(test, {
    schema: 'trend_task',
    measures: ['TrendTask.count', 'TrendTask.completeCount'],
    timeDimensions: [{ dimension: 'TrendTask.date', granularity: 'day' }],
    filters: [{ member: 'TrendTask.project', operator: 'equals', values: [project] }],
  });
  return rows.map((row) => [row['TrendTask.count'] ?? null, row['TrendTask.completeCount'] ?? null]);
};

describe('Trend snapshots', () => {
  it('count each day once, however often they are taken, and fill in past days from activities', async () => {
    const project = await makeProject('Marked', 5);
    for (const number of [1, 2]) await addTask(project, number, number, 5);
    await mark(project, 1, 'TS1', 2);
    for (const days of [0, 4, 4, 0]) await take(days);
    expect(await tasksByDay('Marked')).toEqual([
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
  });

  it('replace the earlier ones of the day in every table, but not those of days before', async () => {
    await test.database.query(`TRUNCATE trend_task, trend_project, trend_application, trend_task_application,
      trend_task_phase`);
    const [project, deleted] = [await makeProject('Former', 2), await makeProject('Deleted', 2)];
    const [first, second] = [await addTask(project, 1, 2, 2), await addTask(project, 2, 2, 2, { phase: 'X3' })];
    await addTask(deleted, 1, 2, 2);
    await take(1);
    await test.database.query('UPDATE project_countermeasure SET status_id = 1 WHERE id = $1', [first]);
    await test.database.query('UPDATE project_countermeasure SET priority = 3 WHERE id = $1', [second]);
    await test.database.query('DELETE FROM project WHERE id = $1', [deleted]);
    for (const table of ['project', 'application', 'business_unit'])
      await test.database.query(`UPDATE ${table} SET name = 'Later' WHERE name = 'Former'`);
    await take();
    const phases = await test.database.query<{ item_id: string; name: string }>(
      `SELECT item_id, name FROM phase WHERE item_id IN ('X1', 'X3') AND organization_id IS NULL`,
    );
    const [x1, x3] = ['X1', 'X3'].map((id) => phases.find((phase) => phase.item_id === id)?.name);
    /** Rows of yesterday or today. The names of other tests' projects are left out. */
    const rows = async (table: string, columns: string, day: 'yesterday' | 'today', condition = 'true') =>
      (
        await test.database.query<{ row: unknown[] }>(
          `SELECT json_build_array(${columns}) AS row FROM ${table}
           WHERE day = (now() AT TIME ZONE 'UTC')::date - $1::integer AND ${condition} ORDER BY 1::text`,
          [day === 'today' ? 0 : 1],
        )
      ).map(({ row }) => row);
    const ours = `application IN ('Former', 'Deleted', 'Later')`;
    const tasks = (day: 'yesterday' | 'today') =>
      rows('trend_task', 'phase, status, priority, total', day, `project_id IN (${project}, ${deleted})`);
    expect(await tasks('yesterday')).toHaveLength(3);
    expect(await tasks('today')).toEqual(
      expect.arrayContaining([
        [x1, 'Complete', 8, 1],
        [x3, 'Incomplete', 3, 1],
      ]),
    );
    expect(await tasks('today')).toHaveLength(2);
    const places = 'project, application, business_unit, phase, status, priority';
    expect(await rows('trend_project', places, 'yesterday', ours)).toEqual(
      expect.arrayContaining(['Former', 'Deleted'].map((name) => [name, name, name, x1, 'Incomplete', 8])),
    );
    expect(await rows('trend_project', places, 'today', ours)).toEqual([
      ['Later', 'Later', 'Later', x3, 'Incomplete', 3],
    ]);
    const applications = 'application, business_unit, phase, status, priority';
    expect(await rows('trend_application', applications, 'today', `${ours} AND application <> 'Deleted'`)).toEqual([
      ['Later', 'Later', x3, 'Incomplete', 3],
    ]);
    expect(await rows('trend_application', applications, 'today', `application = 'Deleted'`)).toEqual([
      ['Deleted', 'Deleted', null, 'Complete', null],
    ]);
    const summary = 'application, business_unit, status, total';
    expect(await rows('trend_task_application', summary, 'today', ours)).toEqual(
      expect.arrayContaining([
        ['Later', 'Later', 'Complete', 1],
        ['Later', 'Later', 'Incomplete', 1],
      ]),
    );
    expect(await rows('trend_task_application', summary, 'today', ours)).toHaveLength(2);
    expect(await rows('trend_task_application', summary, 'yesterday', ours)).toEqual(
      expect.arrayContaining([
        ['Former', 'Former', 'Incomplete', 2],
        ['Deleted', 'Deleted', 'Incomplete', 1],
      ]),
    );
    expect(await rows('trend_task_phase', 'phase, status, priority, total', 'today', 'priority = 3')).toEqual([
      [x3, 'Incomplete', 3, 1],
    ]);
  });

  it('contain the last status marked before the end of each day, or the current one if never marked', async () => {
    await test.database.query('TRUNCATE trend_task, trend_project, trend_application');
    const project = await makeProject('Again', 6);
    await addTask(project, 1, 1, 6);
    await mark(project, 1, 'TS1', 4);
    await mark(project, 1, 'TS2', 3);
    await mark(project, 1, 'TS1', 1);
    const unmarked = await makeProject('Unmarked', 3);
    await addTask(unmarked, 1, 1, 3);
    await take(5);
    expect((await tasksByDay('Again')).map(([, complete]) => complete)).toEqual(['0', '1', '0', '0', '1', '1']);
    expect(await tasksByDay('Unmarked')).toEqual(Array.from({ length: 4 }, () => ['1', '1']));
  });

  it('contain projects and applications on days without countermeasures', async () => {
    await test.database.query('TRUNCATE trend_task, trend_project, trend_application');
    await makeProject('Empty', 3);
    expect((await take(3)).days).toBe(4);
    for (const [schema, cube] of [
      ['trend_project', 'TrendProject'],
      ['trend_application', 'TrendApplication'],
    ] as const) {
      const member = cube === 'TrendProject' ? 'project' : 'application';
      const rows = await rowsOfReport(test, {
        schema,
        measures: [`${cube}.completeCount`],
        timeDimensions: [{ dimension: `${cube}.date`, granularity: 'day' }],
        filters: [{ member: `${cube}.${member}`, operator: 'equals', values: ['Empty'] }],
      });
      expect(rows.map((row) => row[`${cube}.completeCount`])).toEqual(['1', '1', '1', '1']);
    }
  });

  it('give projects and applications the first phase and the highest priority of their open work', async () => {
    const project = await makeProject('Urgent', 1);
    for (const [number, status, priority, phase] of [
      [1, 1, 10, 'X1'],
      [2, 2, 3, 'X3'],
      [3, 2, 9, 'X4'],
      [4, 2, 5, 'X3'],
    ] as const)
      await addTask(project, number, status, 1, { priority, phase });
    // Other projects of the same application: one with less urgent work, and one with none.
    const addProject = (name: string) =>
      insert(
        `INSERT INTO project (organization_id, application_id, name, slug, created_at)
         SELECT organization_id, application_id, $2, $2, created_at FROM project WHERE id = $1`,
        [project, name],
      );
    await addTask(await addProject('Calm'), 1, 2, 1, { priority: 2, phase: 'X4' });
    await addProject('Idle');
    const nothing = await makeProject('Nothing open', 1);
    await addTask(nothing, 1, 1, 1, { priority: 10 });
    await take();
    const states = (name: string) =>
      test.database.query(`SELECT ${name} AS name, phase, status, priority FROM trend_${name}
        WHERE day = (now() AT TIME ZONE 'UTC')::date AND ${name} IN ('Urgent', 'Nothing open') ORDER BY 1`);
    const [phase] = await test.database.query<{ name: string }>(
      `SELECT name FROM phase WHERE item_id = 'X3' AND organization_id IS NULL`,
    );
    for (const name of ['project', 'application'])
      expect(await states(name)).toEqual([
        { name: 'Nothing open', phase: null, status: 'Complete', priority: null },
        { name: 'Urgent', phase: phase?.name, status: 'Incomplete', priority: 9 },
      ]);
  });

  it('contain library countermeasures as customized by the organization', async () => {
    const { id } = await makeCountermeasure(test.api, { phase: 'X1', priority: 3 });
    await bodyOf(test.api.patch('/library/tasks/T1/', { phase: 'X4', priority: 4 }));
    const project = await makeProject('Changed', 1);
    await test.database.query(
      `INSERT INTO project_countermeasure (organization_id, project_id, countermeasure_id, status_id, created_at)
       SELECT $1, $2, id, 2, now() FROM countermeasure WHERE item_id = ANY ($3)
         AND (organization_id = $1 OR organization_id IS NULL)`,
      [test.organization.id, project, [id, 'T1']],
    );
    await take();
    expect(
      await test.database.query(
        `SELECT p.item_id AS phase, t.priority FROM trend_task t JOIN phase p ON p.name = t.phase
         WHERE t.project_id = $1 AND p.organization_id IS NULL ORDER BY t.priority`,
        [project],
      ),
    ).toEqual([
      { phase: 'X1', priority: 3 },
      { phase: 'X4', priority: 4 },
    ]);
  });

  it('are not duplicated if they are taken concurrently', async () => {
    const count = async (): Promise<unknown> =>
      test.database.query(
        `SELECT (SELECT count(*) FROM trend_project) AS projects, (SELECT sum(total) FROM trend_task) AS tasks,
           (SELECT count(*) FROM trend_application) AS applications`,
      );
    await take(3);
    const before = await count();
    await Promise.all([take(3), take(), take(3)]);
    expect(await count()).toEqual(before);
  });
});
