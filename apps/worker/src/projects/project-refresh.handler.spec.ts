import { startTestApi, type TestApi, type TestOrganization } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { makeComponent, makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { makeProject, type TestProject } from '#test/support/projects.js';
import { describeOnQueues, startRedis, type TestRedis } from '#test/support/redis.js';
import type { List } from '#test/support/resources.js';
import { startTestWorker, temporaryFolder, type TestWorker } from '#test/support/worker.js';

/** `eventually` waits for 10 s, the time limit for a library change. */
describeOnQueues('A library change, with queues on %s', (backend) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let redis: TestRedis | undefined;
  let test: TestApi;
  let organization: TestOrganization;
  let worker: TestWorker | undefined;

  const startWorker = async (): Promise<void> => {
    worker = await startTestWorker({
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      ...(redis && { REDIS_URL: redis.url }),
    });
  };
  const stopWorker = async (): Promise<void> => {
    await worker?.stop();
    worker = undefined;
  };
  const newProject = async (answers: readonly string[] = [], fields: object = {}): Promise<TestProject> => {
    const project = await makeProject(test, { organization, fields });
    for (const answer of answers)
      await bodyOf(organization.api.patch(`/projects/${project.id}/survey/draft/${answer}/`, { selected: true }));
    if (answers.length) await bodyOf(organization.api.post(`/projects/${project.id}/survey/draft/`));
    return project;
  };
  const has = async (project: TestProject, task: string): Promise<boolean> =>
    (await rowsOf(organization.api.get<List<{ task_id: string }>>(`/projects/${project.id}/tasks/`))).some(
      (row) => row.task_id === task,
    );
  const isSettled = async (): Promise<boolean> =>
    (
      await test.database.query(`SELECT 1 FROM library_change UNION ALL SELECT 1 FROM project
        WHERE refresh_due_at <= now() AND NOT content_refresh_locked`)
    ).length === 0;
  const recalculations = async (): Promise<number[]> =>
    (
      await test.database.query<{ project: number }>(
        `SELECT (data ->> 'project')::int AS project FROM activity WHERE name = 'RecalculatedProjectActivity'
          AND organization_id = $1 ORDER BY id`,
        [organization.id],
      )
    ).map((row) => row.project);

  beforeAll(async () => {
    folder = await temporaryFolder();
    if (backend === 'redis') redis = await startRedis();
    test = await startTestApi({ DATA_DIR: folder.path });
  });
  beforeEach(async () => {
    organization = await test.newOrganization();
    if (!worker) await startWorker();
  });
  afterAll(async () => {
    await stopWorker();
    await test.close();
    await redis?.stop();
    await folder.remove();
  });

  it('reaches projects within 10 s, whichever kind of library item changes', async () => {
    const { api } = organization;
    const project = await newProject(['A5']);
    const weakness = await makeWeakness(api);
    const task = await makeCountermeasure(api, { problem: weakness.id });
    const at = `/library/tasks/${task.id}/`;
    await eventually(() => has(project, task.id));
    const out = () => eventually(async () => !(await has(project, task.id)));
    const comesBack = () => eventually(() => has(project, task.id));

    await bodyOf(api.patch(at, { match_conditions: [{ required: ['A6'] }] }));
    await out();
    const component = await makeComponent(api, { answer_mapping: 'A5', hidden: false, tasks_introduced: [task.id] });
    await comesBack();
    await bodyOf(api.patch(`/library/components/${component.id}/`, { hidden: true }));
    await out();
    await bodyOf(api.patch(at, { match_conditions: [{ required: ['A5'] }] }));
    await comesBack();
    await bodyOf(api.patch(`/library/problems/${weakness.id}/`, { active: false }));
    await out();
    await bodyOf(api.patch(`/library/problems/${weakness.id}/`, { active: true }));
    await bodyOf(api.patch(at, { active: true }));
    await comesBack();
    await bodyOf(api.post('/flags/', { name: 'DECISION_ENGINE' }), 201);
    await bodyOf(api.patch(at, { match_conditions: [{ required_attributes: ['AT11'] }] }));
    await eventually(isSettled);
    expect(await has(project, task.id)).toBe(true);
    await bodyOf(api.patch('/library/attributes/AT11/', { active: false }));
    await out();
  }, 120_000);

  it('records an activity in the projects that it changes, and only there', async () => {
    const [touched, untouched] = [await newProject(['A5']), await newProject(['A6'])];
    await eventually(isSettled);
    const task = await makeCountermeasure(organization.api, {
      problem: (await makeWeakness(organization.api, { match_conditions: [{ required: ['A5'] }] })).id,
      match_conditions: [{ required: ['A5'] }],
    });
    await eventually(() => has(touched, task.id));
    await eventually(isSettled);
    expect(new Set(await recalculations())).toEqual(new Set([touched.id]));
    expect(await has(untouched, task.id)).toBe(false);
    const [activity] = await test.database.query<{ actor_id: string | null; text: string; icon: string; data: object }>(
      `SELECT * FROM activity WHERE name = 'RecalculatedProjectActivity' AND organization_id = $1`,
      [organization.id],
    );
    expect(activity).toMatchObject({
      actor_id: null,
      icon: 'survey',
      text: `*Merlon* recalculated project [${touched.name}](/activity-redirect/project/${touched.id}/)`,
      data: { project: touched.id, application: touched.application, answers: { added: [], removed: [] } },
    });
  });

  it('does not schedule an update of projects if only texts change', async () => {
    const task = await makeCountermeasure(organization.api);
    await newProject();
    await eventually(isSettled);
    await stopWorker();
    await bodyOf(organization.api.patch(`/library/tasks/${task.id}/`, { title: 'Other words', text: 'x' }));
    expect(await test.database.query('SELECT 1 FROM library_change')).toEqual([]);
  });

  it('affects only projects of its own organization', async () => {
    const mine = organization;
    await newProject();
    organization = await test.newOrganization();
    await newProject();
    await eventually(isSettled);
    await stopWorker();
    await makeWeakness(organization.api);
    expect(await test.database.query('SELECT DISTINCT organization_id FROM library_change')).toEqual([
      { organization_id: String(organization.id) },
    ]);
    expect(mine.id).not.toBe(organization.id);
  });

  it('does not reach a project with content_refresh_locked until it is unlocked', async () => {
    const kept = await newProject([], { content_refresh_locked: true });
    const other = await newProject();
    const task = await makeCountermeasure(organization.api, { problem: (await makeWeakness(organization.api)).id });
    await eventually(() => has(other, task.id));
    await eventually(isSettled);
    expect(await has(kept, task.id)).toBe(false);
    await bodyOf(organization.api.patch(`/projects/${kept.id}/`, { content_refresh_locked: false }));
    await eventually(() => has(kept, task.id));
  });

  it('is applied later if no worker is running', async () => {
    const project = await newProject();
    await stopWorker();
    const task = await makeCountermeasure(organization.api, { problem: (await makeWeakness(organization.api)).id });
    await startWorker();
    await eventually(() => has(project, task.id));
  });

  it('is applied after the lease of a crashed worker expires', async () => {
    const project = await newProject();
    await stopWorker();
    const task = await makeCountermeasure(organization.api, { problem: (await makeWeakness(organization.api)).id });
    await test.database.query(
      `UPDATE organization SET refresh_lease_until = now() + interval '2 seconds' WHERE id = $1`,
      [organization.id],
    );
    await startWorker();
    await eventually(() => has(project, task.id));
  });

  it('reaches the projects of another organization within 5 s, whatever the libraries of two others cost', async () => {
    const slow = [await newProject(), await newProject()];
    const first = organization;
    organization = await test.newOrganization();
    const second = organization;
    slow.push(await newProject(), await newProject());
    organization = await test.newOrganization();
    const project = await newProject();
    await eventually(isSettled);
    await test.database.query(`
      CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$;
      CREATE TRIGGER delay BEFORE INSERT ON project_weakness FOR EACH ROW
        WHEN (NEW.project_id IN (${slow.map(({ id }) => id).join()})) EXECUTE FUNCTION delay();`);
    const isRunning = async () =>
      (
        await test.database.query(`SELECT 1 FROM organization WHERE id = ANY($1) AND refresh_lease_until > now()`, [
          [first.id, second.id],
        ])
      ).length > 0;
    // Batches of several projects, which come first, have a lower limit.
    const hasLongBatch = async () =>
      (
        await test.database.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event = 'PgSleep' AND now() - query_start > interval '4 seconds'`)
      ).length > 0;
    try {
      const slowTask = await makeCountermeasure(first.api, { problem: (await makeWeakness(first.api)).id });
      await makeCountermeasure(second.api, { problem: (await makeWeakness(second.api)).id });
      await eventually(isRunning);
      await eventually(hasLongBatch, 40);
      for (let change = 0; change < 3; change += 1) {
        const task = await makeCountermeasure(organization.api, {
          problem: (await makeWeakness(organization.api)).id,
        });
        await eventually(() => has(project, task.id), 5);
        expect(await isRunning()).toBe(true);
        if (backend === 'redis') continue;
        const queued = await test.database.query<{ organization: number }>(
          `SELECT data ->> 'organization' AS organization FROM bullmq.job WHERE queue = 'project.refresh'`,
        );
        expect(new Set(queued.map((entry) => entry.organization)).size).toBe(queued.length);
      }
      await test.database.query('DROP TRIGGER delay ON project_weakness; DROP FUNCTION delay');
      organization = first;
      // A project that was too slow is postponed.
      await eventually(async () => {
        await test.database.query('UPDATE project SET refresh_due_at = now() WHERE refresh_due_at > now()');
        return (await has(slow[0]!, slowTask.id)) && has(slow[1]!, slowTask.id);
      }, 40);
    } finally {
      await test.database.query('DROP TRIGGER IF EXISTS delay ON project_weakness; DROP FUNCTION IF EXISTS delay');
    }
  }, 120_000);

  it('reaches the other projects if updating one of them fails', async () => {
    const projects = [await newProject(), await newProject(), await newProject()];
    const [first] = projects;
    await eventually(isSettled);
    await test.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'No.'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON project_weakness FOR EACH ROW
        WHEN (NEW.project_id = ${first?.id}) EXECUTE FUNCTION refuse();`);
    try {
      const task = await makeCountermeasure(organization.api, { problem: (await makeWeakness(organization.api)).id });
      for (const project of projects.slice(1)) await eventually(() => has(project, task.id));
      // In which order they were tried is not defined.
      await eventually(async () => {
        const [row] = await test.database.query<{ later: boolean }>(
          'SELECT refresh_due_at > now() AS later FROM project WHERE id = $1',
          [first?.id],
        );
        return row?.later === true;
      });
    } finally {
      await test.database.query('DROP TRIGGER refuse ON project_weakness; DROP FUNCTION refuse');
    }
  });
});
