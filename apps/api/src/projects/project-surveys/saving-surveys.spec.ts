import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeComponent, makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { activitiesOf } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';
import { useSurveys } from '#test/support/surveys.js';

const { test, select, save } = useSurveys();

describe('Saving a survey', () => {
  it("updates the project's countermeasures immediately", async () => {
    const project = await makeProject(test);
    const weakness = await makeWeakness(test.api, { match_conditions: [{ required: ['A5'], excluded: ['A6'] }] });
    const task = await makeCountermeasure(test.api, { problem: weakness.id });
    const tasks = async () =>
      (await rowsOf(test.api.get<List<{ task_id: string }>>(`/projects/${project.id}/tasks/`))).map(
        (row) => row.task_id,
      );
    await save(project.id);
    expect(await tasks()).not.toContain(task.id);
    await select(project.id, 'A5');
    expect(await tasks()).not.toContain(task.id);
    await save(project.id);
    expect(await tasks()).toContain(task.id);
    await select(project.id, 'A6');
    await save(project.id);
    expect(await tasks()).not.toContain(task.id);
  });

  it('records one activity with the added and removed answers', async () => {
    const project = await makeProject(test);
    await select(project.id, 'A4');
    await select(project.id, 'A6');
    await save(project.id);
    await select(project.id, 'A4', false);
    await select(project.id, 'A5');
    const activities = await activitiesOf(test, () => save(project.id));
    expect(activities.filter(({ name }) => name === 'ChangedProjectSurveyActivity')).toEqual([
      {
        name: 'ChangedProjectSurveyActivity',
        organization_id: String(test.organization.id),
        actor_id: String(test.organization.admin.id),
        text: `*Ada Admin* changed the survey of project [${project.name}](/activity-redirect/project/${project.id}/)`,
        data: {
          project: project.id,
          project_desc: project.name,
          application: project.application,
          application_desc: expect.any(String),
          business_unit: project.businessUnit,
          business_unit_desc: expect.any(String),
          answers: { added: ['A5'], removed: ['A4'] },
          answers_desc: { added: [expect.any(String)], removed: [expect.any(String)] },
        },
        icon: 'survey',
        log_level: 'user',
      },
    ]);
  });

  it('adds the component of an answer, completes what it implements and records an activity', async () => {
    const project = await makeProject(test);
    const [done, introduced] = [
      await makeCountermeasure(test.api, {
        match_conditions: [{ required: ['A2'] }],
        problem: (await makeWeakness(test.api)).id,
      }),
      await makeCountermeasure(test.api, {
        match_conditions: [{ required: ['A3'] }],
        problem: (await makeWeakness(test.api)).id,
      }),
    ];
    const component = await makeComponent(test.api, {
      answer_mapping: 'A2',
      hidden: false,
      tasks_implemented: [done.id],
      tasks_introduced: [introduced.id],
    });
    await select(project.id, 'A2');
    const activities = await activitiesOf(test, () => save(project.id));
    expect(
      activities.filter(
        ({ name, data }) => name === 'AddedReusableComponentToProjectActivity' && data['component'] === component.id,
      ),
    ).toMatchObject([{ icon: 'hub', data: { project: project.id, component_desc: component.title } }]);
    const rows = await rowsOf(
      test.api.get<List<{ task_id: string; status: string; note_count: number }>>(`/projects/${project.id}/tasks/`),
    );
    expect(rows.find((row) => row.task_id === done.id)).toMatchObject({ status: 'TS1', note_count: 1 });
    expect(rows.find((row) => row.task_id === introduced.id)).toMatchObject({ status: 'TS2' });

    await bodyOf(test.api.patch(`/projects/${project.id}/tasks/${done.id}/`, { status: 'TS2' }));
    await save(project.id);
    const again = await bodyOf(test.api.get<{ status: string }>(`/projects/${project.id}/tasks/${done.id}/`));
    expect(again.status).toBe('TS2');
  });

  it('keeps an edited countermeasure while it is irrelevant, and its status when it is relevant again', async () => {
    const project = await makeProject(test);
    const task = await makeCountermeasure(test.api, {
      problem: (await makeWeakness(test.api)).id,
      match_conditions: [{ required: ['A5'] }],
    });
    await select(project.id, 'A5');
    await save(project.id);
    await bodyOf(test.api.patch(`/projects/${project.id}/tasks/${task.id}/`, { status: 'TS3' }));
    await select(project.id, 'A5', false);
    await save(project.id);
    const path = `/projects/${project.id}/tasks/${task.id}/`;
    expect(await bodyOf(test.api.get(path))).toMatchObject({ relevant: false, accepted: false, status: 'TS3' });
    await select(project.id, 'A5');
    await save(project.id);
    expect(await bodyOf(test.api.get(path))).toMatchObject({ relevant: true, accepted: true, status: 'TS3' });
  });
});
