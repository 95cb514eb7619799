import { type TestUser, useTestApi } from '#test/support/api.js';
import type { ApiClient } from '#test/support/client.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { unique, userWith } from '#test/support/factories.js';
import { addMember, makeProject, type TestProject } from '#test/support/projects.js';
import { operationsOf } from '#test/support/document.js';
import { pathIn, PROJECT_ROUTES, type ProjectRoute, ROLES } from '#test/support/project-routes.js';
import { changesNothing } from '#test/support/records.js';
import type { Application, Group, List, Project } from '#test/support/resources.js';

const test = useTestApi();

/** Whether a user can see a project by its id, in the list and in its application. */
async function sees({ api }: Pick<TestUser, 'api'>, project: TestProject): Promise<boolean> {
  const { status } = await api.get(`/projects/${project.id}/`);
  const listed = await rowsOf(api.get<List<Project>>('/projects/', { application: project.application }));
  // In a closed business unit, the application is not visible either.
  const application = await api.get<Application>(`/applications/${project.application}/`, { include: 'projects' });
  const found = [status === 200, listed.length === 1, application.body.projects?.length === 1];
  if (new Set(found).size !== 1) throw new Error(`Seen here and not there: ${found.join(', ')}`);
  return status === 200;
}

describe('Project visibility', () => {
  it('shows a project to its creator, but not to users without access', async () => {
    const maker = await userWith(test, 'add_project');
    const project = await makeProject(test, { creator: maker });
    expect(await sees(maker, project)).toBe(true);
    expect(await sees(await test.newUser(), project)).toBe(false);
    expect(await sees(await userWith(test, 'add_project', 'delete_project', 'edit_application'), project)).toBe(false);
  });

  it('shows a project to its members until they are removed', async () => {
    const [project, user] = [await makeProject(test), await test.newUser()];
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { users: [user.email] }));
    expect(await sees(user, project)).toBe(true);
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { users: [] }));
    expect(await sees(user, project)).toBe(false);
  });

  it('shows a project to the users of a member group until they leave it', async () => {
    const [project, user] = [await makeProject(test), await test.newUser()];
    const { id } = await bodyOf(test.api.post<Group>('/groups/', { name: unique('Group'), users: [user.id] }), 201);
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { groups: [id] }));
    expect(await sees(user, project)).toBe(true);
    await bodyOf(test.api.patch(`/groups/${id}/`, { users: [] }));
    expect(await sees(user, project)).toBe(false);
  });

  it('shows a project to its whole organization, but to no other, while its business unit has all_users', async () => {
    const [project, user] = [await makeProject(test, { allUsers: true }), await test.newUser()];
    expect(await sees(user, project)).toBe(true);
    const stranger = (await test.newOrganization()).admin;
    await bodyOf(stranger.api.get(`/projects/${project.id}/`), 404);
    await bodyOf(stranger.api.get(`/applications/${project.application}/`), 404);
    await bodyOf(stranger.api.get(`/business-units/${project.businessUnit}/`), 404);
    expect(await rowsOf(stranger.api.get<List<Project>>('/projects/', { active: 'all' }))).toEqual([]);
    await bodyOf(test.api.patch(`/business-units/${project.businessUnit}/`, { all_users: false }));
    expect(await sees(user, project)).toBe(false);
  });

  it('shows every project to users with view_all_projects or edit_all_projects', async () => {
    const project = await makeProject(test);
    expect(await sees(await userWith(test, 'view_all_projects'), project)).toBe(true);
    expect(await sees(await userWith(test, 'edit_all_projects'), project)).toBe(true);
  });

  it('does not show a project to users who only belong to its business unit', async () => {
    const [project, user] = [await makeProject(test), await test.newUser()];
    await bodyOf(test.api.patch(`/business-units/${project.businessUnit}/`, { users: [user.id] }));
    expect(await sees(user, project)).toBe(false);
  });
});

