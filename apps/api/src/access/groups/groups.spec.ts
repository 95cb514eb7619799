import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';

const test = useTestApi();

interface Group {
  id: string;
  name: string;
  users: number[];
  role: string | null;
  updated: string;
}

const make = (fields: object = {}): Promise<Group> =>
  bodyOf(test.api.post<Group>('/groups/', { name: unique('Group'), ...fields }), 201);

describe('Groups', () => {
  it('creates a group with a name, a description, a role and users', async () => {
    const { id } = await test.newUser();
    const sent = { name: unique('Group'), description: 'What for', role: 'UR2', users: [id] };
    const created = await bodyOf(test.api.post<Group>('/groups/', sent), 201);
    expect(created).toEqual({ ...sent, id: expect.stringMatching(/^G[1-9]\d*$/), updated: expect.any(String) });
    expect(await bodyOf(test.api.get(`/groups/${created.id}/`))).toEqual(created);
  });

  it('requires only a name', async () => {
    expect(await rejectedFields(test.api.post('/groups/', {}))).toEqual(['name']);
    expect(await make()).toMatchObject({ description: '', role: null, users: [] });
  });

  it.each([
    ['name', ''],
    ['name', null],
    ['role', 'UR999'],
    ['role', 4],
    ['users', [999_999]],
    ['users', ['x']],
    ['users', 'x'],
    ['users', null],
    ['users', [99_999_999_999_999]],
    ['description', 'x'.repeat(1025)],
  ])('rejects %s = %j with an error for that field and changes nothing', async (field, value) => {
    expect(
      await changesNothing(test, () =>
        rejectedFields(test.api.post('/groups/', { name: unique('Group'), [field]: value })),
      ),
    ).toEqual([field]);
  });

  it('requires a name that is unique in the organization, ignoring case and surrounding spaces', async () => {
    const { name } = await make();
    expect(await rejectedFields(test.api.post('/groups/', { name: ` ${name.toUpperCase()} ` }))).toEqual(['name']);
    await bodyOf((await test.newOrganization()).api.post('/groups/', { name }), 201);
  });

  it('changes only the fields in the body, and updates the timestamp when the users change', async () => {
    const { id: userId } = await test.newUser();
    const { id, updated } = await make({ role: 'UR2' });
    expect(await changesNothing(test, () => bodyOf(test.api.patch<Group>(`/groups/${id}/`, {})))).toMatchObject({
      updated,
    });
    const after = await bodyOf(test.api.patch<Group>(`/groups/${id}/`, { users: [userId], role: null }));
    expect(after).toMatchObject({ users: [userId], role: null });
    expect(after.updated > updated).toBe(true);
    expect(await bodyOf(test.api.get(`/users/${userId}/`))).toMatchObject({ groups: [id] });
  });

  it('deletes a group, but not its users', async () => {
    const { id: userId } = await test.newUser();
    const { id } = await make({ users: [userId] });
    await bodyOf(test.api.delete(`/groups/${id}/`), 204);
    expect(await bodyOf(test.api.get(`/users/${userId}/`))).toMatchObject({ groups: [] });
    await bodyOf(test.api.get(`/groups/${id}/`), 404);
  });

  it('writes admin-level activities for changes to a group and to its users', async () => {
    const { id: userId } = await test.newUser();
    const activities = await activitiesOf(test, async () => {
      const { id } = await make({ name: 'Told about', users: [userId] });
      await bodyOf(test.api.patch(`/groups/${id}/`, { description: 'x', users: [] }));
      await bodyOf(test.api.delete(`/groups/${id}/`), 204);
    });
    expect(activities.map(({ name }) => name)).toEqual([
      'CreatedGroupActivity',
      'AddedUserToGroupActivity',
      'UpdatedGroupActivity',
      'RemovedUserFromGroupActivity',
      'DeletedGroupActivity',
    ]);
    for (const { data, log_level: level } of activities)
      expect([data['group_desc'], level]).toEqual(['Told about', 'admin']);
  });
});
