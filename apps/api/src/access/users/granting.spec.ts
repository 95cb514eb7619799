import { type TestUser, useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { makeGroup, unique, userWith } from '#test/support/factories.js';
import { addMember, makeApplication, makeBusinessUnit, makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import type { BusinessUnit, Group, Project } from '#test/support/resources.js';

const test = useTestApi();

/** Sends a PATCH that must be a 403 and change nothing; returns its text. */
async function refuses({ api }: Pick<TestUser, 'api'>, path: string, body: object): Promise<string> {
  const { detail } = await changesNothing(test, () => bodyOf(api.patch<{ detail: string }>(path, body), 403));
  return detail;
}

/** A group with a role in a project that only the test's first user can see. */
async function groupInProject(role: string): Promise<{ group: Group; projectName: string }> {
  const group = await makeGroup(test.api);
  const { name } = await makeProject(test, { fields: { groups: [{ id: group.id, role }] } });
  return { group, projectName: name };
}

describe('A user manager', () => {
  it.each(['PR1', 'PR5'])('cannot join a group that has the role %s in a project hidden from them', async (role) => {
    const { group, projectName } = await groupInProject(role);
    const manager = await userWith(test, 'manage_users');
    expect(await refuses(manager, `/groups/${group.id}/`, { users: [manager.id] })).not.toContain(projectName);
    await refuses(manager, `/users/${manager.id}/`, { groups: [group.id] });
  });

  it('gets an error that lists all permissions that they lack, in alphabetical order', async () => {
    const manager = await userWith(test, 'manage_users', 'delete_project');
    const body = { name: unique('Role'), permissions: ['edit_connections', 'delete_project', 'manage_users'] };
    const { id } = await bodyOf(test.api.post<{ id: string }>('/global-roles/', body), 201);
    expect(await refuses(manager, `/global-roles/${id}/`, { permissions: ['add_project'] })).toBe(
      `The role "${body.name}" has permissions that you lack: add_project, edit_connections.`,
    );
  });

  it('cannot add other users to a group in a hidden project, new ones included, or remove them', async () => {
    const { group } = await groupInProject('PR1');
    const manager = await userWith(test, 'manage_users');
    const other = await test.newUser();
    await refuses(manager, `/users/${other.id}/`, { groups: [group.id] });
    const fresh = { email: `${unique('new').replace(' ', '.')}@example.com`, first_name: 'New', last_name: 'User' };
    await changesNothing(test, () => bodyOf(manager.api.post('/users/', { ...fresh, groups: [group.id] }), 403));
    await bodyOf(test.api.patch(`/groups/${group.id}/`, { users: [other.id] }));
    await refuses(manager, `/groups/${group.id}/`, { users: [] });
    await changesNothing(test, () => bodyOf(manager.api.delete(`/groups/${group.id}/`), 403));
  });

  it('cannot delete a group that leads a project, even if it has no users', async () => {
    const { group } = await groupInProject('PR1');
    const manager = await userWith(test, 'manage_users');
    await changesNothing(test, () => bodyOf(manager.api.delete(`/groups/${group.id}/`), 403));
  });

  it('cannot join a group that is the default lead of new projects in a business unit', async () => {
    const group = await makeGroup(test.api);
    await makeBusinessUnit(test.api, { default_groups: [{ id: group.id, role: 'PR1' }] });
    const manager = await userWith(test, 'manage_users');
    await refuses(manager, `/users/${manager.id}/`, { groups: [group.id] });
  });

  it('can join a group of a business unit only if the unit is open to all users', async () => {
    const group = await makeGroup(test.api);
    const unit = await makeBusinessUnit(test.api, { groups: [group.id] });
    const manager = await userWith(test, 'manage_users');
    await refuses(manager, `/users/${manager.id}/`, { groups: [group.id] });
    await bodyOf(test.api.patch(`/business-units/${unit.id}/`, { all_users: true }));
    await bodyOf(manager.api.patch(`/users/${manager.id}/`, { groups: [group.id] }));
  });

  it('can manage groups without project roles and groups whose project roles do not exceed their own', async () => {
    const group = await makeGroup(test.api);
    const project = await makeProject(test, { fields: { groups: [{ id: group.id, role: 'PR4' }] } });
    const manager = await userWith(test, 'manage_users');
    const other = await test.newUser();
    await addMember(test, project, manager, 'PR5');
    await refuses(manager, `/users/${other.id}/`, { groups: [group.id] });
    await test.database.query('UPDATE project_member SET role = $2 WHERE user_id = $1', [manager.id, 'PR2']);
    await bodyOf(manager.api.patch(`/users/${other.id}/`, { groups: [group.id] }));
    const plain = await makeGroup(manager.api, [other.id]);
    await bodyOf(manager.api.delete(`/groups/${plain.id}/`), 204);
    const all = await userWith(test, 'manage_users', 'edit_all_projects');
    await bodyOf(all.api.patch(`/groups/${group.id}/`, { users: [all.id] }));
  });

  it('cannot join a group of testers as an architect, whose role lacks a capability of testers', async () => {
    const group = await makeGroup(test.api);
    const project = await makeProject(test, { fields: { groups: [{ id: group.id, role: 'PR3' }] } });
    const manager = await userWith(test, 'manage_users');
    await addMember(test, project, manager, 'PR2');
    await refuses(manager, `/groups/${group.id}/`, { users: [manager.id] });
  });

  it('cannot activate a user with a higher project role or change their e-mail address', async () => {
    const lead = await test.newUser();
    const project = await makeProject(test);
    await addMember(test, project, lead, 'PR1');
    const manager = await userWith(test, 'manage_users');
    const path = `/users/${lead.id}/`;
    await refuses(manager, path, { email: `${unique('mine').replace(' ', '.')}@example.com` });
    await bodyOf(manager.api.patch(path, { first_name: 'Renamed', email: lead.email }));
    await bodyOf(manager.api.patch(path, { is_active: false }));
    await refuses(manager, path, { is_active: true });
    await addMember(test, project, manager, 'PR1');
    await bodyOf(manager.api.patch(path, { is_active: true }));
  });

  it('cannot change the e-mail address of the creator of a project in which they are only a reader', async () => {
    const maker = await test.newUser();
    const project = await makeProject(test);
    await test.database.query('UPDATE project SET creator_id = $2 WHERE id = $1', [project.id, maker.id]);
    const manager = await userWith(test, 'manage_users');
    await addMember(test, project, manager, 'PR5');
    const mine = { email: `${unique('mine').replace(' ', '.')}@example.com` };
    await refuses(manager, `/users/${maker.id}/`, mine);
    await test.database.query(`UPDATE project_member SET role = 'PR1' WHERE user_id = $1`, [manager.id]);
    await bodyOf(manager.api.patch(`/users/${maker.id}/`, mine));
  });
});

describe('An editor of applications', () => {
  it('cannot move an application with hidden projects into an open business unit', async () => {
    const project = await makeProject(test);
    const open = await makeBusinessUnit(test.api, { all_users: true });
    const editor = await userWith(test, 'edit_application');
    const path = `/applications/${project.application}/`;
    const text = await refuses(editor, path, { business_unit: open.id });
    expect(text).not.toContain(project.name);
    await bodyOf(editor.api.get(`/projects/${project.id}/`), 404);
    await bodyOf(editor.api.patch(path, { business_unit: (await makeBusinessUnit(test.api)).id }));
    const viewer = await userWith(test, 'edit_application', 'view_all_projects');
    await bodyOf(viewer.api.patch(path, { business_unit: open.id }));
  });

  it('can move an application without hidden projects, even if its business unit has some', async () => {
    const editor = await userWith(test, 'edit_application');
    const { businessUnit } = await makeProject(test);
    await bodyOf(
      test.api.patch(`/business-units/${businessUnit}/`, { default_users: [{ id: editor.id, role: 'PR5' }] }),
    );
    const application = await makeApplication(test.api, { business_unit: businessUnit });
    const open = await makeBusinessUnit(test.api, { all_users: true });
    await bodyOf(editor.api.patch(`/applications/${application.id}/`, { business_unit: open.id }));
  });

  it('cannot move an application with hidden projects in a composite request either', async () => {
    const project = await makeProject(test);
    const open = await makeBusinessUnit(test.api, { all_users: true });
    const editor = await userWith(test, 'edit_application');
    const part = { method: 'PATCH', path: `applications/${project.application}/`, body: { business_unit: open.id } };
    const request = { composite_request: [{ ...part, reference_id: 'a' }] };
    expect(await bodyOf(editor.api.post<{ composite_response: object[] }>('/composite/', request))).toMatchObject({
      composite_response: [{ http_status_code: 403 }],
    });
    await bodyOf(editor.api.get(`/projects/${project.id}/`), 404);
  });

  it('cannot move an application into a business unit with a default lead that they may not assign', async () => {
    const editor = await userWith(test, 'edit_application', 'view_all_projects');
    const application = await makeApplication(test.api);
    const unit = await makeBusinessUnit(test.api, { default_users: [{ id: editor.id, role: 'PR1' }] });
    const path = `/applications/${application.id}/`;
    await refuses(editor, path, { business_unit: unit.id });
    await bodyOf(test.api.patch(`/business-units/${unit.id}/`, { default_users: [{ id: editor.id, role: 'PR5' }] }));
    await bodyOf(editor.api.patch(path, { business_unit: unit.id }));
  });
});

describe('An editor of business units', () => {
  it('cannot open a business unit with hidden projects to all users', async () => {
    const project = await makeProject(test);
    const editor = await userWith(test, 'edit_business_unit');
    const path = `/business-units/${project.businessUnit}/`;
    expect(await refuses(editor, path, { all_users: true })).not.toContain(project.name);
    await bodyOf(editor.api.get(`/projects/${project.id}/`), 404);
    await bodyOf(editor.api.patch(path, { all_users: false, name: unique('Renamed') }));
    const viewer = await userWith(test, 'edit_business_unit', 'view_all_projects');
    await bodyOf(viewer.api.patch(path, { all_users: true }));
    await bodyOf(editor.api.patch(path, { all_users: true, users: [editor.id] }));
  });

  it('cannot open a business unit in which they can read only new projects', async () => {
    const editor = await userWith(test, 'edit_business_unit');
    const { businessUnit } = await makeProject(test);
    const path = `/business-units/${businessUnit}/`;
    await bodyOf(test.api.patch(path, { default_users: [{ id: editor.id, role: 'PR5' }] }));
    await refuses(editor, path, { all_users: true });
  });

  it('cannot add themselves or a group as default lead of a business unit, or remove a default lead', async () => {
    const editor = await userWith(test, 'edit_business_unit', 'view_all_projects');
    const group = await makeGroup(test.api, [editor.id]);
    const lead = await test.newUser();
    const unit = await makeBusinessUnit(test.api, { default_users: [{ id: lead.id, role: 'PR1' }] });
    const path = `/business-units/${unit.id}/`;
    const present = { id: lead.id, role: 'PR1' };
    await refuses(editor, path, { default_users: [present, { id: editor.id, role: 'PR1' }] });
    await refuses(editor, path, { default_groups: [{ id: group.id, role: 'PR4' }] });
    await refuses(editor, path, { default_users: [] });
    await refuses(editor, path, { default_users: [{ id: lead.id, role: 'PR5' }] });
    const shown = await bodyOf(test.api.get<BusinessUnit>(path));
    await bodyOf(editor.api.patch(path, shown));
    await bodyOf(editor.api.patch(path, { default_groups: [{ id: group.id, role: 'PR5' }], users: [editor.id] }));
    const all = await userWith(test, 'edit_business_unit', 'edit_all_projects');
    await bodyOf(all.api.patch(path, { default_users: [{ id: all.id, role: 'PR1' }] }));
  });

  it('cannot create a business unit that grants access that they lack', async () => {
    const maker = await userWith(test, 'add_business_unit');
    const make = (fields: object, status: number): Promise<unknown> =>
      bodyOf(maker.api.post('/business-units/', { name: unique('Unit'), ...fields }), status);
    for (const fields of [{ all_users: true }, { default_users: [maker.id] }])
      await changesNothing(test, () => make(fields, 403));
    await make({ users: [maker.id], all_users: false, default_users: [] }, 201);
  });
});

describe('A project lead', () => {
  it('can move the project only to an application that they can see', async () => {
    const lead = await test.newUser();
    const project = await makeProject(test);
    await addMember(test, project, lead, 'PR1');
    const path = `/projects/${project.id}/`;
    const closed = await makeApplication(test.api, { tags: ['hidden'] });
    expect(
      await changesNothing(test, () => bodyOf(lead.api.patch<object>(path, { application: closed.id }), 400)),
    ).toEqual({ application: [`"${closed.id}" does not exist.`] });
    const unit = await makeBusinessUnit(test.api, { all_users: true });
    const open = await makeApplication(test.api, { business_unit: unit.id });
    expect(await bodyOf(lead.api.patch<Project>(path, { application: open.id }))).toMatchObject({
      application: open.id,
    });
  });
});
