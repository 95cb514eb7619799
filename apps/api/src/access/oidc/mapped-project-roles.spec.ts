import type { TestOrganization } from '#test/support/api.js';
import { BrowserJar } from '#test/support/browser-jar.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { unique } from '#test/support/factories.js';
import { makeIdentityProvider, useOidcProvider } from '#test/support/oidc-provider.js';
import { makeProject, type TestProject } from '#test/support/projects.js';
import { browserWith, COOKIE } from '#test/support/sessions.js';

const { test, provider } = useOidcProvider();

interface Member {
  readonly id: number;
  readonly role: string;
}

/** An organization with a project, and a provider that maps groups to roles in its business unit. */
async function withMappings() {
  const organization = await test.newOrganization();
  const project = await makeProject(test, { organization });
  const other = await makeProject(test, { organization });
  const id = await makeIdentityProvider(organization, provider, {
    create_users: true,
    default_role: 'UR5',
    group_mappings: [
      { group: 'leads', project_role: 'PR1', business_unit: project.businessUnit },
      { group: 'staff', project_role: 'PR4', business_unit: project.businessUnit },
      { group: 'guests', project_role: 'PR5', business_unit: other.businessUnit },
    ],
  });
  const subject = unique('x').replaceAll(/\W/g, '').toLowerCase();
  /** Signs the person in as a member of these groups; returns their number. */
  const signIn = async (...groups: string[]): Promise<number> => {
    const claims = { email: `${subject}@example.com`, email_verified: true, given_name: 'Ada', family_name: 'L' };
    provider.signIn(subject, { ...claims, groups });
    const jar = new BrowserJar();
    await jar.visit(`${test.origin}/auth/oidc/${id}/start?return_to=/openapi.json`);
    return (await bodyOf(browserWith(test, jar.of(test.origin).get(COOKIE) ?? '').get<Member>('/users/me/'))).id;
  };
  return { organization, project, other, id, signIn };
}

const roleIn = async (organization: TestOrganization, { id }: Pick<TestProject, 'id'>, user: number) => {
  const { users } = await bodyOf(organization.api.get<{ users: Member[] }>(`/projects/${id}/`));
  return users.find((member) => member.id === user)?.role;
};

const defaultRole = async (organization: TestOrganization, unit: number, user: number) => {
  const { default_users: users } = await bodyOf(
    organization.api.get<{ default_users: Member[] }>(`/business-units/${unit}/`),
  );
  return users.find((member) => member.id === user)?.role;
};

const newProjectOf = async (organization: TestOrganization, application: number) =>
  bodyOf(organization.api.post<{ id: number }>('/projects/', { name: unique('P'), application, profile: null }), 201);

