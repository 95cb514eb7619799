import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { makeUser, newEmail, unique, userBody } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { User } from '#test/support/resources.js';
import { rejectionOf } from '#test/support/sessions.js';

const test = useTestApi();

const make = (fields: object = {}, api = test.api): Promise<User> => makeUser(api, fields);

describe('Creating a user', () => {
  it('returns 201 with an active user with the role UR1, not a super-user and not in a group', async () => {
    const sent = userBody() as User;
    const created = await bodyOf(test.api.post<User>('/users/', sent), 201);
    expect(created).toEqual({
      ...sent,
      id: expect.any(Number),
      role: 'UR1',
      is_active: true,
      is_service_account: false,
      is_superuser: false,
      groups: [],
      last_login: null,
      date_joined: expect.any(String),
    });
    expect(await bodyOf(test.api.get(`/users/${created.id}/`))).toEqual(created);
  });

  it('accepts role, groups, is_active and, from a super-user, is_superuser', async () => {
    const group = await bodyOf(test.api.post<{ id: string }>('/groups/', { name: unique('group') }), 201);
    const fields = { role: 'UR4', groups: [group.id], is_active: false, is_superuser: true };
    expect(await make(fields)).toMatchObject(fields);
  });

  it.each([
    ['email', ''],
    ['email', 'nobody'],
    ['email', 'a@b@c'],
    ['email', 'a b@example.com'],
    ['email', 5],
    ['email', null],
    ['email', `${'x'.repeat(250)}@example.com`],
    ['first_name', ''],
    ['first_name', null],
    ['last_name', 'x'.repeat(151)],
    ['role', 'UR999'],
    ['role', 'P1'],
    ['role', null],
    ['groups', ['G999']],
    ['groups', 'G1'],
    ['is_active', 'perhaps'],
    ['is_superuser', 2],
  ])('rejects %s = %j with an error for that field and changes nothing', async (field, value) => {
    expect(
      await changesNothing(test, () => rejectedFields(test.api.post('/users/', userBody({ [field]: value })))),
    ).toEqual([field]);
  });

  it('reports every missing field', async () => {
    expect(await rejectedFields(test.api.post('/users/', {}))).toEqual(['email', 'first_name', 'last_name']);
  });

  it('rejects an e-mail address used anywhere in the deployment, in any case, without revealing where', async () => {
    const other = await test.newOrganization();
    const own = await make();
    const messages = new Set<string>();
    for (const taken of [own.email, own.email.toUpperCase(), other.admin.email, other.admin.email.toUpperCase()]) {
      const errors = await bodyOf(test.api.post<{ email: string[] }>('/users/', userBody({ email: taken })), 400);
      expect(Object.keys(errors)).toEqual(['email']);
      messages.add(errors.email.join());
    }
    expect(messages.size).toBe(1);
    expect([...messages][0]).not.toMatch(/organi[sz]ation|@/i);
  });

  it('accepts only one of eight concurrent requests with the same e-mail address', async () => {
    const taken = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        test.api.post('/users/', userBody({ email: index % 2 ? taken : taken.toUpperCase() })),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
  });

  it('writes an admin-level activity for the user and one for each group', async () => {
    const group = await bodyOf(test.api.post<{ id: string }>('/groups/', { name: 'Reviewers' }), 201);
    let created: User | undefined;
    const activities = await activitiesOf(test, async () => {
      created = await make({ groups: [group.id] });
    });
    expect(activities).toMatchObject([
      {
        name: 'CreatedUserActivity',
        icon: 'person',
        log_level: 'admin',
        data: { user: `U${created?.id}`, user_desc: 'Grace Hopper' },
      },
      {
        name: 'AddedUserToGroupActivity',
        log_level: 'admin',
        data: { user: `U${created?.id}`, group: group.id, group_desc: 'Reviewers' },
      },
    ]);
  });
});

