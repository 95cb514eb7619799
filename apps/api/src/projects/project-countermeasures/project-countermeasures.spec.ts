import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeAttribute, makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import {
  addCountermeasures,
  addRisks,
  makeEmptyProject,
  type ProjectCountermeasure,
} from '#test/support/project-content.js';
import { addMember, type TestProject } from '#test/support/projects.js';
import type { Countermeasure, List } from '#test/support/resources.js';

const test = useTestApi();

const pathOf = (project: TestProject, id = ''): string => `/projects/${project.id}/tasks/${id === '' ? '' : `${id}/`}`;

/** A project with T1, T2 and T3 of the library. */
async function withThree(): Promise<TestProject> {
  const project = await makeEmptyProject(test);
  await addCountermeasures(test, project, ['T1', 'T2', 'T3']);
  return project;
}

const list = (project: TestProject, query = {}): Promise<ProjectCountermeasure[]> =>
  rowsOf(test.api.get<List<ProjectCountermeasure>>(pathOf(project), query));

const idsOf = async (project: TestProject, query = {}): Promise<string[]> =>
  (await list(project, query)).map(({ task_id: id }) => id);

const change = (project: TestProject, id: string, changes: object): Promise<ProjectCountermeasure> =>
  bodyOf(test.api.patch<ProjectCountermeasure>(pathOf(project, id), changes));

