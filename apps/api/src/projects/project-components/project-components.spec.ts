import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeAttribute, makeComponent, makeCountermeasure } from '#test/support/factories.js';
import { addComponents, makeEmptyProject } from '#test/support/project-content.js';
import type { TestProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Component, List } from '#test/support/resources.js';

const test = useTestApi();

interface Update {
  id: string;
  title: string;
  tasks_implemented: { added: string[]; removed: string[] };
  tasks_introduced: { added: string[]; removed: string[] };
  implied_attributes: { added: string[]; removed: string[] };
}

const updatesPath = (project: TestProject): string => `/projects/${project.id}/component-updates/`;

const updatesOf = (project: TestProject): Promise<Update[]> => rowsOf(test.api.get<List<Update>>(updatesPath(project)));

/**
 * A component that implements one countermeasure, introduces another and implies an attribute, in a project that has it
 * through an answer.
 */
async function inProject() {
  const project = await makeEmptyProject(test);
  const [implemented, introduced] = [await makeCountermeasure(test.api), await makeCountermeasure(test.api)];
  const attribute = await makeAttribute(test.api);
  const component = await makeComponent(test.api, {
    hidden: false,
    answer_mapping: 'A1',
    tasks_implemented: [implemented.id],
    tasks_introduced: [introduced.id],
    implied_attributes: [attribute.id],
  });
  await test.database.query(
    `INSERT INTO project_answer SELECT $1, id FROM survey_answer WHERE item_id = 'A1' AND organization_id IS NULL`,
    [project.id],
  );
  await addComponents(test, project, [component.id]);
  return { project, component, implemented, introduced, attribute };
}

describe('Components of a project', () => {
  it('return the lists that were last applied to the project, with the current title of the library', async () => {
    const { project, component, implemented, introduced, attribute } = await inProject();
    await bodyOf(test.api.patch(`/library/components/${component.id}/`, { tasks_implemented: [], title: 'New title' }));
    const path = `/projects/${project.id}/components/`;
    const [row] = await rowsOf(test.api.get<List<Component>>(path));
    expect(row).toMatchObject({
      id: component.id,
      title: 'New title',
      type: 'Custom',
      tasks_implemented: [implemented.id],
      tasks_introduced: [introduced.id],
      implied_attributes: [attribute.id],
      has_updates: true,
    });
    expect(await bodyOf(test.api.get(`${path}${component.id}/`))).toEqual(row);
    await bodyOf(test.api.get(`${path}SC1/`), 404);
    await bodyOf(test.api.post(path, {}), 405);
  });
});

describe('Component updates', () => {
  it('list only changes to countermeasures and attributes since the project last applied them', async () => {
    const { project, component, implemented, introduced, attribute } = await inProject();
    expect(await updatesOf(project)).toEqual([]);
    await bodyOf(test.api.patch(`/library/components/${component.id}/`, { title: 'Other', description: 'Other' }));
    expect(await updatesOf(project)).toEqual([]);
    const another = await makeCountermeasure(test.api);
    await bodyOf(
      test.api.patch(`/library/components/${component.id}/`, {
        tasks_implemented: [another.id, implemented.id],
        tasks_introduced: [],
        implied_attributes: [],
      }),
    );
    expect(await updatesOf(project)).toMatchObject([
      {
        id: component.id,
        title: 'Other',
        tasks_implemented: { added: [another.id], removed: [] },
        tasks_introduced: { added: [], removed: [introduced.id] },
        implied_attributes: { added: [], removed: [attribute.id] },
      },
    ]);
  });

  it("are applied for all or for selected components with 204, and update the project's countermeasures", async () => {
    const { project, component } = await inProject();
    const other = await makeComponent(test.api, { hidden: false, answer_mapping: 'A1' });
    await addComponents(test, project, [other.id]);
    const added = await makeCountermeasure(test.api, { match_conditions: [{ required: ['A1'], excluded: ['A2'] }] });
    const task = `/projects/${project.id}/tasks/${added.id}/`;
    for (const { id } of [component, other])
      await bodyOf(test.api.patch(`/library/components/${id}/`, { tasks_implemented: [added.id] }));
    expect(await updatesOf(project)).toHaveLength(2);
    const activities = await activitiesOf(test, () =>
      bodyOf(test.api.post(updatesPath(project), { component_ids: [component.id] }), 204),
    );
    expect(activities.filter(({ name }) => name.startsWith('Applied'))).toMatchObject([
      {
        name: 'AppliedComponentUpdatesActivity',
        icon: 'update',
        data: {
          project: project.id,
          project_desc: project.name,
          components: [component.id],
          components_desc: [component.title],
        },
      },
    ]);
    expect((await updatesOf(project)).map(({ id }) => id)).toEqual([other.id]);
    expect(await bodyOf(test.api.get(task))).toMatchObject({ status: 'TS1', note_count: 1 });
    await bodyOf(test.api.post(updatesPath(project)), 204);
    expect(await updatesOf(project)).toEqual([]);
    await changesNothing(test, () => bodyOf(test.api.post(updatesPath(project), {}), 204));
  });

  it('are rejected for components that are not in the project, and change nothing', async () => {
    const { project, component } = await inProject();
    await bodyOf(test.api.patch(`/library/components/${component.id}/`, { tasks_implemented: [] }));
    const refuse = (body: object) => changesNothing(test, () => bodyOf(test.api.post(updatesPath(project), body), 400));
    expect(await refuse({ component_ids: [component.id, 'SC1', 'x'] })).toEqual({
      component_ids: ['"SC1" does not exist.', '"x" does not exist.'],
    });
    for (const ids of ['SC1', null, [1], {}, [null]])
      expect(await rejectedFields(test.api.post(updatesPath(project), { component_ids: ids }))).toEqual([
        'component_ids',
      ]);
  });
});