describe('The password of a new user', () => {
  const PASSWORD = 'correct horse battery staple';
  const signIn = (address: string): Promise<{ status: number }> =>
    test.api
      .as(null)
      .with({ Authorization: `Basic ${Buffer.from(`${address}:${PASSWORD}`).toString('base64')}` })
      .get('/users/me/tokens/');

  it('lets the user sign in and is not returned', async () => {
    const answer = await test.api.post<User>('/users/', userBody({ password: PASSWORD }));
    expect(Object.keys(await bodyOf(answer, 201))).not.toContain('password');
    expect(answer.text).not.toContain(PASSWORD);
    expect((await signIn(answer.body.email)).status).toBe(200);
    const without = await make();
    expect((await signIn(without.email)).status).toBe(401);
    await rejectionOf(test, without.id);
  });

  it.each(['x1 y2 z3 w4 v5', '', null, 5, 'passwordpassword', 'x'.repeat(1001)])(
    'is rejected if it breaks the password rules: %j',
    async (password) => {
      expect(
        await changesNothing(test, () => rejectedFields(test.api.post('/users/', userBody({ password })))),
      ).toEqual(['password']);
    },
  );

  it('cannot be the e-mail address, ignoring case', async () => {
    const sent = { email: 'someone.with.a.name@example.com', password: 'Someone.With.A.Name@example.com' };
    expect(await rejectedFields(test.api.post('/users/', userBody(sent)))).toEqual(['password']);
  });

  it('cannot be set by changing the user', async () => {
    const user = await make();
    await bodyOf(test.api.patch(`/users/${user.id}/`, { password: PASSWORD }));
    expect((await signIn(user.email)).status).toBe(401);
    expect(await rejectedFields(test.api.strict.patch(`/users/${user.id}/`, { password: PASSWORD }))).toEqual([
      'password',
    ]);
  });

  it('is write-only in the OpenAPI document', () => {
    const { properties } = test.document.components.schemas['CreateUser'] as {
      properties: Record<string, object>;
    };
    expect(properties['password']).toMatchObject({
      type: 'string',
      format: 'password',
      writeOnly: true,
      minLength: 15,
    });
  });
});

describe('Changing a user', () => {
  it('changes the fields in the body', async () => {
    const user = await make();
    const changes = { email: newEmail(), first_name: 'Ada', last_name: 'Lovelace', role: 'UR2', is_active: false };
    expect(await bodyOf(test.api.patch(`/users/${user.id}/`, changes))).toEqual({ ...user, ...changes });
  });

  it('changes nothing if the body is an empty object', async () => {
    const user = await make();
    expect(await changesNothing(test, () => bodyOf(test.api.patch(`/users/${user.id}/`, {})))).toEqual(user);
  });

  it('writes activities for activation and deactivation', async () => {
    const { id } = await make();
    const namesOf = async (changes: object): Promise<string[]> =>
      (await activitiesOf(test, () => bodyOf(test.api.patch(`/users/${id}/`, changes)))).map(({ name }) => name).sort();
    expect(await namesOf({ is_active: false })).toEqual(['DeactivatedUserActivity']);
    expect(await namesOf({ is_active: true, last_name: 'X' })).toEqual([
      'ActivatedUserActivity',
      'UpdatedUserActivity',
    ]);
  });

  it('replaces all groups and writes an activity for each group added or removed', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => bodyOf(test.api.post<{ id: string }>('/groups/', { name: unique('group') }), 201)),
    );
    const { id } = await make({ groups: [one?.id] });
    const activities = await activitiesOf(test, () => bodyOf(test.api.patch(`/users/${id}/`, { groups: [two?.id] })));
    expect(activities.map(({ name, data }) => [name, data['group']])).toEqual([
      ['AddedUserToGroupActivity', two?.id],
      ['RemovedUserFromGroupActivity', one?.id],
    ]);
    expect(await bodyOf(test.api.get(`/users/${id}/`))).toMatchObject({ groups: [two?.id] });
  });
});

describe('Super-user status', () => {
  it('can be granted and revoked only by super-users, and protects a user from changes by others', async () => {
    const manager = await test.newUser({ role: 'UR4' });
    const { id } = await make();
    for (const value of [true, false]) {
      await changesNothing(test, () => bodyOf(manager.api.post('/users/', userBody({ is_superuser: value })), 403));
      await changesNothing(test, () => bodyOf(manager.api.patch(`/users/${id}/`, { is_superuser: value }), 403));
      // A 403 takes precedence over errors in the body.
      const wrong = { is_superuser: value, email: 'no e-mail' };
      await changesNothing(test, () => bodyOf(manager.api.post('/users/', wrong), 403));
      await changesNothing(test, () => bodyOf(manager.api.patch(`/users/${id}/`, wrong), 403));
    }
    await bodyOf(test.api.patch(`/users/${id}/`, { is_superuser: true }));
    await changesNothing(test, () => bodyOf(manager.api.patch(`/users/${id}/`, { first_name: 'Mine' }), 403));
  });

  it('cannot be removed from the last active super-user of an organization, even concurrently', async () => {
    const { api, admin } = await test.newOrganization();
    const own = `/users/${admin.id}/`;
    expect(await changesNothing(test, () => rejectedFields(api.patch(own, { is_superuser: false })))).toEqual([
      'is_superuser',
    ]);
    expect(await changesNothing(test, () => rejectedFields(api.patch(own, { is_active: false })))).toEqual([
      'is_active',
    ]);
    await make({ is_superuser: true, is_active: false }, api);
    expect(await rejectedFields(api.patch(own, { is_superuser: false }))).toEqual(['is_superuser']);
    const second = await make({ is_superuser: true }, api);
    const answers = await Promise.all([
      api.patch(own, { is_active: false }),
      api.patch(`/users/${second.id}/`, { is_superuser: false }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });
});
