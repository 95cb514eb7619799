import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeUser, unique, userBody } from '#test/support/factories.js';
import { changesNothing } from '#test/support/records.js';
import type { List, User } from '#test/support/resources.js';

const test = useTestApi();

const make = (fields: object = {}, api = test.api): Promise<User> => makeUser(api, fields);

describe('Access to users, groups and roles', () => {
  it('does not let a user manager grant permissions that they lack', async () => {
    const role = await bodyOf(
      test.api.post<{ id: string }>('/global-roles/', { name: unique('role'), permissions: ['manage_users'] }),
      201,
    );
    const manager = await test.newUser({ role: role.id });
    const { id } = await make();
    await changesNothing(test, () => bodyOf(manager.api.patch(`/users/${manager.id}/`, { role: 'UR4' }), 403));
    await changesNothing(test, () => bodyOf(manager.api.patch(`/users/${id}/`, { role: 'UR4' }), 403));
    await changesNothing(test, () => bodyOf(manager.api.post('/users/', userBody({ role: 'UR4' })), 403));
    await changesNothing(test, () => bodyOf(manager.api.post('/groups/', { name: unique('g'), role: 'UR4' }), 403));
    await changesNothing(test, () =>
      bodyOf(manager.api.post('/global-roles/', { name: unique('r'), permissions: ['edit_connections'] }), 403),
    );
    await changesNothing(test, () =>
      bodyOf(manager.api.patch(`/global-roles/${role.id}/`, { permissions: ['edit_connections'] }), 403),
    );
    await bodyOf(manager.api.patch(`/users/${id}/`, { first_name: 'Allowed' }));
  });

  it('hides users of another organization and rejects references to its users and groups', async () => {
    const other = await test.newOrganization();
    const mine = await make();
    for (const send of [
      () => other.api.get(`/users/${mine.id}/`),
      () => other.api.patch(`/users/${mine.id}/`, { first_name: 'x' }),
      () => other.api.post(`/users/${mine.id}/tokens/`, { name: 'x' }),
    ])
      expect(await changesNothing(test, () => bodyOf(send(), 404))).toEqual({ detail: 'Not found.' });
    expect(await rowsOf(other.api.get<List<User>>('/users/'))).toHaveLength(1);
    const group = await bodyOf(test.api.post<{ id: string }>('/groups/', { name: unique('group') }), 201);
    expect(await rejectedFields(other.api.post('/users/', userBody({ groups: [group.id] })))).toEqual(['groups']);
    expect(await rejectedFields(other.api.post('/groups/', { name: unique('group'), users: [mine.id] }))).toEqual([
      'users',
    ]);
  });
});

describe('The current user', () => {
  it('is returned by /users/me/, with the role expanded on request', async () => {
    const user = await test.newUser({ role: 'UR2' });
    expect(await bodyOf(user.api.get('/users/me/'))).toEqual(await bodyOf(test.api.get(`/users/${user.id}/`)));
    expect(await bodyOf(user.api.get('/users/me/', { expand: 'role' }))).toMatchObject({
      role: { id: 'UR2', name: 'Project Lead' },
    });
  });

  it.each([
    ['UR1', []],
    ['UR2', ['add_project', 'edit_all_projects', 'view_all_projects']],
    [
      'UR4',
      [
        'add_application',
        'add_business_unit',
        'add_project',
        'customize_content',
        'delete_application',
        'delete_project',
        'edit_all_projects',
        'edit_application',
        'edit_business_unit',
        'edit_connections',
        'edit_custom_reports',
        'manage_features',
        'manage_risk_policies',
        'manage_users',
        'view_all_projects',
      ],
    ],
    ['UR5', []],
  ])('has exactly the permissions of the role %s, in alphabetical order', async (role, expected) => {
    const { api } = await test.newUser({ role });
    expect(await bodyOf(api.get('/users/me/permissions/'))).toEqual({ results: expected });
  });

  it('has every permission as a super-user, and as a member of a group those of its role', async () => {
    const all = await bodyOf(test.api.get<{ results: string[] }>('/users/me/permissions/'));
    expect(all.results).toHaveLength(15);
    const user = await test.newUser();
    await bodyOf(test.api.post('/groups/', { name: unique('leads'), role: 'UR2', users: [user.id] }), 201);
    expect(await bodyOf(user.api.get('/users/me/permissions/'))).toEqual({
      results: ['add_project', 'edit_all_projects', 'view_all_projects'],
    });
  });
});
