import { useTestApi } from '#test/support/api.js';
import { bodyOf, type Json } from '#test/support/client.js';
import { unique } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';

const test = useTestApi();

type Item = Record<string, Json>;

/** A project with items of every kind, and the paths of these items. */
async function everything(): Promise<string[]> {
  const project = await makeEmptyProject(test);
  const { email } = test.organization.admin;
  const add = async (path: string, body: object): Promise<string> => {
    const { id } = await bodyOf(test.api.post<{ id: string | number }>(path, body), 201);
    return `${path}${id}/`;
  };
  const group = await bodyOf(test.api.post<{ id: string }>('/groups/', { name: unique('Group') }), 201);
  const policy = await bodyOf(test.api.post<{ id: number }>('/risk-policies/', { name: unique('Policy') }), 201);
  const [home, unit] = [`/projects/${project.id}/`, `/business-units/${project.businessUnit}/`];
  const members = { users: [email], groups: [group.id] };
  await bodyOf(test.api.patch(home, { ...members, profile: 'P1', risk_policy: policy.id, tags: ['x'] }));
  await bodyOf(
    test.api.patch(unit, { ...members, default_users: [{ email, role: 'PR4' }], default_groups: [group.id] }),
  );
  await addCountermeasures(test, project, ['T1']);
  const own = { title: 'Own', text: 'Text', phase: 'X3', priority: 3 };
  const task = `${home}tasks/T1/`;
  return [
    unit,
    `${home}?expand=creator&include=permissions,task_counts`,
    `${home}survey/draft/A3/`,
    await add(`${home}survey/comments/`, { question: 'Q1', text: 'Text', locked: true }),
    `${task}?include=tags,problem,how_tos`,
    `${task}?expand=status,phase,problem`,
    await add(`${home}tasks/`, own),
    await add(`${task}notes/`, { text: 'Text' }),
    await add(`${task}analysis-notes/`, { status: 'pass', findings: [{ desc: 'x' }], finding_ref: 'x' }),
    `/risk-policies/${policy.id}/`,
    await add('/project-diagrams/', { project: project.id, name: 'Diagram', diagram_data: { a: [1] } }),
  ];
}

/** The item without the user and time of its last update. */
const unmaintained = ({ updated: _updated, updater: _updater, ...others }: Item): Item => others;

describe('Sending a response back as a PATCH', () => {
  it.each(['lenient', 'strict'] as const)('changes nothing (%s)', async (how) => {
    const api = how === 'strict' ? test.api.strict : test.api;
    for (const path of await everything()) {
      const item = await bodyOf(api.get<Item>(path));
      const answer = await bodyOf(api.patch<Item>(path, item));
      expect([path, unmaintained(answer)]).toEqual([path, unmaintained(item)]);
    }
  });

  it('accepts an expanded object in place of its id, but not an object without an id', async () => {
    const project = await makeEmptyProject(test);
    const [profile] = (await bodyOf(test.api.get<{ results: Item[] }>('/profiles/'))).results;
    const policy = await bodyOf(test.api.post<Item>('/risk-policies/', { name: unique('Policy') }), 201);
    const changed = await bodyOf(test.api.patch<Item>(`/projects/${project.id}/`, { profile, risk_policy: policy }));
    expect(changed).toMatchObject({ profile: { id: profile?.id }, risk_policy: policy.id });
    const application = `/applications/${project.application}/`;
    const unit = await bodyOf(test.api.post<Item>('/business-units/', { name: unique('Unit') }), 201);
    const moved = await bodyOf(test.api.patch<Item>(application, { business_unit: unit }));
    expect(moved).toMatchObject({ business_unit: { id: unit.id } });
    await bodyOf(test.api.patch(application, { business_unit: { name: 'No id' } }), 400);
    await addCountermeasures(test, project, ['T1']);
    const task = `/projects/${project.id}/tasks/T1/`;
    const status = await bodyOf(test.api.get<Item>('/task-statuses/TS1/'));
    expect(await bodyOf(test.api.patch<Item>(task, { status }))).toMatchObject({ status: 'TS1' });
    await bodyOf(test.api.patch(task, { status: { name: 'Complete' } }), 400);
  });
});
