import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, unique } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import { makeProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List, Project } from '#test/support/resources.js';

interface RiskPolicy {
  id: number;
  name: string;
  filters: { phases: string[]; priority: number[]; tags: string[] };
  conditions: { statuses: { task_status: string; minimum_verification_status: string }[] };
  is_org_default: boolean;
}

const test = useTestApi();

const makePolicy = (fields: object = {}): Promise<RiskPolicy> =>
  bodyOf(test.api.post<RiskPolicy>('/risk-policies/', { name: unique('Policy'), ...fields }), 201);

const policyOf = async (id: number): Promise<number | null> =>
  (await bodyOf(test.api.get<Project>(`/projects/${id}/`))).risk_policy;

const DONE = { statuses: [{ task_status: 'TS1' }] };

describe('The default risk policy', () => {
  it('of a new organization requires countermeasures of priority 7 or more to be complete or not applicable', async () => {
    const { api } = await test.newOrganization();
    const { results } = await bodyOf(api.get<{ results: RiskPolicy[] }>('/risk-policies/'));
    expect(results).toMatchObject([
      {
        is_org_default: true,
        filters: { phases: [], priority: [7, 8, 9, 10], tags: [] },
        conditions: {
          statuses: [
            { task_status: 'TS1', minimum_verification_status: 'none' },
            { task_status: 'TS3', minimum_verification_status: 'none' },
          ],
        },
      },
    ]);
    const project = await makeProject(test);
    expect(await policyOf(project.id)).toEqual(expect.any(Number));
  });
});

describe('Risk policies', () => {
  it('store filters and conditions without duplicates, and change only the parts that are sent', async () => {
    const policy = await makePolicy({
      filters: { phases: ['X3', 'X1', 'X3'], priority: ['9', 8, 9] },
      conditions: { statuses: [{ task_status: 'TS1', minimum_verification_status: 'pass' }, { task_status: 'TS3' }] },
    });
    expect(policy.filters).toEqual({ phases: ['X3', 'X1'], priority: [8, 9], tags: [] });
    expect(policy.conditions.statuses).toEqual([
      { task_status: 'TS1', minimum_verification_status: 'pass' },
      { task_status: 'TS3', minimum_verification_status: 'none' },
    ]);
    const changed = await bodyOf(
      test.api.patch<RiskPolicy>(`/risk-policies/${policy.id}/`, { filters: { tags: [' pci ', ''] } }),
    );
    expect(changed.filters).toEqual({ phases: ['X3', 'X1'], priority: [8, 9], tags: ['pci'] });
    expect(changed.conditions).toEqual(policy.conditions);
  });

  it('report all errors of an invalid body, nested by field, and change nothing', async () => {
    const { name } = await makePolicy();
    const rejected = await changesNothing(test, () =>
      test.api.post('/risk-policies/', {
        name: name.toUpperCase(),
        filters: { phases: ['X1', 'X999'] },
        conditions: { statuses: [{ task_status: 'TS1' }, { task_status: 'TS9' }] },
      }),
    );
    expect(await bodyOf(rejected, 400)).toEqual({
      name: ['A risk policy with this name already exists.'],
      filters: { phases: ['"X999" does not exist.'] },
      conditions: { statuses: [{}, { task_status: ['"TS9" does not exist.'] }] },
    });
    const shapes = await test.api.strict.post('/risk-policies/', {
      name: 5,
      filters: { priority: [0, 11], phases: 'X1', bogus: 1 },
      conditions: { statuses: [{ task_status: 'TS1', minimum_verification_status: 'all' }, 'TS1'] },
    });
    expect(await bodyOf(shapes, 400)).toMatchObject({
      name: ['Not a valid string.'],
      filters: { priority: [expect.any(String)], phases: [expect.any(String)], bogus: ['This field is unknown.'] },
      conditions: { statuses: [{ minimum_verification_status: [expect.any(String)] }, expect.any(Object)] },
    });
    for (const [field, value] of Object.entries({ filters: [], conditions: 'x', is_org_default: 'maybe' }))
      expect(
        Object.keys(await bodyOf(test.api.post<object>('/risk-policies/', { name: unique(), [field]: value }), 400)),
      ).toEqual([field]);
  });

  it('have a single default per organization, and record an activity for the previous default', async () => {
    const first = await makePolicy({ is_org_default: true });
    const activities = await activitiesOf(test, () => makePolicy({ is_org_default: true }));
    expect(activities.map(({ name, data }) => [name, data['risk_policy'] === first.id])).toEqual([
      ['CreatedRiskPolicyActivity', false],
      ['ChangedRiskPolicyActivity', true],
    ]);
    expect((await bodyOf(test.api.get<RiskPolicy>(`/risk-policies/${first.id}/`))).is_org_default).toBe(false);
    const both = await Promise.all([makePolicy({ is_org_default: true }), makePolicy({ is_org_default: true })]);
    const { results } = await bodyOf(
      test.api.get<{ results: RiskPolicy[] }>('/risk-policies/', { is_org_default: 'true' }),
    );
    expect(results).toHaveLength(1);
    expect(both.map(({ id }) => id)).toContain(results[0]?.id);
  });

  it('apply in this order: that of the project, that of its business unit, the default', async () => {
    const [standard, ofUnit, own] = [
      await makePolicy({ is_org_default: true }),
      await makePolicy(),
      await makePolicy(),
    ];
    const project = await makeProject(test);
    expect(await policyOf(project.id)).toBe(standard.id);
    await bodyOf(test.api.patch(`/business-units/${project.businessUnit}/`, { default_risk_policy: ofUnit.id }));
    expect(await policyOf(project.id)).toBe(ofUnit.id);
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { risk_policy: own.id }));
    expect(await policyOf(project.id)).toBe(own.id);
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { risk_policy: null }));
    expect(await policyOf(project.id)).toBe(ofUnit.id);
  });

  it('update the compliance of projects when they, their assignment or the default change', async () => {
    const project = await makeProject(test);
    await test.database.query('UPDATE project SET survey_complete = true WHERE id = $1', [project.id]);
    const complies = async () =>
      (await bodyOf(test.api.get<Project>(`/projects/${project.id}/`))).risk_policy_compliant;
    const nothing = await makePolicy();
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { risk_policy: nothing.id }));
    expect(await complies()).toBe(true);
    await bodyOf(test.api.patch(`/risk-policies/${nothing.id}/`, { conditions: DONE }));
    expect(await complies()).toBe(false);
    const lax = await makePolicy({ is_org_default: true });
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { risk_policy: null }));
    expect(await complies()).toBe(true);
    const strict = await makePolicy({ conditions: DONE, is_org_default: true });
    expect(await complies()).toBe(false);
    await bodyOf(test.api.patch(`/business-units/${project.businessUnit}/`, { default_risk_policy: lax.id }));
    expect(await complies()).toBe(true);
    await bodyOf(test.api.patch(`/business-units/${project.businessUnit}/`, { default_risk_policy: null }));
    expect(await complies()).toBe(false);
    await bodyOf(test.api.delete(`/risk-policies/${strict.id}/`), 204);
    expect(await complies()).toBe(true);
  });

  it('cannot be deleted while a project uses them', async () => {
    const policy = await makePolicy();
    const project = await makeProject(test, { fields: { risk_policy: policy.id } });
    const rejected = await changesNothing(test, () => test.api.delete(`/risk-policies/${policy.id}/`));
    expect(await bodyOf(rejected, 400)).toEqual({ non_field_errors: [expect.stringMatching(/in use/)] });
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { risk_policy: null }));
    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(`/risk-policies/${policy.id}/`), 204));
    expect(activities).toMatchObject([
      {
        name: 'DeletedRiskPolicyActivity',
        icon: 'shield',
        data: { risk_policy: policy.id, risk_policy_desc: policy.name },
      },
    ]);
  });

  it('are readable by every user, but can be changed only with manage_risk_policies', async () => {
    const policy = await makePolicy();
    const user = await test.newUser({ role: 'UR2' });
    await bodyOf(user.api.get(`/risk-policies/${policy.id}/`));
    await bodyOf(user.api.patch(`/risk-policies/${policy.id}/`, { name: 'x' }), 403);
  });
});

