import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';
import { useSurveys } from '#test/support/surveys.js';

const { test, select, save } = useSurveys();

interface Row {
  task_id: string;
  priority: number;
  importance: number;
  relevant: boolean;
}

/** The answers to "Which assurance level does the application need?". */
const [LEVEL_1, LEVEL_2, LEVEL_3] = ['A224', 'A225', 'A226'] as const;

const tasksOf = (project: number, query = {}) =>
  rowsOf(test.api.get<List<Row>>(`/projects/${project}/tasks/`, { accepted: 'all', ...query }));

const idsOf = async (project: number): Promise<string[]> =>
  (await tasksOf(project, { relevant: true })).map((row) => row.task_id);

/** Countermeasures of the levels 1 to 3, whose weakness every project has. */
async function leveled(fields: object = {}): Promise<[string, string, string]> {
  const problem = (await makeWeakness(test.api, { match_conditions: [] })).id;
  const make = async (level: number) => (await makeCountermeasure(test.api, { problem, level, ...fields })).id;
  return [await make(1), await make(2), await make(3)];
}

async function answer(project: number, ...answers: readonly string[]): Promise<void> {
  for (const id of answers) await select(project, id);
  await save(project);
}

describe('The level of a project', () => {
  it('leaves out countermeasures of higher levels', async () => {
    const { id } = await makeProject(test);
    const tasks = await leveled();
    for (const [level, count] of [
      [LEVEL_1, 1],
      [LEVEL_2, 2],
      [LEVEL_3, 3],
    ] as const) {
      await answer(id, level);
      const relevant = await idsOf(id);
      expect([level, tasks.filter((task) => relevant.includes(task))]).toEqual([level, tasks.slice(0, count)]);
    }
  });

  it('leaves out nothing while no level is chosen', async () => {
    const { id } = await makeProject(test);
    const tasks = await leveled();
    await save(id);
    expect(await idsOf(id)).toEqual(expect.arrayContaining(tasks));
  });

  it('keeps countermeasures that someone has worked on, as not relevant', async () => {
    const { id } = await makeProject(test);
    const [, , high] = await leveled();
    await answer(id, LEVEL_3);
    const path = `/projects/${id}/tasks/${high}/`;
    await bodyOf(test.api.patch(path, { status: 'TS1' }));
    await answer(id, LEVEL_1);
    expect(await bodyOf(test.api.get(path))).toMatchObject({ relevant: false, status: 'TS1' });
    await answer(id, LEVEL_3);
    expect(await bodyOf(test.api.get(path))).toMatchObject({ relevant: true, status: 'TS1' });
  });

  it('is a reason in the explanation of a countermeasure that it leaves out', async () => {
    const { id } = await makeProject(test);
    const [, , high] = await leveled();
    await answer(id, LEVEL_2);
    const { reasons } = await bodyOf(test.api.get<{ reasons: object[] }>(`/projects/${id}/tasks/${high}/explain/`));
    expect(reasons).toContainEqual({
      effect: 'out',
      type: 'level',
      ref: null,
      text: 'It is for projects of level 3 and above, and this project has level 2.',
    });
  });

  it('is previewed with the survey', async () => {
    const { id } = await makeProject(test);
    const [, , high] = await leveled();
    await answer(id, LEVEL_3);
    const { countermeasures } = await bodyOf(
      test.api.post<{ countermeasures: { removed: { id: string; reason: string }[] } }>(
        `/projects/${id}/survey/draft/preview/`,
        { answers: { [LEVEL_1]: true } },
      ),
    );
    expect(countermeasures.removed.find((row) => row.id === `${id}-${high}`)?.reason).toMatch(/of level 3 and above/);
  });

  it('of a countermeasure is 1 by default, and can be changed, filtered by and included', async () => {
    const task = await makeCountermeasure(test.api, { problem: (await makeWeakness(test.api)).id });
    const path = `/library/tasks/${task.id}/`;
    const include = { include: 'level' };
    expect(await bodyOf(test.api.get(path, include))).toMatchObject({ level: 1 });
    await bodyOf(test.api.patch(path, { level: 3 }));
    expect(await bodyOf(test.api.get(path, include))).toMatchObject({ level: 3 });
    const filtered = await rowsOf(test.api.get<List<{ id: string }>>('/library/tasks/', { level: 3, id: task.id }));
    expect(filtered.map(({ id }) => id)).toEqual([task.id]);
    for (const level of [0, 4, 'L2', null])
      await changesNothing(test, async () => {
        expect(await rejectedFields(test.api.patch(path, { level }))).toEqual(['level']);
      });
  });
});

describe('The importance of a countermeasure', () => {
  const importanceOf = async (project: number, task: string): Promise<number | undefined> =>
    (await tasksOf(project)).find((row) => row.task_id === task)?.importance;

  it('is 6 for each step of priority, and 20 or 10 for levels 1 and 2', async () => {
    const { id } = await makeProject(test);
    const tasks = await leveled({ priority: 7 });
    await save(id);
    expect(await Promise.all(tasks.map((task) => importanceOf(id, task)))).toEqual([62, 52, 42]);
  });

  it('grows with the exposure and the data of the project, of which the highest counts', async () => {
    const { id } = await makeProject(test);
    const [task] = await leveled({ priority: 10 });
    await answer(id, 'A16');
    expect(await importanceOf(id, task)).toBe(80);
    await answer(id, 'A15');
    expect(await importanceOf(id, task)).toBe(85);
    await answer(id, 'A14', 'A35');
    expect(await importanceOf(id, task)).toBe(95);
    await answer(id, 'A36');
    expect(await importanceOf(id, task)).toBe(100);
  });

  it('of a project-specific countermeasure is that of level 1', async () => {
    const { id } = await makeProject(test);
    const body = { title: 'Own', text: 'x', phase: 'X1', priority: 5 };
    const own = await bodyOf(test.api.post<Row>(`/projects/${id}/tasks/`, body), 201);
    expect(own.importance).toBe(50);
  });

  it('orders lists and filters them', async () => {
    const { id } = await makeProject(test);
    await answer(id, 'A1', 'A14', 'A35', LEVEL_2);
    const rows = await tasksOf(id, { ordering: '-importance' });
    const importances = rows.map(({ importance }) => importance);
    expect(importances).toEqual([...importances].sort((a, b) => b - a));
    expect(new Set(importances).size).toBeGreaterThan(3);
    const [highest = 0] = importances;
    const first = await tasksOf(id, { importance__gte: highest });
    expect(first.map((row) => row.importance)).toEqual(importances.filter((importance) => importance >= highest));
  });
});
