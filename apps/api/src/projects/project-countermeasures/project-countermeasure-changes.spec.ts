import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, unique } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject, type ProjectCountermeasure } from '#test/support/project-content.js';
import { type TestProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Countermeasure, List } from '#test/support/resources.js';

const test = useTestApi();

const own = (fields: object = {}): Record<string, unknown> => ({
  title: unique('Own'),
  text: 'What to **do** here.',
  phase: 'X3',
  priority: 4,
  ...fields,
});

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

const emailsOf = ({ assigned_to: assigned }: ProjectCountermeasure): string[] => assigned.map(({ email }) => email);

describe('Adding a countermeasure to a project', () => {
  it('adds a library countermeasure by its id, but only once', async () => {
    const project = await makeEmptyProject(test);
    const created = await bodyOf(test.api.post<ProjectCountermeasure>(pathOf(project), { task_id: 'T7' }), 201);
    expect(created).toMatchObject({
      id: `${project.id}-T7`,
      manually_added_from_library: true,
      project_specific: false,
      relevant: true,
      relevant_via_survey: false,
      accepted: true,
      updater: { email: test.organization.admin.email },
    });
    expect(created.became_relevant).not.toBeNull();
    expect(await bodyOf(test.api.get(pathOf(project, 'T7')))).toEqual(created);
    expect(await changesNothing(test, () => rejectedFields(test.api.post(pathOf(project), { task_id: 'T7' })))).toEqual(
      ['task_id'],
    );
  });

  it('marks a countermeasure that is already relevant as manually added until it is deleted', async () => {
    const project = await withThree();
    await change(project, 'T1', { accepted: false });
    const added = await bodyOf(test.api.post(pathOf(project), { task_id: 'T1' }), 201);
    expect(added).toMatchObject({ manually_added_from_library: true, relevant_via_survey: true, accepted: true });
    await bodyOf(test.api.delete(pathOf(project, 'T1')), 204);
    expect(await bodyOf(test.api.get(pathOf(project, 'T1')))).toMatchObject({
      manually_added_from_library: false,
      relevant: true,
    });
  });

  it('creates a project-specific countermeasure, numbered from 1, and never reuses a number', async () => {
    const project = await makeEmptyProject(test);
    const first = await bodyOf(test.api.post<ProjectCountermeasure>(pathOf(project), own()), 201);
    expect(first).toMatchObject({
      id: `${project.id}-PT1`,
      task_id: 'PT1',
      problem: null,
      phase: 'X3',
      priority: 4,
      project_specific: true,
      ad_hoc: true,
      manually_added_from_library: false,
      relevant: true,
      accepted: true,
      library_task_created: null,
      library_task_updated: null,
    });
    await bodyOf(test.api.delete(pathOf(project, first.id)), 204);
    expect(await bodyOf(test.api.post(pathOf(project), own()), 201)).toMatchObject({ task_id: 'PT2' });
    expect(await bodyOf(test.api.post(pathOf(await makeEmptyProject(test)), own()), 201)).toMatchObject({
      task_id: 'PT1',
    });
  });

  it('assigns unique ids in concurrent requests, and adds each library countermeasure only once', async () => {
    const project = await makeEmptyProject(test);
    const created = await Promise.all(
      Array.from({ length: 6 }, () => bodyOf(test.api.post<ProjectCountermeasure>(pathOf(project), own()), 201)),
    );
    expect(created.map(({ task_id: id }) => id).sort()).toEqual(['PT1', 'PT2', 'PT3', 'PT4', 'PT5', 'PT6']);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => test.api.post(pathOf(project), { task_id: 'T9' })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400, 400, 400]);
  });

  it('rejects missing, unknown and inactive values and contradictory fields, and changes nothing', async () => {
    const project = await makeEmptyProject(test);
    const inactive = await makeCountermeasure(test.api, { active: false });
    const stranger = await test.newOrganization();
    const theirs = await makeCountermeasure(stranger.api);
    for (const [body, fields] of [
      [{}, ['title', 'text', 'phase', 'priority']],
      [{ title: 'x' }, ['text', 'phase', 'priority']],
      [own({ phase: 'X99' }), ['phase']],
      [own({ priority: 11 }), ['priority']],
      [own({ title: '   ' }), ['title']],
      [own({ title: 'x'.repeat(501) }), ['title']],
      [own({ text: '\ud800' }), ['text']],
      [own({ text: 'a\0b' }), ['text']],
      [{ task_id: 'T99999' }, ['task_id']],
      [{ task_id: theirs.id === 'CT1' ? 'CT999' : theirs.id }, ['task_id']],
      [{ task_id: 7 }, ['task_id']],
      [{ task_id: null }, ['task_id']],
      [{ task_id: inactive.id }, ['task_id']],
      [{ ...own(), task_id: 'T1' }, ['non_field_errors']],
    ] as const)
      expect([
        body,
        (await changesNothing(test, () => rejectedFields(test.api.post(pathOf(project), body)))).sort(),
      ]).toEqual([body, [...fields].sort()]);
  });

  it('can be undone with DELETE only for countermeasures that were added manually', async () => {
    const project = await withThree();
    await bodyOf(test.api.post(pathOf(project), { task_id: 'T8' }), 201);
    await bodyOf(test.api.delete(pathOf(project, 'T8')), 204);
    await bodyOf(test.api.get(pathOf(project, 'T8')), 404);
    expect(await changesNothing(test, () => bodyOf(test.api.delete(pathOf(project, 'T1')), 403))).toEqual({
      detail: expect.stringContaining('accepted'),
    });
    await bodyOf(test.api.delete(pathOf(project, 'T8')), 404);
  });
});