describe('A countermeasure that a component implements', () => {
  it('is complete whenever it is added to the project, also in its activity', async () => {
    const task = await makeCountermeasure(test.api);
    await makeComponent(test.api, { hidden: false, answer_mapping: 'A1', tasks_implemented: [task.id] });
    const project = await makeEmptyProject(test);
    await bodyOf(test.api.patch(`/projects/${project.id}/survey/draft/A1/`, { selected: true }));
    await bodyOf(test.api.post(`/projects/${project.id}/survey/draft/`));
    const tasks = `/projects/${project.id}/tasks/`;
    for (const _ of ['at first', 'again']) {
      const activities = await activitiesOf(test, async () =>
        expect(await bodyOf(test.api.post(tasks, { task_id: task.id }), 201)).toMatchObject({
          status: 'TS1',
          note_count: 1,
        }),
      );
      expect(activities).toMatchObject([
        { name: 'AddedTaskActivity', data: { status: 'TS1', status_desc: 'Complete' } },
      ]);
      await bodyOf(test.api.delete(`${tasks}${task.id}/`), 204);
    }
  });
});

describe('Deleting a component from the library', () => {
  it('removes it from projects and records an activity in each', async () => {
    const { project, component } = await inProject();
    const activities = await activitiesOf(test, () =>
      bodyOf(test.api.delete(`/library/components/${component.id}/`), 204),
    );
    expect(activities.map(({ name }) => name)).toEqual([
      'RemovedReusableComponentFromProjectActivity',
      'DeletedReusableComponentActivity',
    ]);
    expect(activities[0]?.data).toMatchObject({
      project: project.id,
      project_desc: project.name,
      component: component.id,
      component_desc: component.title,
    });
    expect(await rowsOf(test.api.get<List<Component>>(`/projects/${project.id}/components/`))).toEqual([]);
  });
});

describe('Deleting a countermeasure from the library', () => {
  it('removes it from projects and from their component data, and records an activity in each project', async () => {
    const { project, implemented, component } = await inProject();
    await bodyOf(test.api.post(`/projects/${project.id}/tasks/`, { task_id: implemented.id }), 201);
    await bodyOf(test.api.post(`/projects/${project.id}/tasks/${implemented.id}/notes/`, { text: 'x' }), 201);
    const activities = await activitiesOf(test, () =>
      bodyOf(test.api.delete(`/library/tasks/${implemented.id}/`), 204),
    );
    expect(activities.map(({ name }) => name)).toEqual([
      'UpdatedReusableComponentActivity',
      'DeletedTaskActivity',
      'DeletedStandardActivity',
    ]);
    expect(activities[1]?.data).toMatchObject({
      task: `${project.id}-${implemented.id}`,
      task_desc: implemented.title,
      standard: implemented.id,
      project: project.id,
    });
    await bodyOf(test.api.get(`/projects/${project.id}/tasks/${implemented.id}/`), 404);
    expect(await bodyOf(test.api.get(`/projects/${project.id}/components/${component.id}/`))).toMatchObject({
      tasks_implemented: [],
      has_updates: false,
    });
  });
});
