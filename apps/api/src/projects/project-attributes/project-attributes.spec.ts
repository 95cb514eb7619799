import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeAttribute, makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { makeEmptyProject } from '#test/support/project-content.js';
import type { TestProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List, UserReference } from '#test/support/resources.js';

const test = useTestApi();

interface Source {
  type: string;
  ref: string | null;
  reason: string;
  added_by: UserReference | null;
  added: string;
}

interface ProjectAttribute {
  id: string;
  name: string;
  active: boolean;
  sources: Source[];
}

const pathOf = (project: TestProject, rest = ''): string => `/projects/${project.id}/attributes/${rest}`;

const attributesOf = (project: TestProject): Promise<ProjectAttribute[]> =>
  rowsOf(test.api.get<List<ProjectAttribute>>(pathOf(project)));

const add = (project: TestProject, body: unknown): Promise<List<ProjectAttribute>> =>
  bodyOf(test.api.post<List<ProjectAttribute>>(pathOf(project, 'bulk/'), body));

describe('Attributes of a project', () => {
  it('are added manually as objects or ids, with or without a reason, and returned as a list', async () => {
    const project = await makeEmptyProject(test);
    const { results } = await add(project, { attributes: [{ id: 'AT1', reason: 'Agreed' }, 'AT2', { id: 'AT3' }] });
    expect(results.map(({ id, sources }) => [id, sources.map(({ type, reason }) => [type, reason])])).toEqual([
      ['AT1', [['manual', 'Agreed']]],
      ['AT2', [['manual', '']]],
      ['AT3', [['manual', '']]],
    ]);
    expect(results[0]).toMatchObject({
      name: expect.any(String),
      active: true,
      sources: [{ ref: null, added_by: { email: test.organization.admin.email }, added: expect.any(String) }],
    });
    expect(await attributesOf(project)).toEqual(results);
  });

  it('are accepted as a bare array, and duplicates are ignored', async () => {
    const project = await makeEmptyProject(test);
    const { results } = await add(project, ['AT4', { id: 'AT5', reason: 'x' }, 'AT4']);
    expect(results.map(({ id }) => id)).toEqual(['AT4', 'AT5']);
    expect((await add(project, [])).results).toEqual(results);
  });

  it('accept a duplicate with one reason, but reject two different reasons for one attribute', async () => {
    const project = await makeEmptyProject(test);
    const { results } = await add(project, ['AT4', { id: 'AT4', reason: 'x' }, { id: 'AT4' }]);
    expect(results).toMatchObject([{ id: 'AT4', sources: [{ reason: 'x' }] }]);
    const entries = [{ id: 'AT5', reason: 'x' }, 'AT6', { id: 'AT5', reason: 'y' }];
    const rejected = () => bodyOf(test.api.post(`/projects/${project.id}/attributes/bulk/`, entries), 400);
    expect(await changesNothing(test, rejected)).toEqual({
      attributes: [{}, {}, { reason: ['The same attribute is listed with another reason.'] }],
    });
  });

  it('keep their reason when they are added again without one, and change it when a new one is given', async () => {
    const project = await makeEmptyProject(test);
    await add(project, [{ id: 'AT1', reason: 'First' }]);
    await changesNothing(test, () => add(project, ['AT1']));
    const activities = await activitiesOf(test, () => add(project, [{ id: 'AT1', reason: 'Second' }]));
    expect(activities).toMatchObject([{ name: 'ModifiedProjectAttributeSourceReasonActivity' }]);
    expect(await attributesOf(project)).toMatchObject([{ sources: [{ reason: 'Second' }] }]);
  });

  it('are all rejected if one is unknown or invalid, or if there are more than 500', async () => {
    const project = await makeEmptyProject(test);
    const stranger = await test.newOrganization();
    await test.database.query(
      `INSERT INTO id_counter VALUES ($1, 'attribute', 7000) ON CONFLICT (organization_id, kind) DO UPDATE
        SET value = 7000`,
      [stranger.id],
    );
    const theirs = await makeAttribute(stranger.api);
    for (const body of [{ attributes: ['AT1', { id: theirs.id }] }, ['AT1', theirs.id]])
      expect(await changesNothing(test, () => bodyOf(test.api.post(pathOf(project, 'bulk/'), body), 400))).toEqual({
        attributes: [{}, { id: [`"${theirs.id}" does not exist.`] }],
      });
    const wrong = [
      {},
      { attributes: 'AT1' },
      { attributes: [1] },
      { attributes: [null] },
      { attributes: [[]] },
      { attributes: [{ reason: 'x' }] },
      { attributes: [{ id: 'AT1', reason: 5 }] },
      { attributes: [{ id: 'AT1', reason: 'x'.repeat(1025) }] },
      Array.from({ length: 501 }, () => 'AT1'),
    ];
    for (const body of wrong)
      expect(await changesNothing(test, () => rejectedFields(test.api.post(pathOf(project, 'bulk/'), body)))).toEqual([
        'attributes',
      ]);
    await bodyOf(
      test.api.post(pathOf(project, 'bulk/'), undefined, {
        raw: '"AT1"',
        headers: { 'Content-Type': 'application/json' },
      }),
      400,
    );
    expect(
      (
        await add(
          project,
          Array.from({ length: 500 }, () => 'AT1'),
        )
      ).results,
    ).toHaveLength(1);
  });

  it('allow changing their reason, and disappear when their last source is deleted', async () => {
    const project = await makeEmptyProject(test);
    await add(project, ['AT1']);
    const manual = pathOf(project, 'AT1/sources/manual/');
    expect(await bodyOf(test.api.patch(manual, { reason: 'Why not' }))).toMatchObject({
      id: 'AT1',
      sources: [{ type: 'manual', reason: 'Why not' }],
    });
    await changesNothing(test, () => bodyOf(test.api.patch(manual, {})));
    expect(await rejectedFields(test.api.patch(manual, { reason: null }))).toEqual(['reason']);
    await bodyOf(test.api.delete(manual), 204);
    expect(await attributesOf(project)).toEqual([]);
    await bodyOf(test.api.delete(manual), 404);
    await bodyOf(test.api.patch(manual, { reason: 'x' }), 404);
  });

  it('remain with their survey source after the manual source is deleted, which then returns 404', async () => {
    const project = await makeEmptyProject(test);
    const [answer] = await test.database.query<{ id: string; item_id: string; attribute: string }>(
      `SELECT s.id, s.item_id, a.item_id AS attribute FROM survey_answer s JOIN attribute a ON a.id = s.attributes[1]
       WHERE s.is_active AND NOT EXISTS (SELECT 1 FROM component_version c WHERE c.answer_id = s.id) LIMIT 1`,
    );
    const id = answer?.attribute ?? '';
    await test.database.query('INSERT INTO project_answer VALUES ($1, $2)', [project.id, answer?.id]);
    await add(project, [{ id, reason: 'By hand' }]);
    const both = (await attributesOf(project)).find((one) => one.id === id);
    expect(both?.sources).toMatchObject([
      { type: 'survey', ref: answer?.item_id, added_by: null },
      { type: 'manual', ref: null },
    ]);
    await bodyOf(test.api.delete(pathOf(project, `${id}/sources/manual/`)), 204);
    const left = (await attributesOf(project)).find((one) => one.id === id);
    expect(left?.sources.map(({ type }) => type)).toEqual(['survey']);
    for (const method of ['PATCH', 'DELETE'])
      await bodyOf(test.api.send(method, pathOf(project, `${id}/sources/manual/`), { reason: 'x' }), 404);
  });

  it('report whether they are active in the organization', async () => {
    const organization = await test.newOrganization();
    const project = await makeEmptyProject(test, { organization });
    await bodyOf(organization.api.post(pathOf(project, 'bulk/'), ['AT9']));
    await bodyOf(organization.api.patch('/library/attributes/AT9/', { active: false }));
    expect(await bodyOf(organization.api.get(pathOf(project, 'AT9/')))).toMatchObject({ id: 'AT9', active: false });
  });

  it('record an activity for each source that is added, changed or removed', async () => {
    const project = await makeEmptyProject(test);
    const activities = await activitiesOf(test, async () => {
      await add(project, [{ id: 'AT1', reason: 'One' }, 'AT2']);
      await bodyOf(test.api.patch(pathOf(project, 'AT1/sources/manual/'), { reason: 'Two' }));
      await bodyOf(test.api.delete(pathOf(project, 'AT1/sources/manual/')), 204);
    });
    const projectFields = { project: project.id, project_desc: project.name, application: project.application };
    expect(activities).toMatchObject([
      {
        name: 'CreatedProjectAttributeSourceActivity',
        icon: 'label',
        data: { ...projectFields, attribute: 'AT1', reason: 'One' },
      },
      { name: 'CreatedProjectAttributeSourceActivity', data: { attribute: 'AT2' } },
      {
        name: 'ModifiedProjectAttributeSourceReasonActivity',
        data: { ...projectFields, attribute: 'AT1', reason: 'Two' },
      },
      { name: 'DeletedProjectAttributeSourceActivity', data: { ...projectFields, attribute: 'AT1' } },
    ]);
  });

  it('make countermeasures relevant through match conditions on attributes', async () => {
    const organization = await test.newOrganization();
    const { api } = organization;
    await bodyOf(api.post('/flags/', { name: 'DECISION_ENGINE' }), 201);
    const project = await makeEmptyProject(test, { organization });
    const attribute = await makeAttribute(api);
    const { id: problem } = await makeWeakness(api);
    const { id } = await makeCountermeasure(api, {
      problem,
      match_conditions: [{ required_attributes: [attribute.id] }],
    });
    const task = `/projects/${project.id}/tasks/${id}/`;
    await bodyOf(api.get(task), 404);
    await bodyOf(api.post(pathOf(project, 'bulk/'), [attribute.id]));
    expect(await bodyOf(api.get(task))).toMatchObject({ relevant_via_survey: true, accepted: true });
    await bodyOf(api.delete(pathOf(project, `${attribute.id}/sources/manual/`)), 204);
    await bodyOf(api.get(task), 404);
  });
});

describe('Deleting an attribute used by projects', () => {
  it('requires force, removes it from the projects and records an activity in each', async () => {
    const project = await makeEmptyProject(test);
    const { id } = await makeAttribute(test.api);
    await add(project, [{ id, reason: 'It is so.' }]);
    const rejected = await changesNothing(test, () => bodyOf(test.api.delete(`/library/attributes/${id}/`), 400));
    expect(rejected).toMatchObject({
      non_field_errors: [`It is used by projects: ${project.id}.`, expect.any(String)],
    });
    const activities = await activitiesOf(test, () =>
      bodyOf(test.api.delete(`/library/attributes/${id}/?force=true`), 204),
    );
    expect(activities.map(({ name }) => name)).toEqual([
      'DeletedProjectAttributeSourceActivity',
      'UpdatedProjectActivity',
      'DeletedAttributeActivity',
    ]);
    expect(activities[0]?.data).toMatchObject({ project: project.id, attribute: id, reason: 'It is so.' });
    expect(activities[1]?.data).toMatchObject({ project: project.id });
    expect(await attributesOf(project)).toEqual([]);
  });
});
