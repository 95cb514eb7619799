import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeGroup, userWith } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();

interface User {
  id: number;
  email: string;
  first_name: string;
  is_superuser: boolean | null;
  groups: string[] | null;
  last_login: string | null;
  date_joined: string | null;
}

const HIDDEN = { is_superuser: null, groups: null, last_login: null, date_joined: null };

/** Two users of one group, of whom the second has logged in once. */
async function colleagues() {
  const [me, other] = [await test.newUser(), await test.newUser()];
  const group = await makeGroup(test.api, [me.id, other.id]);
  await test.database.query('UPDATE user_account SET last_login_at = now() WHERE id = ANY($1)', [[me.id, other.id]]);
  return { me, other, group };
}

describe('The data of other users', () => {
  it('contains name and e-mail address, but no super-user status, groups or times, without manage_users', async () => {
    const { me, other } = await colleagues();
    const shown = await bodyOf(me.api.get<User>(`/users/${other.id}/`));
    expect(shown).toMatchObject({ ...HIDDEN, email: other.email, first_name: 'Grace', role: 'UR1', is_active: true });
    const list = await rowsOf(me.api.get<List<User>>('/users/'));
    expect(list.length).toBeGreaterThan(2);
    for (const user of list) if (user.id !== me.id) expect(user).toMatchObject(HIDDEN);
  });

  it('is complete with manage_users', async () => {
    const { other, group } = await colleagues();
    const manager = await userWith(test, 'manage_users');
    const shown = await bodyOf(manager.api.get<User>(`/users/${other.id}/`));
    expect(shown).toMatchObject({ is_superuser: false, groups: [group.id] });
    expect(shown).toEqual(await bodyOf(test.api.get(`/users/${other.id}/`)));
    expect(shown.last_login).toEqual(expect.any(String));
  });

  it('is filtered and sorted only by the fields that are shown', async () => {
    const { me, other, group } = await colleagues();
    const found = async (query: Record<string, string>): Promise<number[]> =>
      (await rowsOf(me.api.get<List<User>>('/users/', query))).map(({ id }) => id);
    expect(await found({ is_superuser: 'true' })).toEqual([]);
    expect(await found({ is_superuser: 'false' })).toEqual([me.id]);
    expect(await found({ is_superuser__in: 'true,false' })).toEqual([me.id]);
    expect(await found({ group: group.id })).toEqual([me.id]);
    expect(await found({ group__isnull: 'false' })).toEqual([me.id]);
    expect(await found({ email: other.email, is_superuser__isnull: 'true', group__isnull: 'true' })).toEqual([
      other.id,
    ]);
    await test.database.query(
      `UPDATE user_account SET last_login_at = '2001-01-01', joined_at = '2001-01-01' WHERE id = $1`,
      [other.id],
    );
    for (const ordering of ['last_login', 'date_joined']) {
      const ids = (await found({ ordering })).filter((id) => id !== me.id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    }
  });

  it('is hidden in groups, which list only the caller among their users', async () => {
    const { me, other, group } = await colleagues();
    const path = `/groups/${group.id}/`;
    expect(await bodyOf(me.api.get(path))).toMatchObject({ users: [me.id] });
    expect(await bodyOf(test.api.get(path))).toMatchObject({ users: [me.id, other.id] });
    expect(await rowsOf(me.api.get<List<object>>('/groups/', { user: other.id }))).toEqual([]);
    expect(await rowsOf(me.api.get<List<object>>('/groups/', { user: me.id }))).toHaveLength(1);
  });

  it('contains no hidden fields in other resources that refer to a user', async () => {
    const { me } = await colleagues();
    const project = await makeProject(test, { allUsers: true, fields: { users: [me.id] } });
    const shown = await me.api.get(`/projects/${project.id}/`, { expand: 'creator', include: 'permissions' });
    expect(await bodyOf(shown)).toMatchObject({ creator: { email: test.organization.admin.email } });
    expect(shown.text).not.toMatch(/is_superuser|last_login|date_joined/);
  });

  it('contains no times in reports without manage_users', async () => {
    const reader = await userWith(test, 'view_all_projects');
    const manager = await userWith(test, 'view_all_projects', 'manage_users');
    const load = async ({ api }: typeof reader, query: object) => {
      const { token } = await bodyOf(api.get<{ token: string }>('/users/me/auth-token/'));
      const bearer = api.with({ Authorization: `Bearer ${token}` });
      return bearer.get(`${test.origin}/cubejs-api/v1/load`, { query: JSON.stringify({ schema: 'user', ...query }) });
    };
    const email = { dimensions: ['User.email'] };
    for (const query of [
      { dimensions: ['User.lastLogin'] },
      { dimensions: ['User.email', 'User.dateJoined'] },
      { measures: ['User.count'], timeDimensions: [{ dimension: 'User.lastLogin', granularity: 'day' }] },
      { ...email, filters: [{ or: [{ member: 'User.lastLogin', operator: 'set' }] }] },
    ]) {
      expect(await bodyOf(load(reader, query), 403)).toEqual({
        error: expect.stringContaining('manage_users'),
        type: expect.any(String),
      });
      await bodyOf(load(manager, query));
    }
    await bodyOf(load(reader, email));
  });
});

describe("The caller's own data", () => {
  it('is complete', async () => {
    const { me, group } = await colleagues();
    const own = await bodyOf(me.api.get<User>('/users/me/'));
    expect(own).toMatchObject({ is_superuser: false, groups: [group.id], date_joined: expect.any(String) });
    expect(own.last_login).toEqual(expect.any(String));
    expect(await bodyOf(me.api.get(`/users/${me.id}/`))).toEqual(own);
    const listed = await rowsOf(me.api.get<List<User>>('/users/', { group: group.id }));
    expect(listed).toEqual([own]);
  });
});