describe('Countermeasures of a project', () => {
  it('are listed with their library content and project fields', async () => {
    const project = await withThree();
    const body = await bodyOf(test.api.get<List<ProjectCountermeasure>>(pathOf(project)));
    expect(body).not.toHaveProperty('facets');
    const library = await bodyOf(test.api.get<Countermeasure>('/library/tasks/T1/'));
    expect(body.results.map(({ id }) => id)).toEqual([`${project.id}-T1`, `${project.id}-T2`, `${project.id}-T3`]);
    expect(body.results[0]).toEqual({
      id: `${project.id}-T1`,
      task_id: 'T1',
      url: `/projects/${project.id}/tasks/${project.id}-T1/`,
      title: library.title,
      text: library.text,
      priority: library.priority,
      importance: 6 * library.priority + 20,
      phase: library.phase,
      problem: library.problem,
      status: 'TS2',
      verification_status: 'none',
      relevant: true,
      relevant_via_survey: true,
      accepted: true,
      manually_added_from_library: false,
      project_specific: false,
      ad_hoc: false,
      assigned_to: [],
      inclusion_reason: expect.any(String),
      note_count: 0,
      artifact_proxy: '',
      became_relevant: expect.any(String),
      status_updated: null,
      updated: expect.any(String),
      updater: null,
      library_task_created: library.created_date,
      library_task_updated: library.last_updated_date,
    });
  });

  it("show the organization's current version of the library content", async () => {
    const { api, ...organization } = await test.newOrganization();
    const project = await makeEmptyProject(test, { organization: { ...organization, api } });
    await addCountermeasures(test, project, ['T5']);
    const title = unique('Changed');
    await bodyOf(api.patch('/library/tasks/T5/', { title, priority: 10, phase: 'X5', tags: ['ours'] }));
    expect(await bodyOf(api.get(pathOf(project, 'T5'), { include: 'tags' }))).toMatchObject({
      title,
      priority: 10,
      phase: 'X5',
      tags: ['ours'],
    });
    expect((await rowsOf(api.get<List<ProjectCountermeasure>>(pathOf(project), { search: title }))).length).toBe(1);
    expect((await rowsOf(api.get<List<ProjectCountermeasure>>(pathOf(project), { tag: 'ours' }))).length).toBe(1);
  });

  it('are found by both forms of their id, but not by the id of another project', async () => {
    const project = await withThree();
    const other = await withThree();
    for (const id of ['T2', `${project.id}-T2`])
      expect(await bodyOf(test.api.get(pathOf(project, id)))).toMatchObject({ id: `${project.id}-T2` });
    for (const id of [`${other.id}-T2`, 'T4', 't2', 'T02', 'PT1', `${project.id}-`, '-T2', '9'.repeat(60), '%00'])
      expect(await bodyOf(test.api.get(pathOf(project, id)), 404)).toEqual({ detail: 'Not found.' });
  });

  it('exclude countermeasures that are not accepted unless the accepted filter includes them', async () => {
    const project = await withThree();
    await change(project, 'T2', { accepted: false });
    expect(await idsOf(project)).toEqual(['T1', 'T3']);
    expect(await idsOf(project, { accepted: 'False' })).toEqual(['T2']);
    expect(await idsOf(project, { accepted: 'all' })).toEqual(['T1', 'T2', 'T3']);
    expect(await rejectedFields(test.api.get(pathOf(project), { accepted: 'maybe' }))).toEqual(['accepted']);
    expect(await bodyOf(test.api.get(pathOf(project, 'T2')))).toMatchObject({ accepted: false, relevant: true });
    const updates = await rowsOf(test.api.get<List<ProjectCountermeasure>>(`/projects/${project.id}/task-updates/`));
    expect(updates.map(({ task_id: id }) => id)).toEqual(['T2']);
  });

  it('apply the default of the accepted filter only if no accepted parameter has a value', async () => {
    const project = await withThree();
    await change(project, 'T2', { accepted: false });
    expect(await idsOf(project, { accepted: '', accepted__in: '' })).toEqual(['T1', 'T3']);
    expect(await idsOf(project, { accepted__in: 'false' })).toEqual(['T2']);
    expect(await idsOf(project, { accepted__in: 'true,false' })).toEqual(['T1', 'T2', 'T3']);
    expect(await idsOf(project, { accepted__isnull: 'false' })).toEqual(['T1', 'T2', 'T3']);
    expect(await idsOf(project, { accepted: 'true', accepted__in: 'false' })).toEqual([]);
  });

  it('expand status, phase and problem, and include tags, problem, how_tos and amendments', async () => {
    const project = await withThree();
    const library = await bodyOf(
      test.api.get<Countermeasure>('/library/tasks/T1/', { include: 'tags', expand: 'phase,problem' }),
    );
    const shown = await bodyOf(
      test.api.get(pathOf(project, 'T1'), { expand: 'status,phase', include: 'tags,problem,how_tos,amendments' }),
    );
    expect(shown).toMatchObject({
      status: { id: 'TS2', meaning: 'TODO', name: 'Incomplete', slug: 'incomplete', icon: 'clock-o' },
      phase: library.phase,
      problem: library.problem,
      tags: library.tags,
      how_tos: expect.any(Array),
      amendments: expect.any(Array),
    });
    expect(await bodyOf(test.api.get(pathOf(project, 'T1'), { expand: 'problem' }))).toMatchObject({
      problem: library.problem,
    });
  });

  it('include only additional requirements and how-tos whose match conditions hold in the project', async () => {
    const project = await makeEmptyProject(test);
    const { id } = await makeCountermeasure(test.api);
    await addCountermeasures(test, project, [id]);
    for (const [title, conditions] of [
      ['Always', []],
      ['With A1', [{ required: ['A1'] }]],
      ['With A2', [{ required: ['A2'] }]],
      ['Without A1', [{ excluded: ['A1'] }]],
      ['Either', [{ required: ['A2'] }, { required: ['A1'], excluded: ['A2'] }]],
    ] as const)
      for (const part of ['amendments', 'implementations'])
        await bodyOf(
          test.api.post(`/library/tasks/${id}/${part}/`, { title, text: 'x', match_conditions: conditions }),
        );
    await test.database.query(
      `INSERT INTO project_answer SELECT $1, id FROM survey_answer WHERE item_id = 'A1' AND organization_id IS NULL`,
      [project.id],
    );
    const shown = await bodyOf(
      test.api.get<{ amendments: { title: string }[]; how_tos: { title: string }[] }>(pathOf(project, id), {
        include: 'amendments,how_tos',
      }),
    );
    for (const parts of [shown.amendments, shown.how_tos])
      expect(parts.map(({ title }) => title)).toEqual(['Always', 'With A1', 'Either']);
  });

  it('ignore inactive answers and attributes in the match conditions of how-tos', async () => {
    const organization = await test.newOrganization();
    const { api } = organization;
    const project = await makeEmptyProject(test, { organization });
    const { id } = await makeCountermeasure(api);
    await addCountermeasures(test, project, [id]);
    const attribute = await makeAttribute(api);
    await bodyOf(
      api.post(`/library/tasks/${id}/implementations/`, {
        title: 'x',
        text: 'x',
        match_conditions: [{ required: ['A1'] }],
      }),
    );
    await test.database.query(
      `INSERT INTO project_answer SELECT $1, id FROM survey_answer WHERE item_id = 'A1' AND organization_id IS NULL`,
      [project.id],
    );
    await test.database.query(
      `INSERT INTO project_attribute_source (project_id, attribute_id, type) SELECT $1, id, 'manual' FROM attribute
       WHERE item_id = $2 AND organization_id = $3`,
      [project.id, attribute.id, organization.id],
    );
    const partsOf = async (): Promise<number> => {
      const { how_tos: parts } = await bodyOf(
        api.get<{ how_tos: object[] }>(pathOf(project, id), { include: 'how_tos' }),
      );
      return parts.length;
    };
    const switchAnswer = (on: boolean) =>
      test.database.query(`UPDATE survey_answer SET is_active = $1 WHERE item_id = 'A1' AND organization_id IS NULL`, [
        on,
      ]);
    expect(await partsOf()).toBe(1);
    await switchAnswer(false);
    expect(await partsOf()).toBe(0);
    await switchAnswer(true);

    await bodyOf(api.post('/flags/', { name: 'DECISION_ENGINE' }), 201);
    const [part] = await rowsOf(api.get<List<{ id: string }>>(`/library/tasks/${id}/implementations/`));
    await bodyOf(
      api.patch(`/library/tasks/${id}/implementations/${part?.id}/`, {
        match_conditions: [{ required_attributes: [attribute.id] }],
      }),
    );
    expect(await partsOf()).toBe(1);
    await bodyOf(api.patch(`/library/attributes/${attribute.id}/`, { active: false }));
    expect(await partsOf()).toBe(0);
  });
});

