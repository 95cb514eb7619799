import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, unique } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import { makeApplication, makeProject, type TestProject } from '#test/support/projects.js';
import type { List } from '#test/support/resources.js';

interface Gate {
  passed: boolean;
  policy: { id: number; name: string } | null;
  evaluated_at: string;
  survey_complete: boolean;
  failed: { rule: string; message: string; countermeasures: { id: string; priority: number; status: string }[] }[];
  counts: { relevant: number; complete: number; not_applicable: number; open: number };
  nothing_to_evaluate: { reason: string; message: string } | null;
}

const test = useTestApi();

const gateOf = (project: TestProject, query: Readonly<Record<string, string | number>> = {}): Promise<Gate> =>
  bodyOf(test.api.get<Gate>(`/projects/${project.id}/gate/`, query));

const completeSurvey = (project: TestProject): Promise<unknown> =>
  test.database.query('UPDATE project SET survey_complete = true WHERE id = $1', [project.id]);

const setStatus = (project: TestProject, task: string, status: string): Promise<unknown> =>
  bodyOf(test.api.patch(`/projects/${project.id}/tasks/${task}/`, { status }));

/** A project with a saved survey and open countermeasures of these priorities; returns their ids in the library too. */
async function withOpen(...priorities: readonly number[]): Promise<{ project: TestProject; tasks: string[] }> {
  const project = await makeEmptyProject(test);
  const tasks: string[] = [];
  for (const priority of priorities) tasks.push((await makeCountermeasure(test.api, { priority, phase: 'X3' })).id);
  await addCountermeasures(test, project, tasks);
  await completeSurvey(project);
  return { project, tasks };
}

const failedTasks = ({ failed }: Gate): string[] =>
  failed.flatMap(({ countermeasures }) => countermeasures.map(({ id }) => id.replace(/^\d+-/, '')));

