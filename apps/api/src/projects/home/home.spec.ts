import type { Home } from '#domain/projects/home/home.js';
import { type TestUser, useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { makeComponent, makeCountermeasure } from '#test/support/factories.js';
import { addComponents, addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import { addMember, type TestProject } from '#test/support/projects.js';

type HomeBody = Home & { activities: { id: number; name: string; actor: number; data: { project?: number } }[] };

const test = useTestApi();

const homeOf = ({ api }: Pick<TestUser, 'api'>): Promise<HomeBody> => bodyOf(api.get<HomeBody>('/home/'));

const change = (project: TestProject, task: string, changes: object): Promise<unknown> =>
  bodyOf(test.api.patch(`/projects/${project.id}/tasks/${task}/`, changes));

/** A project with a member and countermeasures of these priorities, whose ids are returned too. */
async function projectOf(user: TestUser, ...priorities: readonly number[]) {
  const project = await makeEmptyProject(test);
  await addMember(test, project, user, 'PR4');
  const tasks: string[] = [];
  for (const priority of priorities) tasks.push((await makeCountermeasure(test.api, { priority })).id);
  await addCountermeasures(test, project, tasks);
  return { project, tasks };
}

describe('The start page', () => {
  it('is empty for a new user', async () => {
    const organization = await test.newOrganization();
    const user = await test.newUser({ organization });
    expect(await homeOf(user)).toMatchObject({ work: [], projects: [], updates: [] });
  });

  it('counts the open countermeasures that are assigned to the caller, where most are urgent first', async () => {
    const user = await test.newUser();
    const [few, many] = [await projectOf(user, 6, 9), await projectOf(user, 7, 8, 3)];
    for (const { project, tasks } of [few, many])
      for (const task of tasks) await change(project, task, { assigned_to: [user.email] });
    const nameOf = ({ project: { id, name } }: typeof few) => ({ id, name });
    expect((await homeOf(user)).work).toEqual([
      { project: nameOf(many), open: 3, high_priority: 2 },
      { project: nameOf(few), open: 2, high_priority: 1 },
    ]);
    await change(many.project, many.tasks[0] ?? '', { status: 'TS1' });
    await change(many.project, many.tasks[1] ?? '', { accepted: false });
    expect((await homeOf(user)).work).toEqual([
      { project: nameOf(few), open: 2, high_priority: 1 },
      { project: nameOf(many), open: 1, high_priority: 0 },
    ]);
    await bodyOf(test.api.patch(`/projects/${few.project.id}/`, { archived: true }));
    expect((await homeOf(user)).work.map(({ project }) => project.id)).toEqual([many.project.id]);
  });

  it('shows the progress of projects that the caller can see, first of those that they are a member of', async () => {
    const user = await test.newUser();
    const { project, tasks } = await projectOf(user, 5, 5, 5);
    const open = await makeEmptyProject(test, { allUsers: true });
    const hidden = await makeEmptyProject(test);
    await change(project, tasks[0] ?? '', { status: 'TS1' });
    await change(project, tasks[1] ?? '', { status: 'TS3' });
    const { projects } = await homeOf(user);
    expect(projects[0]).toEqual({ id: project.id, name: project.name, complete: 2, relevant: 3 });
    const ids = projects.map(({ id }) => id);
    expect([ids.includes(open.id), ids.includes(hidden.id)]).toEqual([true, false]);
  });

  it('counts changes of the library that wait for a decision', async () => {
    const user = await test.newUser();
    const { project, tasks } = await projectOf(user, 5, 5);
    expect((await homeOf(user)).updates).toEqual([]);
    await change(project, tasks[0] ?? '', { accepted: false });
    const component = await makeComponent(test.api, { hidden: false });
    await addComponents(test, project, [component.id]);
    await bodyOf(test.api.patch(`/library/components/${component.id}/`, { tasks_implemented: ['T1'] }));
    expect((await homeOf(user)).updates).toEqual([{ project: { id: project.id, name: project.name }, count: 2 }]);
  });

  it("shows the latest activities of the caller's own stream, and at most 20 of everything", async () => {
    const user = await test.newUser();
    for (let count = 0; count < 22; count += 1) {
      const { project, tasks } = await projectOf(user, 5);
      await change(project, tasks[0] ?? '', { assigned_to: [user.email], accepted: false });
      await change(project, tasks[0] ?? '', { accepted: true });
      await change(project, tasks[0] ?? '', { tags: ['x'] });
    }
    await test.database.query(
      `UPDATE project_countermeasure t SET relevant = false FROM project_member m
       WHERE m.project_id = t.project_id AND m.user_id = $1`,
      [user.id],
    );
    const { work, projects, updates, activities } = await homeOf(user);
    expect([work.length, projects.length, updates.length, activities.length]).toEqual([20, 20, 20, 20]);
    const { results } = await bodyOf(
      user.api.get<{ results: object[] }>('/users/me/activity-stream/', { page_size: 20 }),
    );
    expect(activities).toEqual(results);
  });
});
