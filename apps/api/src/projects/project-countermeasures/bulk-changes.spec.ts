import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, unique } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject, type ProjectCountermeasure } from '#test/support/project-content.js';
import { addMember, type TestProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';

interface Result {
  changed: number;
  unchanged: number;
  errors: { id: string; errors: object }[];
}

const test = useTestApi();

const bulkOf = (project: TestProject): string => `/projects/${project.id}/tasks/bulk/`;

const change = (project: TestProject, body: object, api = test.api): Promise<Result> =>
  bodyOf(api.patch<Result>(bulkOf(project), body));

const list = (project: TestProject, query = {}): Promise<ProjectCountermeasure[]> =>
  rowsOf(test.api.get<List<ProjectCountermeasure>>(`/projects/${project.id}/tasks/`, query));

/** A project with T1, T2 and T3 of the library. */
async function withThree(): Promise<TestProject> {
  const project = await makeEmptyProject(test);
  await addCountermeasures(test, project, ['T1', 'T2', 'T3']);
  return project;
}

const missing = (id: string) => ({ id, errors: { id: [`"${id}" does not exist.`] } });

describe('Changing many countermeasures of a project', () => {
  it('changes those with the given ids, and reports ids that the project does not have', async () => {
    const [project, other] = [await withThree(), await withThree()];
    const ids = ['T1', `${project.id}-T2`, 'T1', `${other.id}-T3`, 'T999999', 'nonsense'];
    expect(await change(project, { ids, changes: { status: 'complete' } })).toEqual({
      changed: 2,
      unchanged: 0,
      errors: [missing(`${other.id}-T3`), missing('T999999'), missing('nonsense')],
    });
    expect((await list(project)).map(({ status }) => status)).toEqual(['TS1', 'TS1', 'TS2']);
    expect((await list(other)).map(({ status }) => status)).toEqual(['TS2', 'TS2', 'TS2']);
    expect(await change(project, { ids: ['T1', 'T3'], changes: { status: 'TS1' } })).toEqual({
      changed: 1,
      unchanged: 1,
      errors: [],
    });
  });

  it('changes those that the list shows with the same filters', async () => {
    const project = await makeEmptyProject(test);
    const word = unique('payment');
    const make = async (title: string, priority: number) =>
      (await makeCountermeasure(test.api, { title: unique(title), priority })).id;
    const tasks = [await make(word, 9), await make(word, 4), await make('Other', 9), await make(word, 8)];
    await addCountermeasures(test, project, tasks);
    await bodyOf(test.api.patch(`/projects/${project.id}/tasks/${tasks[3]}/`, { accepted: false }));
    const filter = { search: word, priority__gte: 7, status__in: ['TS2', 'TS3'] };
    const shown = (await list(project, filter)).map(({ task_id: id }) => id);
    expect(shown).toEqual([tasks[0]]);
    expect(await change(project, { filter, changes: { status: 'TS1' } })).toMatchObject({ changed: 1, unchanged: 0 });
    const all = await list(project, { accepted: 'all', status: 'TS1' });
    expect(all.map(({ task_id: id }) => id)).toEqual(shown);
    expect(await change(project, { filter: {}, changes: { status: 'TS3' } })).toMatchObject({ changed: 3 });
    expect(await change(project, { filter: { accepted: 'all' }, changes: { status: 'TS3' } })).toMatchObject({
      changed: 1,
      unchanged: 3,
    });
  });

  it('records the same activities as changing each of them alone', async () => {
    const [together, alone] = [await withThree(), await withThree()];
    const { email } = await test.newUser();
    const changes = { status: 'TS1', assigned_to: [email], tags: ['urgent'] };
    /** What activities say, without the ids and names of the places, which differ. */
    const recorded = async (act: () => Promise<unknown>): Promise<string[]> =>
      (await activitiesOf(test, act))
        .map(({ name, data }) => {
          const { task, task_desc, status, status_desc, user, user_desc, standard, standard_desc } = data;
          const id = String(task).replace(/^\d+-/, '');
          return JSON.stringify([name, id, task_desc, status, status_desc, user, user_desc, standard, standard_desc]);
        })
        .sort();
    const many = await recorded(() => change(together, { ids: ['T1', 'T2'], changes: { ...changes, note: 'Done.' } }));
    const single = await recorded(async () => {
      for (const id of ['T1', 'T2'])
        await bodyOf(test.api.patch(`/projects/${alone.id}/tasks/${id}/`, { ...changes, status_note: 'Done.' }));
    });
    expect(many).toHaveLength(8);
    expect(many).toEqual(single);
    const [first] = await list(together);
    expect(first).toMatchObject({ status: 'TS1', assigned_to: [{ email }], note_count: 1 });
  });

  it('leaves out countermeasures that a user who is no longer active is not assigned to', async () => {
    const project = await withThree();
    const [gone, active] = [await test.newUser(), await test.newUser()];
    await change(project, { ids: ['T1'], changes: { assigned_to: [gone.email] } });
    await bodyOf(test.api.patch(`/users/${gone.id}/`, { is_active: false }));
    const changes = { assigned_to: [gone.email, active.email], status: 'TS1' };
    expect(await change(project, { ids: ['T1', 'T2'], changes })).toEqual({
      changed: 1,
      unchanged: 0,
      errors: [{ id: `${project.id}-T2`, errors: { assigned_to: [`"${gone.email}" does not exist.`] } }],
    });
    expect((await list(project)).map(({ status, assigned_to: users }) => [status, users.length])).toEqual([
      ['TS1', 2],
      ['TS2', 0],
      ['TS2', 0],
    ]);
    await changesNothing(test, async () => {
      const body = { ids: ['T2', 'T3'], changes };
      expect(await bodyOf(test.api.patch(bulkOf(project), body), 400)).toEqual({
        changes: { assigned_to: [`"${gone.email}" does not exist.`] },
      });
    });
  });

  it('requires the role that a single change requires', async () => {
    const project = await withThree();
    const developer = await test.newUser();
    await addMember(test, project, developer, 'PR4');
    expect(await change(project, { ids: ['T1'], changes: { status: 'TS1', note: 'x' } }, developer.api)).toMatchObject({
      changed: 1,
    });
    const [stranger, reader] = [await test.newUser(), await test.newUser()];
    await addMember(test, project, reader, 'PR5');
    await changesNothing(test, async () => {
      const body = { ids: ['T2'], changes: { status: 'TS1', tags: ['x'] } };
      await bodyOf(developer.api.patch(bulkOf(project), body), 403);
      await bodyOf(reader.api.patch(bulkOf(project), body), 403);
      await bodyOf(stranger.api.patch(bulkOf(project), body), 404);
    });
  });

  it('updates the compliance of the project once', async () => {
    const project = await withThree();
    await test.database.query('UPDATE project SET survey_complete = true WHERE id = $1', [project.id]);
    const compliant = async () =>
      (await bodyOf(test.api.get<{ risk_policy_compliant: boolean | null }>(`/projects/${project.id}/`)))
        .risk_policy_compliant;
    await change(project, { ids: ['T1'], changes: { status: 'TS1' } });
    expect(await compliant()).toBe(false);
    await change(project, { filter: {}, changes: { status: 'TS1' } });
    expect(await compliant()).toBe(true);
  });

  it.each([
    [{ changes: { status: 'TS1' } }, ['non_field_errors']],
    [{ ids: ['T1'], filter: {}, changes: { status: 'TS1' } }, ['non_field_errors']],
    [{ ids: ['T1'] }, ['changes']],
    [{ ids: ['T1'], changes: { status: 'TS9' } }, ['changes']],
    [{ ids: ['T1'], changes: { assigned_to: ['nobody@example.com'] } }, ['changes']],
    [{ ids: 'T1', changes: { status: 'TS1' } }, ['ids']],
    [{ ids: Array.from({ length: 1001 }, (_, n) => `T${n + 1}`), changes: { status: 'TS1' } }, ['ids']],
    [{ filter: { prioritiy__gte: 7 }, changes: { status: 'TS1' } }, ['filter']],
    [{ filter: { page_size: 5 }, changes: { status: 'TS1' } }, ['filter']],
    [{ filter: { status: '' }, changes: { status: 'TS1' } }, ['filter']],
    [{ filter: { status: null }, changes: { status: 'TS1' } }, ['filter']],
    [{ filter: { status__in: [] }, changes: { status: 'TS1' } }, ['filter']],
    [{ filter: { priority: 'high' }, changes: { status: 'TS1' } }, ['filter']],
  ])('rejects %j and changes nothing', async (body, fields) => {
    const project = await withThree();
    await changesNothing(test, async () => {
      expect(await rejectedFields(test.api.patch(bulkOf(project), body))).toEqual(fields);
    });
  });

  it('names the filter that it does not know', async () => {
    const project = await withThree();
    const body = { filter: { prioritiy__gte: 7 }, changes: {} };
    expect(await bodyOf(test.api.patch(bulkOf(project), body), 400)).toEqual({
      filter: { prioritiy__gte: ['This filter is unknown.'] },
    });
  });

  it('changes 1,000 in a few statements, and rejects a filter that selects more', async () => {
    const project = await makeEmptyProject(test);
    const fill = (from: number, to: number) =>
      test.database.query(
        `INSERT INTO project_countermeasure (organization_id, project_id, number, title, text, phase_id, priority)
         SELECT p.organization_id, p.id, n, 'Own ' || n, 'x', (SELECT id FROM phase WHERE item_id = 'X3'), 5
         FROM project p, generate_series($2::int, $3::int) n WHERE p.id = $1`,
        [project.id, from, to],
      );
    await fill(1, 1000);
    const { email } = await test.newUser();
    const changes = { status: 'TS1', note: 'Done.', tags: ['x'], assigned_to: [email] };
    expect(await change(project, { filter: {}, changes })).toEqual({ changed: 1000, unchanged: 0, errors: [] });
    expect(await change(project, { filter: {}, changes: { status: 'TS1' } })).toMatchObject({ unchanged: 1000 });
    await fill(1001, 1001);
    await changesNothing(test, async () => {
      expect(await bodyOf(test.api.patch(bulkOf(project), { filter: {}, changes: { status: 'TS2' } }), 400)).toEqual({
        filter: ['It selects more than 1000 countermeasures. Restrict it further.'],
      });
    });
  });
});