describe('Compliance of a project with its risk policy', () => {
  /** A project with one countermeasure, under its own policy. */
  async function judged() {
    const { id: task } = await makeCountermeasure(test.api, { phase: 'X3', priority: 8, tags: ['pci', 'web'] });
    const policy = await makePolicy({ conditions: DONE });
    const project = await makeEmptyProject(test, { fields: { risk_policy: policy.id } });
    await addCountermeasures(test, project, [task]);
    await test.database.query('UPDATE project SET survey_complete = true WHERE id = $1', [project.id]);
    const path = `/projects/${project.id}/`;
    return {
      path,
      change: (fields: object) => bodyOf(test.api.patch(`/risk-policies/${policy.id}/`, fields)),
      complies: async () => (await bodyOf(test.api.get<Project>(path))).risk_policy_compliant,
      seen: async () =>
        (await rowsOf(test.api.get<List<object>>(`${path}tasks/`, { risk_relevant: 'true' }))).length === 1,
      set: (column: string, value: unknown) =>
        test.database.query(`UPDATE project_countermeasure SET ${column} = $2 WHERE project_id = $1`, [
          project.id,
          value,
        ]),
    };
  }

  it('considers only the countermeasures that match all filters', async () => {
    const { change, complies, seen } = await judged();
    for (const [filters, included] of [
      [{ phases: [], priority: [], tags: [] }, true],
      [{ phases: ['X1', 'X3'] }, true],
      [{ phases: ['X1'] }, false],
      [{ phases: [], priority: [7, 8] }, true],
      [{ priority: [7] }, false],
      [{ priority: [], tags: ['pci', 'other'] }, true],
      [{ tags: ['other'] }, false],
      [{ phases: ['X3'], priority: [8], tags: ['pci'] }, true],
      [{ phases: ['X3'], priority: [7], tags: ['pci'] }, false],
    ] as const) {
      await change({ filters });
      expect([filters, await complies(), await seen()]).toEqual([filters, !included, included]);
    }
  });

  it('considers tags set in the project, and phase and priority of project-specific countermeasures', async () => {
    const { change, complies, set, path } = await judged();
    await set('tags', ['ours']);
    for (const [filters, included] of [
      [{ tags: ['ours'] }, true],
      [{ tags: ['pci'] }, false],
    ] as const) {
      await change({ filters });
      expect([filters, await complies()]).toEqual([filters, !included]);
    }
    await set('status_id', 1);
    await bodyOf(test.api.post(`${path}tasks/`, { title: 'Own', text: 'x', phase: 'X1', priority: 3 }), 201);
    for (const [filters, included] of [
      [{ tags: [], phases: ['X1'], priority: [3] }, true],
      [{ phases: ['X3'], priority: [] }, false],
      [{ phases: [], priority: [4] }, false],
    ] as const) {
      await change({ filters });
      expect([filters, await complies()]).toEqual([filters, !included]);
    }
  });

  it('requires the minimum verification status of a condition, in the order none, fail, partial, pass', async () => {
    const { change, complies, set } = await judged();
    await set('status_id', 1);
    const ranked = ['none', 'fail', 'partial', 'pass'];
    for (const [index, known] of ranked.entries()) {
      await set('verification_status', known);
      for (const [least, minimum] of ranked.entries()) {
        await change({ conditions: { statuses: [{ task_status: 'TS1', minimum_verification_status: minimum }] } });
        expect([known, minimum, await complies()]).toEqual([known, minimum, index >= least]);
      }
    }
  });

  it('changes with the countermeasures of the project, their status, tags and analysis notes', async () => {
    const { change, complies, path } = await judged();
    await change({ conditions: { statuses: [{ task_status: 'TS1', minimum_verification_status: 'partial' }] } });
    const [task] = await rowsOf(test.api.get<List<{ id: string }>>(`${path}tasks/`));
    const of = `${path}tasks/${task?.id}/`;
    const find = (status: string) => bodyOf(test.api.post<{ id: number }>(`${of}analysis-notes/`, { status }), 201);
    const found = await find('pass');
    expect(await complies()).toBe(false);
    await bodyOf(test.api.patch(of, { status: 'TS1' }));
    expect(await complies()).toBe(true);
    await bodyOf(test.api.patch(`${of}analysis-notes/${found.id}/`, { status: 'fail' }));
    expect(await complies()).toBe(false);
    await find('partial');
    expect(await complies()).toBe(true);
    await bodyOf(test.api.patch(of, { status: 'TS2' }));
    expect(await complies()).toBe(false);
    await change({ filters: { tags: ['pci'] } });
    await bodyOf(test.api.patch(of, { tags: ['other'] }));
    expect(await complies()).toBe(true);
    const fields = { title: 'Own', text: 'x', phase: 'X1', priority: 3 };
    const own = await bodyOf(test.api.post<{ id: string }>(`${path}tasks/`, fields), 201);
    expect(await complies()).toBe(true);
    await bodyOf(test.api.patch(`${path}tasks/${own.id}/`, { tags: ['pci'] }));
    expect(await complies()).toBe(false);
    await bodyOf(test.api.delete(`${path}tasks/${own.id}/`), 204);
    expect(await complies()).toBe(true);
    await change({ filters: { tags: [] } });
    expect(await complies()).toBe(false);
    await bodyOf(test.api.patch(of, { status: 'TS1' }));
    expect(await complies()).toBe(true);
    await bodyOf(test.api.post(`${path}tasks/`, fields), 201);
    expect(await complies()).toBe(false);
  });

  it('is null until the survey is complete', async () => {
    const { change, complies, path } = await judged();
    const setComplete = (complete: boolean) =>
      test.database.query('UPDATE project SET survey_complete = $2 WHERE id = $1', [path.split('/')[2], complete]);
    await setComplete(false);
    await change({ conditions: DONE });
    expect(await complies()).toBeNull();
    await setComplete(true);
    await change({ conditions: DONE });
    expect(await complies()).toBe(false);
  });

  it('requires each accepted and relevant countermeasure to meet one of the conditions', async () => {
    const { change, complies, set } = await judged();
    await change({ conditions: { statuses: [{ task_status: 'TS1' }, { task_status: 'TS2' }] } });
    expect(await complies()).toBe(true);
    await change({ conditions: DONE });
    expect(await complies()).toBe(false);
    for (const column of ['accepted', 'relevant']) {
      await set(column, false);
      await change({ conditions: { statuses: [{ task_status: 'TS1' }] } });
      expect([column, await complies()]).toEqual([column, true]);
      await set(column, true);
    }
  });
});