describe('Updating a project countermeasure', () => {
  it('accepts a status by its id, name or meaning, ignoring case', async () => {
    const project = await withThree();
    for (const [given, id] of [
      ['TS1', 'TS1'],
      ['Incomplete', 'TS2'],
      ['NA', 'TS3'],
      ['done', 'TS1'],
      ['not applicable', 'TS3'],
      ['ts2', 'TS2'],
    ] as const)
      expect(await change(project, 'T1', { status: given })).toMatchObject({ status: id });
    for (const status of ['TS4', 'Finished', '', null, 1, {}, ['TS1'], '%', "'"])
      expect(
        await changesNothing(test, () => rejectedFields(test.api.patch(pathOf(project, 'T1'), { status }))),
      ).toEqual(['status']);
  });

  it('records when the status changed and who changed it', async () => {
    const project = await withThree();
    const before = await change(project, 'T1', {});
    const after = await change(project, 'T1', { status: 'TS1' });
    expect(after.status_updated).not.toBeNull();
    expect(after.updated > before.updated).toBe(true);
    expect(after.updater).toMatchObject({ id: test.organization.admin.id });
    await changesNothing(test, () => change(project, 'T1', { status: 'DONE' }));
  });

  it('creates a note from status_note unless it is blank', async () => {
    const project = await withThree();
    expect(await change(project, 'T1', { status: 'TS1', status_note: 'Done in *2.1*.' })).toMatchObject({
      note_count: 1,
    });
    expect(await rowsOf(test.api.get<List<object>>(`${pathOf(project, 'T1')}notes/`))).toMatchObject([
      { text: 'Done in *2.1*.', automatic: false, task: `${project.id}-T1` },
    ]);
    expect(await change(project, 'T1', { status: 'TS2', status_note: ' ' })).toMatchObject({ note_count: 1 });
  });

  it('assigns users by their email, ignoring case and duplicates', async () => {
    const project = await withThree();
    const [a, b] = [await test.newUser(), await test.newUser()];
    const emails = [a.email.toUpperCase(), ` ${b.email}`, a.email];
    expect(emailsOf(await change(project, 'T1', { assigned_to: emails }))).toEqual([a.email, b.email].sort());
    for (const who of [a.email, String(b.id), `nobody,${a.email}`])
      expect(await idsOf(project, { assigned_to: who })).toEqual(['T1']);
    expect(await idsOf(project, { assigned_to__isnull: 'true' })).toEqual(['T2', 'T3']);
    expect(emailsOf(await change(project, 'T1', { assigned_to: [b.email] }))).toEqual([b.email]);
    expect(await change(project, 'T1', { assigned_to: [] })).toMatchObject({ assigned_to: [] });
  });

  it('returns assigned users with their role, and accepts them back as objects with an email', async () => {
    const project = await withThree();
    const user = await test.newUser({ role: 'UR2', firstName: 'Grace', lastName: 'Hopper' });
    const { id, email } = user;
    const shown = [
      {
        id,
        email,
        first_name: 'Grace',
        last_name: 'Hopper',
        is_active: true,
        role: { id: 'UR2', name: expect.any(String) },
      },
    ];
    const { assigned_to: assigned } = await change(project, 'T1', { assigned_to: [{ email }] });
    expect(assigned).toEqual(shown);
    await bodyOf(test.api.strict.patch(pathOf(project, 'T1'), { assigned_to: assigned }));
    expect((await bodyOf(test.api.get<ProjectCountermeasure>(pathOf(project, 'T1')))).assigned_to).toEqual(shown);
    expect(await rejectedFields(test.api.patch(pathOf(project, 'T1'), { assigned_to: [{ id }] }))).toEqual([
      'assigned_to',
    ]);
  });

  it('keeps a deactivated user who is already assigned, and rejects new assignments to that user', async () => {
    const project = await withThree();
    const [deleted, other] = [await test.newUser(), await test.newUser()];
    await change(project, 'T1', { assigned_to: [deleted.email] });
    await bodyOf(test.api.patch(`/users/${deleted.id}/`, { is_active: false }));
    const both = [deleted.email, other.email].sort();
    expect(emailsOf(await change(project, 'T1', { assigned_to: both }))).toEqual(both);
    expect(await rejectedFields(test.api.patch(pathOf(project, 'T2'), { assigned_to: both }))).toEqual(['assigned_to']);
  });

  it('rejects assigned users who are unknown, inactive or from another organization', async () => {
    const project = await withThree();
    const deleted = await test.newUser();
    await bodyOf(test.api.patch(`/users/${deleted.id}/`, { is_active: false }));
    const stranger = await test.newOrganization();
    for (const email of ['nobody@example.com', deleted.email, stranger.admin.email, '', '%'])
      expect(
        await changesNothing(test, () => bodyOf(test.api.patch(pathOf(project, 'T1'), { assigned_to: [email] }), 400)),
      ).toEqual({ assigned_to: [`"${email}" does not exist.`] });
    for (const wrong of ['nobody@example.com', null, [1], [null], {}])
      expect(await rejectedFields(test.api.patch(pathOf(project, 'T1'), { assigned_to: wrong }))).toEqual([
        'assigned_to',
      ]);
  });

  it('overrides the tags of the library and sets the artifact reference', async () => {
    const project = await withThree();
    await change(project, 'T1', { tags: [' a ', 'b', 'a', ''], artifact_proxy: 'SHOP-1' });
    expect(await bodyOf(test.api.get(pathOf(project, 'T1'), { include: 'tags' }))).toMatchObject({
      tags: ['a', 'b'],
      artifact_proxy: 'SHOP-1',
    });
    expect(await idsOf(project, { tag: ['b', 'c'] })).toEqual(['T1']);
    expect(await idsOf(project, { artifact_proxy: 'SHOP-1' })).toEqual(['T1']);
    await change(project, 'T1', { tags: [] });
    expect(await bodyOf(test.api.get(pathOf(project, 'T1'), { include: 'tags' }))).toMatchObject({ tags: [] });
  });

  it('changes title, text, phase and priority of project-specific countermeasures only', async () => {
    const project = await withThree();
    const { id } = await bodyOf(test.api.post<ProjectCountermeasure>(pathOf(project), own()), 201);
    const fields = { title: 'New', text: 'New text', phase: 'X1', priority: 9 };
    expect(await change(project, id, fields)).toMatchObject(fields);
    await changesNothing(test, () => change(project, 'T1', fields));
    expect(await rejectedFields(test.api.patch(pathOf(project, id), { phase: 'X99', status: 'x' }))).toEqual([
      'status',
      'phase',
    ]);
  });

  it('records an activity for each change, with the project, application and business unit', async () => {
    const project = await withThree();
    const user = await test.newUser();
    const activities = await activitiesOf(test, async () => {
      await change(project, 'T1', {
        status: 'TS1',
        status_note: 'Done.',
        assigned_to: [user.email],
        artifact_proxy: 'X',
      });
      await bodyOf(test.api.post(pathOf(project), { task_id: 'T9' }), 201);
      const { id } = await bodyOf(test.api.post<ProjectCountermeasure>(pathOf(project), own({ title: 'Ours' })), 201);
      await change(project, id, { title: 'Still ours' });
      await bodyOf(test.api.delete(pathOf(project, id)), 204);
    });
    const { title } = await bodyOf(test.api.get<Countermeasure>('/library/tasks/T1/'));
    const projectFields = { project: project.id, project_desc: project.name, application: project.application };
    const t1 = { ...projectFields, task: `${project.id}-T1`, task_desc: title, standard: 'T1', standard_desc: title };
    const complete = { status: 'TS1', status_desc: 'Complete' };
    const incomplete = { status: 'TS2', status_desc: 'Incomplete' };
    const ours = { ...projectFields, task: `${project.id}-PT1`, ...incomplete };
    expect(activities).toMatchObject([
      { name: 'MarkedTaskActivity', icon: 'check', data: { ...t1, ...complete } },
      {
        name: 'AssignedUserToTaskActivity',
        icon: 'check',
        data: { ...t1, ...complete, user: `U${user.id}`, user_desc: 'Grace User' },
      },
      { name: 'UpdatedTaskActivity', icon: 'check', data: { ...t1, ...complete } },
      { name: 'AddedNoteActivity', icon: 'note', data: t1 },
      {
        name: 'AddedTaskActivity',
        icon: 'check',
        data: { ...projectFields, ...incomplete, task: `${project.id}-T9`, standard: 'T9' },
      },
      { name: 'CreatedTaskActivity', icon: 'check', data: { ...ours, task_desc: 'Ours' } },
      { name: 'UpdatedTaskActivity', icon: 'check', data: { ...ours, task_desc: 'Still ours' } },
      { name: 'DeletedTaskActivity', icon: 'check', data: { ...ours, task_desc: 'Still ours' } },
    ]);
    expect(activities.at(-1)?.data).not.toHaveProperty('standard');
    expect(activities[0]?.data).toHaveProperty('business_unit', project.businessUnit);
  });
});