describe('The gate of a project', () => {
  it('does not pass a new project of a new organization, whose countermeasures are all open', async () => {
    const { api } = await test.newOrganization();
    const application = (await makeApplication(api)).id;
    const project = await bodyOf(api.post<{ id: number }>('/projects/', { name: 'Web shop', application }), 201);
    const gate = (query = {}) => bodyOf(api.get<Gate>(`/projects/${project.id}/gate/`, query));
    const open = (query = {}) =>
      rowsOf(
        api.get<List<{ id: string; priority: number }>>(`/projects/${project.id}/tasks/`, { status: 'TS2', ...query }),
      );
    const compliance = async () =>
      (await bodyOf(api.get<{ risk_policy_compliant: boolean | null }>(`/projects/${project.id}/`)))
        .risk_policy_compliant;
    const all = await open();
    expect(all.length).toBeGreaterThan(50);
    expect(await gate()).toMatchObject({
      passed: false,
      survey_complete: false,
      failed: [{ rule: 'survey' }, { rule: 'countermeasures' }],
      counts: { relevant: all.length, complete: 0, not_applicable: 0, open: all.length },
    });
    expect(await compliance()).toBeNull();

    await bodyOf(api.post(`/projects/${project.id}/survey/draft/`));
    await test.database.query('UPDATE project SET survey_complete = true WHERE id = $1', [project.id]);
    // A change of a countermeasure updates the compliance.
    await bodyOf(api.patch(`/projects/${project.id}/tasks/${all[0]?.id ?? ''}/`, { artifact_proxy: 'SHOP-1' }));
    const urgent = await open({ priority__gte: 7 });
    expect(urgent.length).toBeGreaterThan(10);
    const complete = await gate();
    expect(complete).toMatchObject({ passed: false, survey_complete: true, failed: [{ rule: 'countermeasures' }] });
    expect(complete.failed[0]?.countermeasures.map(({ id }) => id).sort()).toEqual(urgent.map(({ id }) => id).sort());
    expect(await compliance()).toBe(false);
  });

  it('fails while a countermeasure of priority 7 or more is open, and names it', async () => {
    const { project, tasks } = await withOpen(6, 7, 10);
    const [low = '', high = '', highest = ''] = tasks;
    const gate = await gateOf(project);
    expect(gate).toMatchObject({
      passed: false,
      policy: { name: 'Priority 7 and above' },
      survey_complete: true,
      failed: [
        {
          rule: 'countermeasures',
          message: '2 countermeasures do not meet the risk policy "Priority 7 and above".',
          countermeasures: [
            { id: `${project.id}-${highest}`, priority: 10, status: 'TS2', url: expect.stringContaining(highest) },
            { id: `${project.id}-${high}`, priority: 7, status: 'TS2' },
          ],
        },
      ],
      counts: { relevant: 3, complete: 0, not_applicable: 0, open: 3 },
    });
    await setStatus(project, highest, 'TS1');
    await setStatus(project, high, 'TS3');
    expect(await gateOf(project)).toMatchObject({
      passed: true,
      failed: [],
      counts: { relevant: 3, complete: 1, not_applicable: 1, open: 1 },
    });
    await setStatus(project, low, 'TS1');
    expect((await gateOf(project)).counts).toEqual({ relevant: 3, complete: 2, not_applicable: 1, open: 0 });
  });

  it('fails if the survey was never saved, even without open countermeasures', async () => {
    const project = await makeEmptyProject(test);
    expect(await gateOf(project)).toMatchObject({
      passed: false,
      survey_complete: false,
      failed: [{ rule: 'survey', countermeasures: [] }],
      counts: { relevant: 0, open: 0 },
    });
    await completeSurvey(project);
    expect((await gateOf(project)).passed).toBe(true);
  });

  it('looks at other priorities and phases on request', async () => {
    const { project, tasks } = await withOpen(3, 8, 9);
    const [low = '', middle = '', high = ''] = tasks;
    expect(failedTasks(await gateOf(project))).toEqual([high, middle]);
    expect(failedTasks(await gateOf(project, { min_priority: 9 }))).toEqual([high]);
    expect(failedTasks(await gateOf(project, { min_priority: 3 }))).toEqual([high, middle, low]);
    expect(await gateOf(project, { min_priority: 10 })).toMatchObject({ passed: true, counts: { open: 3 } });
    expect((await gateOf(project, { phase__in: 'X1,X2' })).passed).toBe(true);
    expect(failedTasks(await gateOf(project, { phase__in: 'X3' }))).toEqual([high, middle]);
  });

  it('applies the policy of the project, or the one in the request', async () => {
    const { project } = await withOpen(9);
    const make = (fields: object): Promise<{ id: number; name: string }> =>
      bodyOf(
        test.api.post<{ id: number; name: string }>('/risk-policies/', { name: unique('Policy'), ...fields }),
        201,
      );
    const lenient = await make({});
    const verified = await make({
      conditions: { statuses: [{ task_status: 'TS1', minimum_verification_status: 'pass' }] },
    });
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { risk_policy: lenient.id }));
    expect(await gateOf(project)).toMatchObject({ passed: true, policy: { id: lenient.id, name: lenient.name } });
    const [task = ''] = failedTasks(await gateOf(project, { policy: verified.id }));
    await setStatus(project, task, 'TS1');
    expect((await gateOf(project, { policy: verified.id })).passed).toBe(false);
    await bodyOf(test.api.post(`/projects/${project.id}/tasks/${task}/analysis-notes/`, { status: 'pass' }), 201);
    expect((await gateOf(project, { policy: verified.id })).passed).toBe(true);
  });

  it('requires what the request looks at to be done, even if the policy sets no conditions', async () => {
    const { project, tasks } = await withOpen(9);
    const { id } = await bodyOf(test.api.post<{ id: number }>('/risk-policies/', { name: unique('Lenient') }), 201);
    expect(await gateOf(project, { policy: id })).toMatchObject({ passed: true });
    expect(failedTasks(await gateOf(project, { policy: id, min_priority: 7 }))).toEqual(tasks);
  });

  it('says why there is nothing to evaluate', async () => {
    const reasonOf = async (project: TestProject, query = {}) =>
      (await gateOf(project, query)).nothing_to_evaluate?.reason ?? null;
    const project = await makeEmptyProject(test);
    // A suggestion answers nothing, and saving it does not either.
    const suggest = `INSERT INTO project_answer (project_id, answer_id, state)
      SELECT $1, id, 'suggested' FROM survey_answer WHERE item_id = 'A1'`;
    await test.database.query(suggest, [project.id]);
    expect(await reasonOf(project)).toBe('survey');
    await bodyOf(test.api.post(`/projects/${project.id}/survey/draft/`));
    expect(await reasonOf(project)).toBe('survey');
    await bodyOf(test.api.patch(`/projects/${project.id}/survey/draft/A1/`, { selected: true }));
    expect(await reasonOf(project)).toBe('survey');
    await bodyOf(test.api.post(`/projects/${project.id}/survey/draft/`));
    expect(await gateOf(project)).toMatchObject({ passed: false, survey_complete: false, nothing_to_evaluate: null });

    const { project: empty } = await withOpen();
    expect(await reasonOf(empty)).toBe('countermeasures');
    const { project: open } = await withOpen(9);
    const { id } = await bodyOf(test.api.post<{ id: number }>('/risk-policies/', { name: unique('Lenient') }), 201);
    expect(await reasonOf(open)).toBeNull();
    expect(await gateOf(open, { policy: id })).toMatchObject({
      passed: true,
      nothing_to_evaluate: { reason: 'policy', message: expect.stringContaining('sets no conditions') },
    });
    expect(await reasonOf(open, { policy: id, min_priority: 7 })).toBeNull();
    expect(await reasonOf(open, { min_priority: 10 })).toBeNull();
  });

  it.each([
    [{ min_priority: 0 }, 'min_priority'],
    [{ min_priority: 11 }, 'min_priority'],
    [{ min_priority: 'high' }, 'min_priority'],
    [{ phase__in: 'T1' }, 'phase__in'],
    [{ policy: 999_999 }, 'policy'],
    [{ policy: 'x' }, 'policy'],
  ])('rejects %j', async (query, parameter) => {
    const project = await makeProject(test);
    expect(await rejectedFields(test.api.get(`/projects/${project.id}/gate/`, query))).toEqual([parameter]);
  });

  it("rejects another organization's policy, and is not found by those who do not see the project", async () => {
    const project = await makeProject(test);
    const other = await test.newOrganization();
    const { results } = await bodyOf(other.api.get<{ results: { id: number }[] }>('/risk-policies/'));
    const path = `/projects/${project.id}/gate/`;
    expect(await rejectedFields(test.api.get(path, { policy: results[0]?.id ?? 0 }))).toEqual(['policy']);
    await bodyOf(other.api.get(path), 404);
    await bodyOf((await test.newUser()).api.get(path), 404);
  });
});
