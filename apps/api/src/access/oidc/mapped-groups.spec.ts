import type { TestOrganization } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { unique } from '#test/support/factories.js';
import { type Activity, newPerson, useOidcSignIn } from '#test/support/oidc-sign-in.js';

const { test, signIn, me, activities, newProvider } = useOidcSignIn();

describe('Mappings of groups', () => {
  const groupsOf = async (organization: TestOrganization, userId: number): Promise<string[]> =>
    (await bodyOf(organization.api.get<{ groups: string[] }>(`/users/${userId}/`))).groups;

  async function withMappings() {
    const { organization, id } = await newProvider({ create_users: true, default_role: 'UR5' });
    const group = async () =>
      (await bodyOf(organization.api.post<{ id: string }>('/groups/', { name: unique() }), 201)).id;
    const [mapped, other] = [await group(), await group()];
    await bodyOf(
      organization.api.patch(`/identity-providers/${id}/`, {
        group_mappings: [
          { group: 'leads', role: 'UR2' },
          { group: 'staff', role: 'UR1' },
          { group: 'staff', merlon_group: mapped },
          { group: 'leads', merlon_group: mapped },
        ],
      }),
    );
    return { organization, id, mapped, other };
  }

  it('treat groups as a set: order, repetition and overlaps do not matter, and signing in again changes nothing', async () => {
    const { organization, id, mapped } = await withMappings();
    const person = newPerson({ groups: ['staff', 'leads', 'staff', 'unknown'] });
    const user = await me(await signIn(id, person));
    expect(user.role).toBe('UR2');
    expect(await groupsOf(organization, user.id)).toEqual([mapped]);
    const changes = () => test.database.query('SELECT name FROM activity WHERE name ~ $1 ORDER BY id', ['Group|User']);
    const before = await changes();
    await me(await signIn(id, { ...person, claims: { ...person.claims, groups: ['leads', 'staff'] } }));
    expect(await changes()).toEqual(before);
    await me(await signIn(id, { ...person, claims: { ...person.claims, groups: 'leads' } }));
    expect(await changes()).toEqual(before);
  });

  it('give the default role without a match, and administrators see the claims and the mappings that matched', async () => {
    const { organization, id, mapped } = await withMappings();
    const user = await me(await signIn(id, newPerson({ groups: ['visitors', { id: 7 }] })));
    expect(user.role).toBe('UR5');
    await signIn(id, newPerson({ groups: ['staff'] }));
    const [matched, unmatched] = await activities('AcceptedSignInActivity', organization);
    expect(matched?.data).toMatchObject({
      claims: { groups: ['staff'], email_verified: true },
      matched_mappings: [
        { group: 'staff', role: 'UR1' },
        { group: 'staff', merlon_group: mapped },
      ],
    });
    expect(unmatched?.data).toMatchObject({ claims: { groups: ['visitors', { id: 7 }] }, matched_mappings: [] });
    const lead = await test.newUser({ organization, role: 'UR2' });
    const { results } = await bodyOf(
      lead.api.get<{ results: Activity[] }>('/activity-stream/', { name: 'AcceptedSignInActivity' }),
    );
    expect(results.map(({ data }) => data['claims'])).toEqual([undefined, undefined]);
  });

  it('change only what they have given: a role or membership that a person has given stays', async () => {
    const { organization, id, mapped, other } = await withMappings();
    const person = newPerson({ groups: ['staff'] });
    const user = await me(await signIn(id, person));
    await bodyOf(organization.api.patch(`/users/${user.id}/`, { groups: [mapped, other] }));
    await me(await signIn(id, { ...person, claims: { ...person.claims, groups: ['leads'] } }));
    expect((await me(await signIn(id, person))).role).toBe('UR1');
    // Without groups, only the mapped membership ends.
    const without = { ...person, claims: { ...person.claims, groups: [] } };
    expect((await me(await signIn(id, without))).role).toBe('UR5');
    expect(await groupsOf(organization, user.id)).toEqual([other]);
    // A person gives the role and the group: neither is taken away any more.
    await bodyOf(organization.api.patch(`/users/${user.id}/`, { role: 'UR4', groups: [mapped, other] }));
    expect((await me(await signIn(id, without))).role).toBe('UR4');
    expect((await me(await signIn(id, person))).role).toBe('UR4');
    expect(await groupsOf(organization, user.id)).toEqual([mapped, other]);
  });

  it('end with their provider, and so do its sessions', async () => {
    const { organization, id } = await withMappings();
    const signedIn = await signIn(id, newPerson({ groups: ['staff'] }));
    const user = await me(signedIn);
    await bodyOf(organization.api.delete(`/identity-providers/${id}/`), 204);
    expect(await groupsOf(organization, user.id)).toEqual([]);
    await bodyOf(signedIn.api.get('/users/me/'), 401);
  });
});