describe('Countermeasures assigned to the caller', () => {
  it('are listed across all visible projects, without archived ones', async () => {
    const user = await test.newUser();
    const [first, second, unseen, archived] = [
      await withThree(),
      await withThree(),
      await withThree(),
      await withThree(),
    ];
    for (const project of [first, second, archived]) await addMember(test, project, user, 'PR4');
    for (const project of [first, second, unseen, archived]) await change(project, 'T2', { assigned_to: [user.email] });
    await change(first, 'T3', { assigned_to: [user.email], accepted: false });
    await test.database.query('UPDATE project SET archived = true WHERE id = $1', [archived.id]);
    const ids = async (query = {}): Promise<string[]> =>
      (await rowsOf(user.api.get<List<ProjectCountermeasure>>('/users/me/tasks/', query))).map(({ id }) => id);
    expect(await ids()).toEqual([`${first.id}-T2`, `${second.id}-T2`]);
    expect(await ids({ accepted: 'all' })).toEqual([`${first.id}-T2`, `${first.id}-T3`, `${second.id}-T2`]);
    expect(await ids({ project: second.id, status: 'TS2' })).toEqual([`${second.id}-T2`]);
    expect(await ids({ status: 'TS1' })).toEqual([]);
  });

  it('show the name and URL of their project with expand=project', async () => {
    const user = await test.newUser();
    const project = await withThree();
    await addMember(test, project, user, 'PR4');
    await change(project, 'T2', { assigned_to: [user.email] });
    const own = async (query = {}): Promise<unknown[]> =>
      (await rowsOf(user.api.get<List<{ project: unknown }>>('/users/me/tasks/', query))).map((row) => row.project);
    expect(await own()).toEqual([undefined]);
    expect(await own({ expand: 'project' })).toEqual([
      { id: project.id, name: project.name, url: `/projects/${project.id}/` },
    ]);
  });
});

