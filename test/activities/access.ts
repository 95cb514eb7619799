import { hashPassword } from '#platform/crypto/password.js';
import type { TestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { unique } from '../support/factories.js';
import { makeBusinessUnit, makeProject } from '../support/projects.js';
import { PASSWORD } from '../support/passwords.js';
import { authPath, browserWith, inviteUser, logIn, pageOf, sessionOf } from '../support/sessions.js';
import { PLACE } from './within-project.js';
import { expectingActivities, type Writing } from './writing.js';

const user = expectingActivities('person', 'admin', 'user');
const group = expectingActivities('person', 'admin', 'group');
const role = expectingActivities('person', 'admin', 'role');
const member = expectingActivities('personAdd', 'admin', 'group', 'user');
const projectMember = expectingActivities('personAdd', 'user', ...PLACE, 'group');
const unit = expectingActivities('create', 'user', 'business_unit');
const invitation = expectingActivities('person', 'admin', 'user');
const identityProvider = expectingActivities('login', 'admin', 'identity_provider');
const flag = expectingActivities('flag', 'admin', 'flag');
const session = expectingActivities('login', 'user', 'user');
const view = expectingActivities('bookmark', 'user', 'saved_view');
const token = expectingActivities('key', 'user', 'user');

const person = () => ({ email: `${unique('p').replaceAll(' ', '')}@example.com`, first_name: 'Bob', last_name: 'B' });

/** Writing operations of groups or of roles. */
const named = (noun: 'Group' | 'Role', path: string, activity: typeof group): Writing[] => {
  const make = async (api: Parameters<Writing['prepare']>[0]['api']): Promise<string> =>
    `${path}${(await bodyOf(api.post<{ id: string }>(path, { name: unique() }), 201)).id}/`;
  return [
    {
      operation: `POST ${path}`,
      activities: [activity(`Created${noun}Activity`)],
      prepare:
        async ({ api }) =>
        () =>
          api.post(path, { name: unique() }),
    },
    {
      operation: `PATCH ${path}{id}/`,
      activities: [activity(`Updated${noun}Activity`)],
      prepare: async ({ api }) => {
        const item = await make(api);
        return () => api.patch(item, { description: 'x' });
      },
    },
    {
      operation: `DELETE ${path}{id}/`,
      activities: [activity(`Deleted${noun}Activity`)],
      prepare: async ({ api }) => {
        const item = await make(api);
        return () => api.delete(item);
      },
    },
  ];
};

const makeToken = async (test: Parameters<Writing['prepare']>[0]): Promise<string> =>
  `/users/me/tokens/${(await bodyOf(test.api.post<{ id: number }>('/users/me/tokens/', { name: 'x' }), 201)).id}/`;

/** Gives the administrator the password `PASSWORD`. */
const setAdminPassword = async ({ database, organization }: Parameters<Writing['prepare']>[0]): Promise<void> => {
  await database.query('UPDATE user_account SET password_hash = $2 WHERE id = $1', [
    organization.admin.id,
    await hashPassword(PASSWORD),
  ]);
};

/** Signing in and out, and ending sessions. */
const SESSION_WRITINGS: readonly Writing[] = [
  {
    operation: 'POST /auth/login/',
    activities: [session('StartedSessionActivity')],
    prepare: async (test) => {
      await setAdminPassword(test);
      return () => logIn(test, test.organization.admin.email);
    },
  },
  {
    operation: 'POST /auth/logout/',
    activities: [session('EndedSessionActivity')],
    prepare: async (test) => {
      const browser = browserWith(test, await sessionOf(test, test.organization.admin.id));
      return () => browser.post(authPath(test, 'logout'));
    },
  },
  {
    operation: 'POST /auth/reauthenticate/',
    activities: [],
    prepare: async (test) => {
      await setAdminPassword(test);
      const browser = browserWith(test, await sessionOf(test, test.organization.admin.id));
      return () => browser.post(authPath(test, 'reauthenticate'), { password: PASSWORD });
    },
  },
  {
    operation: 'DELETE /users/me/sessions/{id}/',
    activities: [session('EndedSessionActivity')],
    prepare: async (test) => {
      await sessionOf(test, test.organization.admin.id);
      const { results } = await bodyOf(test.api.get<{ results: { id: number }[] }>('/users/me/sessions/'));
      return () => test.api.delete(`/users/me/sessions/${results[0]?.id}/`);
    },
  },
  {
    operation: 'DELETE /users/{user}/sessions/{id}/',
    activities: [session('EndedSessionActivity')],
    prepare: async (test) => {
      const { id } = await test.newUser();
      await sessionOf(test, id);
      const { results } = await bodyOf(test.api.get<{ results: { id: number }[] }>(`/users/${id}/sessions/`));
      return () => test.api.delete(`/users/${id}/sessions/${results[0]?.id}/`);
    },
  },
  {
    operation: 'DELETE /users/{user}/sessions/',
    activities: [session('EndedSessionActivity'), session('EndedSessionActivity')],
    prepare: async (test) => {
      const { id } = await test.newUser();
      for (let count = 0; count < 2; count += 1) await sessionOf(test, id);
      return () => test.api.delete(`/users/${id}/sessions/`);
    },
  },
];

const INVITATION_WRITINGS: readonly Writing[] = [
  {
    operation: 'POST /users/{user}/invitations/',
    activities: [invitation('CreatedInvitationActivity')],
    prepare: async (test) => {
      const { id } = await test.newUser();
      return () => test.api.post(`/users/${id}/invitations/`);
    },
  },
  {
    operation: 'POST /auth/invitation/',
    activities: [
      invitation('AcceptedInvitationActivity'),
      user('UpdatedUserActivity'),
      session('StartedSessionActivity'),
    ],
    byOthers: true,
    prepare: async (test) => {
      const token = await inviteUser(test, (await test.newUser()).id);
      return () => pageOf(test).post(authPath(test, 'invitation'), { token, password: PASSWORD });
    },
  },
  {
    operation: 'POST /auth/invitation/link/',
    activities: [],
    prepare: async (test) => {
      const token = await inviteUser(test, (await test.newUser()).id);
      return () => pageOf(test).post(authPath(test, 'invitation/link'), { token });
    },
  },
];

const makeProvider = async ({ api }: Parameters<Writing['prepare']>[0]): Promise<string> => {
  const body = { name: unique(), issuer: 'https://login.example.com', client_id: 'merlon' };
  return `/identity-providers/${(await bodyOf(api.post<{ id: number }>('/identity-providers/', body), 201)).id}/`;
};

const IDENTITY_PROVIDER_WRITINGS: readonly Writing[] = [
  {
    operation: 'POST /identity-providers/',
    activities: [identityProvider('CreatedIdentityProviderActivity')],
    prepare: async (test) => () =>
      test.api.post('/identity-providers/', { name: unique(), issuer: 'https://login.example.com', client_id: 'm' }),
  },
  {
    operation: 'PATCH /identity-providers/{id}/',
    activities: [identityProvider('UpdatedIdentityProviderActivity')],
    prepare: async (test) => {
      const provider = await makeProvider(test);
      return () => test.api.patch(provider, { domains: ['example.com'] });
    },
  },
  {
    operation: 'PATCH /identity-providers/{id}/',
    when: 'deactivating one',
    activities: [identityProvider('DeactivatedIdentityProviderActivity')],
    prepare: async (test) => {
      const provider = await makeProvider(test);
      return () => test.api.patch(provider, { active: false });
    },
  },
  {
    operation: 'DELETE /identity-providers/{id}/',
    activities: [identityProvider('DeletedIdentityProviderActivity')],
    prepare: async (test) => {
      const provider = await makeProvider(test);
      return () => test.api.delete(provider);
    },
  },
];

const VIEW = { name: 'Open', page: 'tasks', query: { status: 'TS2' } };
const newView = async (test: TestApi): Promise<string> =>
  `/users/me/views/${(await bodyOf(test.api.post<{ id: number }>('/users/me/views/', VIEW), 201)).id}/`;

/** What clients store for a user. */
const CLIENT_WRITINGS: readonly Writing[] = [
  {
    operation: 'PATCH /users/me/preferences/',
    activities: [],
    prepare:
      async ({ api }) =>
      () =>
        api.patch('/users/me/preferences/', { theme: 'dark' }),
  },
  {
    operation: 'POST /users/me/views/',
    activities: [view('CreatedSavedViewActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/users/me/views/', VIEW),
  },
  {
    operation: 'PATCH /users/me/views/{id}/',
    activities: [view('UpdatedSavedViewActivity')],
    prepare: async (test) => {
      const path = await newView(test);
      return () => test.api.patch(path, { shared: true });
    },
  },
  {
    operation: 'DELETE /users/me/views/{id}/',
    activities: [view('DeletedSavedViewActivity')],
    prepare: async (test) => {
      const path = await newView(test);
      return () => test.api.delete(path);
    },
  },
];

/** Operations for which a deployment with users is too late; setup.spec.ts tests them. */
export const FIRST_SETUP: readonly string[] = ['POST /auth/setup/'];

export const ACCESS_WRITINGS: readonly Writing[] = [
  {
    operation: 'POST /users/',
    activities: [user('CreatedUserActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/users/', person()),
  },
  {
    operation: 'POST /users/',
    when: 'with a group',
    activities: [user('CreatedUserActivity'), member('AddedUserToGroupActivity')],
    prepare: async ({ api }) => {
      const { id } = await bodyOf(api.post<{ id: string }>('/groups/', { name: unique() }), 201);
      return () => api.post('/users/', { ...person(), groups: [id] });
    },
  },
  {
    operation: 'PATCH /users/{id}/',
    activities: [user('UpdatedUserActivity')],
    prepare: async (test) => {
      const { id } = await test.newUser();
      return () => test.api.patch(`/users/${id}/`, { first_name: 'Other' });
    },
  },
  {
    operation: 'PATCH /users/{id}/',
    when: 'changing and deactivating a user',
    activities: [user('UpdatedUserActivity'), user('DeactivatedUserActivity')],
    prepare: async (test) => {
      const { id } = await test.newUser();
      return () => test.api.patch(`/users/${id}/`, { first_name: 'Other', is_active: false });
    },
  },
  {
    operation: 'PATCH /users/{id}/',
    when: 'activating a user',
    activities: [user('ActivatedUserActivity')],
    prepare: async (test) => {
      const { id } = await test.newUser();
      await bodyOf(test.api.patch(`/users/${id}/`, { is_active: false }));
      return () => test.api.patch(`/users/${id}/`, { is_active: true });
    },
  },
  ...named('Group', '/groups/', group),
  {
    operation: 'PATCH /groups/{id}/',
    when: 'changing the members',
    activities: [member('AddedUserToGroupActivity'), member('RemovedUserFromGroupActivity')],
    prepare: async (test) => {
      const [one, two] = [await test.newUser(), await test.newUser()];
      const { id } = await bodyOf(test.api.post<{ id: string }>('/groups/', { name: unique(), users: [one.id] }), 201);
      return () => test.api.patch(`/groups/${id}/`, { users: [two.id] });
    },
  },
  {
    operation: 'DELETE /groups/{id}/',
    when: 'with members, projects and business units',
    activities: [
      member('RemovedUserFromGroupActivity'),
      member('RemovedUserFromGroupActivity'),
      projectMember('RemovedGroupFromProjectActivity'),
      projectMember('RemovedGroupFromProjectActivity'),
      unit('UpdatedBusinessUnitActivity'),
      unit('UpdatedBusinessUnitActivity'),
      group('DeletedGroupActivity'),
    ],
    prepare: async (test) => {
      const users = [(await test.newUser()).id, (await test.newUser()).id];
      const { id } = await bodyOf(test.api.post<{ id: string }>('/groups/', { name: unique(), users }), 201);
      for (const role of ['PR4', 'PR5']) {
        const project = await makeProject(test);
        await bodyOf(test.api.patch(`/projects/${project.id}/`, { groups: [{ id, role }] }));
      }
      await makeBusinessUnit(test.api, { groups: [{ id }], default_groups: [{ id, role: 'PR4' }] });
      await makeBusinessUnit(test.api, { default_groups: [{ id, role: 'PR5' }] });
      return () => test.api.delete(`/groups/${id}/`);
    },
  },
  ...named('Role', '/global-roles/', role),
  {
    operation: 'POST /flags/',
    activities: [flag('ActivatedFlagActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/flags/', { name: 'SOMETHING_NEW' }),
  },
  {
    operation: 'DELETE /flags/{id}/',
    activities: [flag('DeactivatedFlagActivity')],
    prepare: async ({ api }) => {
      await bodyOf(api.post('/flags/', { name: 'SOMETHING_OLD' }), 201);
      return () => api.delete('/flags/SOMETHING_OLD/');
    },
  },
  {
    operation: 'POST /users/me/tokens/',
    activities: [token('CreatedTokenActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/users/me/tokens/', { name: 'x' }),
  },
  {
    operation: 'POST /users/{id}/tokens/',
    activities: [token('CreatedTokenActivity')],
    prepare: async (test) => {
      const { id } = await test.newUser();
      return () => test.api.post(`/users/${id}/tokens/`, { name: 'x' });
    },
  },
  {
    operation: 'PATCH /token-policy/',
    activities: [expectingActivities('key', 'admin', 'organization')('UpdatedTokenPolicyActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.patch('/token-policy/', { max_days: null }),
  },
  {
    operation: 'DELETE /users/{user}/tokens/{id}/',
    activities: [token('RevokedTokenActivity')],
    prepare: async (test) => {
      const user = await test.newUser();
      const { results } = await bodyOf(test.api.get<{ results: { id: number }[] }>(`/users/${user.id}/tokens/`));
      return () => test.api.delete(`/users/${user.id}/tokens/${results[0]?.id}/`);
    },
  },
  {
    operation: 'POST /users/me/tokens/{id}/regenerate/',
    activities: [token('RegeneratedTokenActivity')],
    prepare: async (test) => {
      const item = await makeToken(test);
      return () => test.api.post(`${item}regenerate/`);
    },
  },
  {
    operation: 'DELETE /users/me/tokens/{id}/',
    activities: [token('RevokedTokenActivity')],
    prepare: async (test) => {
      const item = await makeToken(test);
      return () => test.api.delete(item);
    },
  },
  ...SESSION_WRITINGS,
  ...IDENTITY_PROVIDER_WRITINGS,
  ...CLIENT_WRITINGS,
  ...INVITATION_WRITINGS,
  {
    operation: 'POST /users/me/password/',
    activities: [user('UpdatedUserActivity')],
    prepare: async (test) => {
      const password = 'correct horse battery';
      const { email, id } = test.organization.admin;
      await test.database.query('DELETE FROM user_session WHERE user_id = $1', [id]);
      await test.database.query('UPDATE user_account SET password_hash = $2 WHERE id = $1', [
        id,
        await hashPassword(password),
      ]);
      const basic = Buffer.from(`${email}:${password}`).toString('base64');
      const caller = test.api.as(null).with({ Authorization: `Basic ${basic}` });
      return () =>
        caller.post('/users/me/password/', {
          current_password: password,
          new_password: `${password} staple`,
          keep_tokens: true,
        });
    },
  },
];
