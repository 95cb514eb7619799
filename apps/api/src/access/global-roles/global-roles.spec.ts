import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();

interface Role {
  id: string;
  name: string;
  permissions: string[];
}

const make = (fields: object = {}): Promise<Role> =>
  bodyOf(test.api.post<Role>('/global-roles/', { name: unique('Role'), ...fields }), 201);

describe('Global roles', () => {
  it('lists the built-in roles User, Project Lead, Administrator and No Role in a new organization', async () => {
    const rows = await rowsOf((await test.newOrganization()).api.get<List<Role>>('/global-roles/'));
    expect(rows.map(({ id, name, permissions }) => [id, name, permissions.length])).toEqual([
      ['UR1', 'User', 0],
      ['UR2', 'Project Lead', 3],
      ['UR4', 'Administrator', 15],
      ['UR5', 'No Role', 0],
    ]);
  });

  it.each(['UR1', 'UR2', 'UR4', 'UR5'])('returns 403 for changing or deleting the built-in role %s', async (id) => {
    for (const body of [{ name: 'Mine' }, { permissions: [] }, { name: 7, permissions: ['x'] }])
      await changesNothing(test, () => bodyOf(test.api.patch(`/global-roles/${id}/`, body), 403));
    await changesNothing(test, () => bodyOf(test.api.delete(`/global-roles/${id}/`), 403));
    const asIs = await bodyOf(test.api.get<Role>(`/global-roles/${id}/`));
    for (const body of [{}, { id: 'UR9', bogus: 1 }])
      expect(await changesNothing(test, () => bodyOf(test.api.patch(`/global-roles/${id}/`, body)))).toEqual(asIs);
  });

  it('assigns the ids CU1, CU2, … per organization and never reuses one', async () => {
    const { api } = await test.newOrganization();
    const next = (): Promise<Role> => bodyOf(api.post<Role>('/global-roles/', { name: unique('Role') }), 201);
    expect((await next()).id).toBe('CU1');
    await bodyOf(api.delete('/global-roles/CU1/'), 204);
    expect((await next()).id).toBe('CU2');
  });

  it('sorts the permissions and removes duplicates', async () => {
    const { permissions } = await make({ permissions: ['manage_users', 'add_project', 'manage_users'] });
    expect(permissions).toEqual(['add_project', 'manage_users']);
  });

  it.each([
    ['name', ''],
    ['name', null],
    ['name', 'x'.repeat(201)],
    ['name', 'administrator'],
    ['permissions', ['fly']],
    ['permissions', 'manage_users'],
    ['permissions', [1]],
    ['description', null],
  ])('rejects %s = %j with an error for that field and changes nothing', async (field, value) => {
    expect(
      await changesNothing(test, () =>
        rejectedFields(test.api.post('/global-roles/', { name: unique('Role'), [field]: value })),
      ),
    ).toEqual([field]);
  });

  it('requires a name that is unique in the organization, ignoring case', async () => {
    expect(await rejectedFields(test.api.post('/global-roles/', {}))).toEqual(['name']);
    const { name } = await make();
    expect(await rejectedFields(test.api.post('/global-roles/', { name: name.toUpperCase() }))).toEqual(['name']);
    const other = await test.newOrganization();
    await bodyOf(other.api.post('/global-roles/', { name }), 201);
  });

  it('returns 400 for deleting a role that a user has, and changes nothing', async () => {
    const role = await make();
    const user = await test.newUser({ role: role.id });
    await changesNothing(test, () => bodyOf(test.api.delete(`/global-roles/${role.id}/`), 400));
    await bodyOf(test.api.patch(`/users/${user.id}/`, { role: 'UR1' }));
    await bodyOf(test.api.delete(`/global-roles/${role.id}/`), 204);
  });

  it('returns 404 for roles of another organization and rejects assigning them to a user', async () => {
    const other = await test.newOrganization();
    const role = await make();
    for (const send of [
      () => other.api.get(`/global-roles/${role.id}/`),
      () => other.api.patch(`/global-roles/${role.id}/`, { name: 'x' }),
      () => other.api.delete(`/global-roles/${role.id}/`),
    ])
      await changesNothing(test, () => bodyOf(send(), 404));
    expect(await rejectedFields(other.api.patch(`/users/${other.admin.id}/`, { role: role.id }))).toEqual(['role']);
  });

  it('writes an admin-level activity for creating, updating and deleting a role', async () => {
    const activities = await activitiesOf(test, async () => {
      const { id } = await make({ name: 'Told about' });
      await bodyOf(test.api.patch(`/global-roles/${id}/`, { description: 'x' }));
      await bodyOf(test.api.delete(`/global-roles/${id}/`), 204);
    });
    expect(activities.map(({ name, log_level: level, data }) => [name, level, data['role_desc']])).toEqual(
      ['CreatedRoleActivity', 'UpdatedRoleActivity', 'DeletedRoleActivity'].map((name) => [
        name,
        'admin',
        'Told about',
      ]),
    );
  });
});
