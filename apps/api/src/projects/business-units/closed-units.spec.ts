import { type TestUser, useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeGroup, unique, userWith } from '#test/support/factories.js';
import { addMember, makeApplication, makeBusinessUnit, makeProject } from '#test/support/projects.js';
import type { List, Project } from '#test/support/resources.js';

const test = useTestApi();

interface Place {
  readonly path: '/business-units/' | '/applications/';
  readonly id: number;
  readonly name: string;
}

/** A closed business unit with two applications, the first of which has a project. */
async function closedUnit() {
  const unit = await makeBusinessUnit(test.api);
  const tag = unique('tag');
  const application = await makeApplication(test.api, { business_unit: unit.id, tags: [tag] });
  const neighbor = await makeApplication(test.api, { business_unit: unit.id });
  const body = { name: unique('Project'), application: application.id, profile: null };
  const project = await bodyOf(test.api.post<Project>('/projects/', body), 201);
  const places = {
    unit: { path: '/business-units/', id: unit.id, name: unit.name },
    application: { path: '/applications/', id: application.id, name: application.name },
    neighbor: { path: '/applications/', id: neighbor.id, name: neighbor.name },
  } as const;
  return {
    ...places,
    tag,
    project: { id: project.id, name: project.name, application: application.id, businessUnit: unit.id },
  };
}

/** Whether a user can see an item by its id, in the list and by filters; fails unless all of these agree. */
async function sees({ api }: Pick<TestUser, 'api'>, { path, id, name }: Place): Promise<boolean> {
  const { status, body } = await api.get(`${path}${id}/`);
  if (status !== 200) expect(body).toEqual({ detail: 'Not found.' });
  const listed = async (query: Record<string, string | number>): Promise<boolean> =>
    (await rowsOf(api.get<List<{ id: number }>>(path, query))).some((row) => row.id === id);
  const found = [status === 200];
  const queries: Record<string, string | number>[] = [{}, { id }, { name }, { search: name }, { ordering: '-name' }];
  for (const query of queries) found.push(await listed(query));
  const { count } = await bodyOf(api.get<{ count: number }>(path, { name, page_size: 1 }));
  found.push(count === 1);
  if (new Set(found).size !== 1) throw new Error(`Seen here and not there: ${found.join(', ')}`);
  return status === 200;
}

const seen = async (user: Pick<TestUser, 'api'>, places: Awaited<ReturnType<typeof closedUnit>>) => [
  await sees(user, places.unit),
  await sees(user, places.application),
  await sees(user, places.neighbor),
];

describe('A closed business unit and its applications', () => {
  it('are hidden from users without access, in single reads, lists, filters and redirects', async () => {
    const places = await closedUnit();
    for (const user of [
      await test.newUser(),
      await test.newUser({ role: 'UR5' }),
      await userWith(test, 'manage_users'),
    ])
      expect(await seen(user, places)).toEqual([false, false, false]);
    const { api } = await test.newUser();
    expect(await rowsOf(api.get<List<object>>('/applications/', { tag: places.tag }))).toEqual([]);
    expect(await rowsOf(api.get<List<object>>('/applications/', { business_unit: places.unit.id }))).toEqual([]);
    expect(await rowsOf(api.get<List<object>>('/projects/', { business_unit: places.unit.id }))).toEqual([]);
    expect((await api.get(`${test.origin}/activity-redirect/application/${places.application.id}/`)).status).toBe(404);
  });

  it('are visible to the users and groups of the unit and to its default members', async () => {
    const fields = [
      (user: TestUser) => Promise.resolve({ users: [user.id] }),
      async (user: TestUser) => ({ groups: [(await makeGroup(test.api, [user.id])).id] }),
      (user: TestUser) => Promise.resolve({ default_users: [user.id] }),
    ];
    for (const fieldsFor of fields) {
      const [places, user] = [await closedUnit(), await test.newUser()];
      await bodyOf(test.api.patch(`/business-units/${places.unit.id}/`, await fieldsFor(user)));
      expect(await seen(user, places)).toEqual([true, true, true]);
      await bodyOf(user.api.get(`/projects/${places.project.id}/`), 404);
    }
  });

  it('are visible to members of a project, except for the other applications of the unit', async () => {
    const [places, user] = [await closedUnit(), await test.newUser()];
    await addMember(test, places.project, user, 'PR5');
    expect(await seen(user, places)).toEqual([true, true, false]);
  });

  it.each([
    'add_application',
    'add_business_unit',
    'add_project',
    'delete_application',
    'edit_all_projects',
    'edit_application',
    'edit_business_unit',
    'view_all_projects',
  ])('are visible to users with %s', async (permission) => {
    expect(await seen(await userWith(test, permission), await closedUnit())).toEqual([true, true, true]);
  });

  it('accept a new project from users with add_project', async () => {
    const { application } = await closedUnit();
    const { api } = await userWith(test, 'add_project');
    const [found] = await rowsOf(api.get<List<{ id: number }>>('/applications/', { name: application.name }));
    await bodyOf(api.post('/projects/', { name: unique('Project'), application: found?.id }), 201);
  });

  it('are hidden from other organizations', async () => {
    const [places, other] = [await closedUnit(), await test.newOrganization()];
    expect(await seen(other, places)).toEqual([false, false, false]);
  });
});

describe('An open business unit', () => {
  it('is visible with its applications to every user of the organization', async () => {
    const project = await makeProject(test, { allUsers: true });
    const { api } = await test.newUser({ role: 'UR5' });
    await bodyOf(api.get(`/business-units/${project.businessUnit}/`));
    await bodyOf(api.get(`/applications/${project.application}/`));
  });
});