describe('Permissions in a project', () => {
  it('are read-only for users who can see the project without having a role in it', async () => {
    const project = await makeProject(test, { allUsers: true });
    for (const reader of [await test.newUser(), await userWith(test, 'view_all_projects')])
      await bodyOf(
        changesNothing(test, () => reader.api.patch(`/projects/${project.id}/`, { name: 'x' })),
        403,
      );
  });

  it("combine the user's own role with the roles of their groups", async () => {
    const [project, user] = [await makeProject(test), await test.newUser()];
    const { id } = await bodyOf(test.api.post<Group>('/groups/', { name: unique('Group'), users: [user.id] }), 201);
    await bodyOf(
      test.api.patch(`/projects/${project.id}/`, {
        users: [{ id: user.id, role: 'PR3' }],
        groups: [{ id, role: 'PR2' }],
      }),
    );
    const { permissions } = await bodyOf(user.api.get<Project>(`/projects/${project.id}/`, { include: 'permissions' }));
    expect(permissions).toEqual(['attributes', 'notes', 'status', 'survey', 'tasks', 'verification']);
  });

  it('allow only leads to change a locked project', async () => {
    const project = await makeProject(test, { fields: { locked: true } });
    const [architect, lead] = [await test.newUser(), await test.newUser()];
    await addMember(test, project, architect, 'PR2');
    await addMember(test, project, lead, 'PR1');
    const may = async (api: ApiClient) =>
      (await bodyOf(api.get<Project>(`/projects/${project.id}/`, { include: 'permissions' }))).permissions;
    expect(await may(architect.api)).toEqual([]);
    expect(await may(lead.api)).toContain('survey');
    const tasks = `/projects/${project.id}/tasks/`;
    const own = { title: 'Own', text: 'x', phase: 'X1', priority: 3 };
    const rejected = await changesNothing(test, () => bodyOf(architect.api.post(tasks, own), 403));
    expect(rejected).toEqual({ detail: 'This project is locked: only its leads may change it.' });
    await bodyOf(lead.api.post(tasks, own), 201);
    await bodyOf(lead.api.patch(`/projects/${project.id}/`, { locked: false }));
    expect(await may(architect.api)).toContain('survey');
    await bodyOf(architect.api.post(tasks, own), 201);
  });

  it('allow only users with delete_project who can see the project to delete it', async () => {
    const project = await makeProject(test);
    const [lead, cleaner] = [await test.newUser(), await userWith(test, 'delete_project')];
    await addMember(test, project, lead, 'PR1');
    const rejected = await bodyOf(lead.api.delete(`/projects/${project.id}/`), 403);
    expect(rejected).toEqual({ detail: 'Requires the permission "delete_project".' });
    await bodyOf(cleaner.api.delete(`/projects/${project.id}/`), 404);
    await addMember(test, project, cleaner, 'PR5');
    await bodyOf(cleaner.api.delete(`/projects/${project.id}/`), 204);
  });
});

describe('Project roles and routes', () => {
  const send = (api: ApiClient, { method, body }: ProjectRoute, path: string) => api.send(method, path, body);

  it('include every route below /projects/{id}/ in the table of roles', () => {
    const within = operationsOf(test.document).filter(({ path }) => path.startsWith('/api/v2/projects/{'));
    const shape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
    const listed = new Set(PROJECT_ROUTES.map(({ method, path }) => `${method} /api/v2${shape(path)}`));
    expect(within.map(({ method, path }) => `${method} ${shape(path)}`).filter((route) => !listed.has(route))).toEqual(
      [],
    );
  });

  // All tests share one project: their leftovers do not affect each other.
  let project: TestProject;
  const members = new Map<string, TestUser>();
  let strangers: readonly TestUser[] = [];

  beforeAll(async () => {
    project = await makeProject(test);
    for (const role of ROLES) {
      const user = await test.newUser();
      await addMember(test, project, user, role);
      members.set(role, user);
    }
    strangers = [await test.newUser(), (await test.newOrganization()).admin];
  });

  it.each(PROJECT_ROUTES)('allow $method $path with $body only for $roles', async (route) => {
    let path = await pathIn(test, project, route.path);
    for (const [role, { api }] of members) {
      const { status } = await send(api, route, path);
      expect([role, status < 300 || status === route.answers ? 'allowed' : status]).toEqual([
        role,
        route.roles.some((allowed) => allowed === role) ? 'allowed' : 403,
      ]);
      // A deleted item is created again for the next test.
      if (status === 204) path = await pathIn(test, project, route.path);
    }
  });

  it.each(PROJECT_ROUTES)(
    'return 404 for $method $path with $body, even if it is invalid, when the user cannot see the project',
    async (route) => {
      const path = await pathIn(test, project, route.path);
      await changesNothing(test, async () => {
        for (const { api } of strangers) {
          expect(await send(api, route, path)).toMatchObject({ status: 404, body: { detail: 'Not found.' } });
          const invalid = { ...route, body: route.body && { name: 5, text: {}, status: [] } };
          expect((await send(api, invalid, path)).status).toBe(404);
        }
      });
    },
  );
});