describe('The status of a countermeasure', () => {
  it('is accepted as id, name or slug, in any case, by filters and in bodies', async () => {
    const project = await withThree();
    for (const status of ['TS3', 'ts3', 'Not Applicable', 'not applicable', 'not-applicable', 'NOT-APPLICABLE']) {
      await change(project, 'T2', { status });
      expect(await idsOf(project, { status })).toEqual(['T2']);
      expect(await idsOf(project, { status__in: `${status},TS1` })).toEqual(['T2']);
      await change(project, 'T2', { status: 'incomplete' });
      expect(await idsOf(project, { status: 'Incomplete' })).toEqual(['T1', 'T2', 'T3']);
    }
    expect(await rejectedFields(test.api.get(pathOf(project), { status: 'done' }))).toEqual(['status']);
  });
});

describe('Countermeasures of a weakness in a project', () => {
  it("list only accepted ones, by both forms of the weakness's id, with filters", async () => {
    const project = await makeEmptyProject(test);
    const weakness = await makeWeakness(test.api);
    const [a, b] = [
      await makeCountermeasure(test.api, { problem: weakness.id, priority: 3 }),
      await makeCountermeasure(test.api, { problem: weakness.id, priority: 8 }),
    ];
    await addCountermeasures(test, project, ['T1', a.id, b.id]);
    await addRisks(test, project, [weakness.id]);
    const policy = await bodyOf(
      test.api.post<{ id: number }>('/risk-policies/', { name: unique('Policy'), filters: { priority: [8] } }),
      201,
    );
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { risk_policy: policy.id }));
    const user = await test.newUser();
    await change(project, a.id, { assigned_to: [user.email], status: 'TS1' });
    const at = (id: string, query: object = {}) =>
      rowsOf(
        test.api.get<List<Record<string, unknown>>>(`/projects/${project.id}/problems/${id}/tasks/`, { ...query }),
      );
    const rows = await at(weakness.id);
    expect(rows).toEqual([
      {
        id: `${project.id}-${a.id}`,
        task_id: a.id,
        title: a.title,
        assigned_to: [expect.objectContaining({ email: user.email })],
        status: 'TS1',
        risk_relevant: false,
      },
      expect.objectContaining({ task_id: b.id, assigned_to: [], status: 'TS2', risk_relevant: true }),
    ]);
    expect(await at(`${project.id}-${weakness.id}`)).toEqual(rows);
    const found = async (query: object) => (await at(weakness.id, query)).map(({ task_id: id }) => id);
    expect(await found({ risk_relevant: true })).toEqual([b.id]);
    expect(await found({ assigned_to: user.email })).toEqual([a.id]);
    expect(await found({ assigned_to__in: `x@example.com,${user.email}` })).toEqual([a.id]);
    expect(await found({ priority: 8 })).toEqual([b.id]);
    expect(await found({ status: 'TS1' })).toEqual([a.id]);
    expect((await at(weakness.id, { expand: 'status' }))[0]?.['status']).toMatchObject({ id: 'TS1', slug: 'complete' });
    await change(project, a.id, { accepted: false });
    expect(await found({})).toEqual([b.id]);
    for (const id of ['P999999', 'x', `${project.id + 1}-${weakness.id}`])
      await bodyOf(test.api.get(`/projects/${project.id}/problems/${id}/tasks/`), 404);
  });
});