describe('A mapping to a role in projects', () => {
  it('gives the role in current and new projects of the business unit, the first one if several match', async () => {
    const { organization, project, other, signIn } = await withMappings();
    const user = await signIn('staff', 'leads', 'staff');
    expect(await roleIn(organization, project, user)).toBe('PR1');
    expect(await roleIn(organization, other, user)).toBeUndefined();
    const later = await newProjectOf(organization, project.application);
    expect(await roleIn(organization, later, user)).toBe('PR1');
    expect(await signIn('staff')).toBe(user);
    for (const one of [project, later]) expect(await roleIn(organization, one, user)).toBe('PR4');
    expect(await defaultRole(organization, project.businessUnit, user)).toBe('PR4');
  });

  it('changes nothing when the person signs in again with the same groups', async () => {
    const { organization, project, signIn } = await withMappings();
    const user = await signIn('staff', 'guests');
    const rows = () =>
      test.database.query(
        `SELECT 'project', id, project_id FROM project_member WHERE user_id = $1
         UNION ALL SELECT 'unit', id, business_unit_id FROM business_unit_member WHERE user_id = $1 ORDER BY 1, 2`,
        [user],
      );
    const before = await rows();
    expect(before).toHaveLength(4);
    await signIn('guests', 'staff', 'guests');
    expect(await rows()).toEqual(before);
    const { results } = await bodyOf(
      organization.api.get<{ results: { name: string }[] }>(`/projects/${project.id}/activity-stream/`),
    );
    expect(results.filter(({ name }) => name === 'AddedUserToProjectActivity')).toHaveLength(1);
  });

  it('ends without the group, also in newer projects, and keeps what a person has given', async () => {
    const { organization, project, other, signIn } = await withMappings();
    const user = await signIn();
    await bodyOf(organization.api.patch(`/projects/${project.id}/`, { users: [{ id: user, role: 'PR2' }] }));
    const units = [project, other].map(({ businessUnit }) => `/business-units/${businessUnit}/`);
    await bodyOf(organization.api.patch(units[1] ?? '', { default_users: [{ id: user, role: 'PR3' }] }));
    await signIn('staff', 'guests');
    expect(await roleIn(organization, project, user)).toBe('PR2');
    expect(await roleIn(organization, other, user)).toBe('PR5');
    const later = await newProjectOf(organization, project.application);
    // A member list that is sent back does not make the role one that a person has given.
    for (const path of units) {
      const { default_users: users } = await bodyOf(organization.api.get<{ default_users: object[] }>(path));
      await bodyOf(organization.api.patch(path, { default_users: users }));
    }
    await signIn();
    expect(await roleIn(organization, project, user)).toBe('PR2');
    expect(await roleIn(organization, other, user)).toBeUndefined();
    expect(await roleIn(organization, later, user)).toBeUndefined();
    expect(await defaultRole(organization, project.businessUnit, user)).toBeUndefined();
    expect(await defaultRole(organization, other.businessUnit, user)).toBe('PR3');
  });

  it('ends with its provider', async () => {
    const { organization, project, id, signIn } = await withMappings();
    const user = await signIn('leads');
    await bodyOf(organization.api.delete(`/identity-providers/${id}/`), 204);
    expect(await roleIn(organization, project, user)).toBeUndefined();
    expect(await defaultRole(organization, project.businessUnit, user)).toBeUndefined();
  });

  it('names a role, and a business unit of the organization', async () => {
    const { organization, project, id } = await withMappings();
    const { businessUnit } = await makeProject(test);
    const errorsOf = async (mapping: object) =>
      rejectedFields(
        organization.api.patch(`/identity-providers/${id}/`, { group_mappings: [{ group: 'g', ...mapping }] }),
      );
    const unit = project.businessUnit;
    expect(await errorsOf({ project_role: 'PR4' })).toEqual(['group_mappings']);
    expect(await errorsOf({ business_unit: unit })).toEqual(['group_mappings']);
    expect(await errorsOf({ project_role: 'PR6', business_unit: unit })).toEqual(['group_mappings']);
    expect(await errorsOf({ project_role: 'PR4', business_unit: businessUnit })).toEqual(['group_mappings']);
    expect(await errorsOf({ project_role: 'PR4', business_unit: unit, role: 'UR1' })).toEqual(['group_mappings']);
  });
});

describe('Activities of a sign-in with a provider', () => {
  it('record the address, the credential "provider" and the request', async () => {
    const { organization, signIn } = await withMappings();
    await signIn('staff');
    const { results } = await bodyOf(
      organization.api.get<{ results: { name: string; source: object | null }[] }>('/activity-stream/', {
        page_size: 100,
      }),
    );
    const sourceOf = (name: string) => results.find((activity) => activity.name === name)?.source;
    const source = { request_id: expect.any(String), address: '127.0.0.1', credential: 'provider', token: null };
    expect(sourceOf('AcceptedSignInActivity')).toEqual(source);
    expect(sourceOf('AddedUserToProjectActivity')).toEqual(source);
    expect(sourceOf('CreatedIdentityProviderActivity')).toMatchObject({ credential: 'token' });
  });
});
