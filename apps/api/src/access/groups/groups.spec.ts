import { useTestApi } from '#test/support/api.js';
import { bodyOf, refusedBy } from '#test/support/client.js';
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
  it('have a name, a description, a role and users', async () => {
    const { id } = await test.newUser();
    const sent = { name: unique('Group'), description: 'What for', role: 'UR2', users: [id] };
    const created = await bodyOf(test.api.post<Group>('/groups/', sent), 201);
    expect(created).toEqual({ ...sent, id: expect.stringMatching(/^G[1-9]\d*$/), updated: expect.any(String) });
    expect(await bodyOf(test.api.get(`/groups/${created.id}/`))).toEqual(created);
  });

  it('need no more than a name', async () => {
    expect(await refusedBy(test.api.post('/groups/', {}))).toEqual(['name']);
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
  ])('are refused with %s %j', async (field, value) => {
    expect(
      await changesNothing(test, () => refusedBy(test.api.post('/groups/', { name: unique('Group'), [field]: value }))),
    ).toEqual([field]);
  });

  it('have names that are unique in the organization, whatever their case', async () => {
    const { name } = await make();
    expect(await refusedBy(test.api.post('/groups/', { name: ` ${name.toUpperCase()} ` }))).toEqual(['name']);
    await bodyOf((await test.newOrganization()).api.post('/groups/', { name }), 201);
  });

  it('are changed field by field; a change of their users counts as one of theirs', async () => {
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

  it('go without their users', async () => {
    const { id: userId } = await test.newUser();
    const { id } = await make({ users: [userId] });
    await bodyOf(test.api.delete(`/groups/${id}/`), 204);
    expect(await bodyOf(test.api.get(`/users/${userId}/`))).toMatchObject({ groups: [] });
    await bodyOf(test.api.get(`/groups/${id}/`), 404);
  });

  it('record what happens to them', async () => {
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
