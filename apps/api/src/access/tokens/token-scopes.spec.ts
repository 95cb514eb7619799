import { type TestUser, useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, type Json, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeGroup, unique, userBody, userWith } from '#test/support/factories.js';
import { TOKENS_PATH as path, PASSWORD, type Token } from '#test/support/passwords.js';
import { addMember, makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import { rowsOfReport } from '#test/support/reports.js';
import type { List } from '#test/support/resources.js';
import { withScopes } from '#test/support/scopes.js';

const test = useTestApi();

const READ_LIBRARY = { schema: 'library', measures: ['LibraryTask.count'] };

const attempt = (api: ApiClient, fields: object) => api.post(path, { name: 'x', ...fields });
const create = (api: ApiClient, fields: object): Promise<Token> =>
  bodyOf(api.post<Token>(path, { name: 'x', ...fields }), 201);
const namesOf = async (api: ApiClient, list: string): Promise<string[]> =>
  (await rowsOf(api.get<List<{ name: string }>>(list))).map(({ name }) => name);

/** A super-user whose rights tokens limit. */
const owner = (): TestUser => ({ ...test.organization.admin, api: test.api });

describe('The scopes of a token', () => {
  it('are shown with the token and at /session/, and are everything by default', async () => {
    const { api } = await test.newUser();
    const created = await create(api, { scopes: ['projects:write', 'projects:read'] });
    expect(created).toMatchObject({ scopes: ['projects:read', 'projects:write'], projects: null });
    const limited = api.as(created.token ?? '');
    expect(await bodyOf(limited.get('/session/'))).toMatchObject({ scopes: ['projects:read', 'projects:write'] });
    expect(await bodyOf(api.get('/session/'))).toMatchObject({ scopes: ['*'] });
    expect(await create(api, {})).toMatchObject({ scopes: ['*'], projects: null });
  });

  it.each([
    [['activity:write'], 'scopes'],
    [['library'], 'scopes'],
    [[], 'scopes'],
    [['library:read', 'library:read'], 'scopes'],
    ['library:read', 'scopes'],
  ])('cannot be %j', async (scopes, field) => {
    const { api } = await test.newUser();
    await changesNothing(test, async () => expect(await rejectedFields(attempt(api, { scopes }))).toEqual([field]));
  });

  it('cannot exceed those of the token that creates it, also not by default', async () => {
    const project = await makeProject(test);
    const own = await withScopes(owner(), ['access:write', 'library:read'], [project.id]);
    const ids = { projects: [project.id] };
    const attempts: [object, string[]][] = [
      [{ ...ids }, ['scopes']],
      [{ ...ids, scopes: ['*'] }, ['scopes']],
      [{ ...ids, scopes: ['library:read', 'admin'] }, ['scopes']],
      [{ ...ids, scopes: ['access:write', 'access:read'] }, ['scopes']],
      [{ scopes: ['library:read'] }, ['projects']],
      [{ scopes: ['library:read'], projects: null }, ['projects']],
      [{ scopes: ['library:read'], projects: [project.id, (await makeProject(test)).id] }, ['projects']],
      [{ scopes: ['library:read'], projects: [] }, ['projects']],
      [{ scopes: ['projects:read'] }, ['projects', 'scopes']],
    ];
    for (const [fields, rejected] of attempts)
      await changesNothing(test, async () =>
        expect([fields, (await rejectedFields(attempt(own, fields))).sort()]).toEqual([fields, rejected]),
      );
    await create(own, { ...ids, scopes: ['library:read'] });
  });

  it('cannot include "admin" for someone who is no super-user, or projects that they cannot see', async () => {
    const { api } = await test.newUser();
    const hidden = await makeProject(test);
    expect(await rejectedFields(attempt(api, { scopes: ['admin'] }))).toEqual(['scopes']);
    for (const projects of [[hidden.id], [999_999]])
      expect(await rejectedFields(attempt(api, { projects }))).toEqual(['projects']);
  });

  it('are kept when a token is regenerated, which a token with fewer scopes cannot do', async () => {
    const { api } = await test.newUser();
    const wide = await create(api, { scopes: ['library:read', 'library:write'] });
    const own = await withScopes({ api }, ['access:write', 'library:read']);
    await changesNothing(test, async () =>
      expect(await rejectedFields(own.post(`${path}${wide.id}/regenerate/`))).toEqual(['scopes']),
    );
    expect(await bodyOf(api.post(`${path}${wide.id}/regenerate/`))).toMatchObject({ scopes: wide.scopes });
  });

  it('cannot be changed later, neither directly nor within a composite request', async () => {
    const { api } = await test.newUser();
    const created = await create(api, { scopes: ['access:read', 'access:write'] });
    const own = api.as(created.token ?? '');
    const body = { scopes: ['*'] };
    await changesNothing(test, async () => {
      for (const method of ['PATCH', 'PUT'] as const)
        expect((await own.send(method, `${path}${created.id}/`, body)).status).toBe(405);
    });
    const run = (method: string, to: string, sent?: object) =>
      bodyOf(
        own.post<{ composite_response: { http_status_code: number; body: Json }[] }>('/composite/', {
          composite_request: [{ method, path: to, reference_id: 'x', ...(sent && { body: sent }) }],
        }),
      );
    for (const [method, to, sent, status] of [
      ['PATCH', `users/me/tokens/${created.id}/`, body, 405],
      ['POST', 'users/me/tokens/', { name: 'x' }, 400],
      ['POST', 'library/tasks/', { title: 'x' }, 403],
      ['GET', 'library/tasks/', undefined, 403],
      ['GET', 'users/', undefined, 200],
    ] as const)
      expect((await run(method, to, sent)).composite_response).toMatchObject([{ http_status_code: status }]);
  });

  it('cannot be evaded by repeating the request of another token with its Idempotency-Key', async () => {
    const { api } = await test.newUser();
    const headers = { 'Idempotency-Key': unique('key') };
    const body = { name: 'x', scopes: ['*'] };
    await bodyOf(api.post(path, body, { headers }), 201);
    const own = await withScopes({ api }, ['access:write']);
    expect(await rejectedFields(own.post(path, body, { headers }))).toEqual(['scopes']);
  });
});

describe('A token with scopes', () => {
  it('can neither set passwords nor change e-mail addresses', async () => {
    const own = await withScopes(owner(), ['access:read', 'access:write', 'admin']);
    const { id, email } = await test.newUser();
    await changesNothing(test, async () => {
      expect(await rejectedFields(own.post('/users/', userBody({ password: PASSWORD })))).toEqual(['password']);
      await bodyOf(own.patch(`/users/${id}/`, { email: 'someone.else@example.com' }), 403);
    });
    await bodyOf(own.post('/users/', userBody()), 201);
    await bodyOf(own.patch(`/users/${id}/`, { email, first_name: 'Ada' }));
  });

  it('cannot give anyone permissions outside of its scopes', async () => {
    const own = await withScopes(owner(), ['access:read', 'access:write']);
    const { id } = await test.newUser();
    await changesNothing(test, async () => {
      await bodyOf(own.post('/users/', userBody({ role: 'UR2' })), 403);
      await bodyOf(own.patch(`/users/${id}/`, { role: 'UR4' }), 403);
      await bodyOf(own.post('/users/', userBody({ is_superuser: true })), 403);
      await bodyOf(own.post('/global-roles/', { name: unique('Role'), permissions: ['customize_content'] }), 403);
    });
    await bodyOf(own.post('/global-roles/', { name: unique('Role'), permissions: ['manage_users'] }), 201);
  });

  it('cannot give anyone access to projects without "projects:write"', async () => {
    const project = await makeProject(test);
    const group = await makeGroup(test.api);
    await test.database.query(
      `INSERT INTO project_member (project_id, group_id, role) VALUES ($1,
      (SELECT id FROM user_group WHERE item_id = $2), 'PR5')`,
      [project.id, group.id],
    );
    const { id } = await test.newUser();
    const own = await withScopes(owner(), ['access:write', 'projects:read']);
    await changesNothing(test, () => bodyOf(own.patch(`/groups/${group.id}/`, { users: [id] }), 403));
    const writing = await withScopes(owner(), ['access:write', 'projects:write']);
    await bodyOf(writing.patch(`/groups/${group.id}/`, { users: [id] }));
  });

  it('has only the permissions of its owner', async () => {
    const reader = await test.newUser();
    const own = await withScopes(reader, ['library:write']);
    expect(await bodyOf(own.post('/library/tasks/', { title: 'x' }), 403)).toEqual({
      detail: 'Requires the permission "customize_content".',
    });
    expect(await bodyOf(own.get('/session/'))).toMatchObject({ permissions: [] });
    const lead = await withScopes(owner(), ['projects:read']);
    expect(await bodyOf(lead.get('/session/'))).toMatchObject({ permissions: ['view_all_projects'] });
  });

  it('finds projects by search only with "projects:read"', async () => {
    const { id, name } = await makeProject(test);
    const find = async (...scopes: string[]): Promise<string[]> => {
      const api = await withScopes(owner(), ['library:read', ...scopes]);
      return (await rowsOf(api.get<List<{ id: string; kind: string }>>('/search/', { q: name }))).map((row) => row.id);
    };
    expect(await find()).toEqual([]);
    expect(await find('projects:read')).toContain(String(id));
  });

  it('runs reports with "reports:read"', async () => {
    const api = await withScopes(owner(), ['reports:read']);
    expect(await rowsOfReport(test, READ_LIBRARY, { ...owner(), api })).toHaveLength(1);
  });
});

describe('A token that is limited to projects', () => {
  it('sees only these projects, their applications, business units and activities', async () => {
    const [own, other] = [await makeProject(test), await makeProject(test, { allUsers: true })];
    const api = await withScopes(owner(), ['*'], [own.id]);
    expect(await namesOf(api, '/projects/')).toEqual([own.name]);
    expect((await rowsOf(api.get<List<{ id: number }>>('/applications/'))).map(({ id }) => id)).toEqual([
      own.application,
    ]);
    expect((await rowsOf(api.get<List<{ id: number }>>('/business-units/'))).map(({ id }) => id)).toEqual([
      own.businessUnit,
    ]);
    for (const stream of ['/activity-stream/', '/users/me/activity-stream/']) {
      const text = JSON.stringify(await bodyOf(api.get(stream)));
      expect(text).toContain(own.name);
      expect(text).not.toContain(other.name);
    }
    await bodyOf(api.get(`/projects/${other.id}/`), 404);
    await bodyOf(api.get(`/projects/${other.id}/activity-stream/`), 404);
    expect(await namesOf(api, `/search/?q=${encodeURIComponent(other.name)}`)).toEqual([]);
  });

  it('changes these projects as far as its owner may, and nothing else', async () => {
    const own = await makeProject(test);
    const tester = await test.newUser();
    await addMember(test, own, tester, 'PR3');
    const api = await withScopes(owner(), ['*'], [own.id]);
    await bodyOf(api.patch(`/projects/${own.id}/`, { description: 'New.' }));
    await bodyOf((await withScopes(tester, ['*'], [own.id])).patch(`/projects/${own.id}/`, {}), 403);
    await changesNothing(test, async () => {
      await bodyOf(api.post('/projects/', { name: unique('x'), application: own.application }), 403);
      await bodyOf(api.post('/library/tasks/', { title: 'x', text: 'x' }), 403);
      await bodyOf(api.post('/users/', userBody()), 403);
    });
  });

  it('has no access to reports', async () => {
    const own = await makeProject(test);
    const api = await withScopes(owner(), ['*'], [own.id]);
    for (const list of ['/queries/', '/users/me/auth-token/'])
      expect(await bodyOf(api.get(list), 403)).toEqual({
        detail: 'A token that is limited to projects has no access to reports.',
      });
  });
});

describe('A service account', () => {
  const make = (fields: object = {}) =>
    bodyOf(
      test.api.post<{ id: number; email: string }>('/users/', userBody({ is_service_account: true, ...fields })),
      201,
    );

  it('has tokens that administrators create, list and revoke, but no password', async () => {
    const manager = await test.newUser({ role: 'UR4' });
    const { id } = await make();
    const tokens = `/users/${id}/tokens/`;
    const created = await bodyOf(manager.api.post<Token>(tokens, { name: 'CI', scopes: ['library:read'] }), 201);
    const program = test.api.as(created.token ?? '').with({ 'User-Agent': 'CI' });
    await bodyOf(program.get('/library/tasks/', { page_size: 1 }));
    expect(await rowsOf(manager.api.get<List<Token>>(tokens))).toMatchObject([{ id: created.id, name: 'CI' }]);
    await bodyOf(manager.api.delete(`${tokens}${created.id}/`), 204);
    await bodyOf(program.get('/library/tasks/'), 401);
    const withPassword = userBody({ is_service_account: true, password: PASSWORD });
    expect(await rejectedFields(test.api.post('/users/', withPassword))).toEqual(['password']);
  });

  it('gets tokens only from those who have its permissions and its access to projects', async () => {
    const { id } = await make({ role: 'UR4' });
    const manager = await userWith(test, 'manage_users');
    await changesNothing(test, () => bodyOf(manager.api.post(`/users/${id}/tokens/`, { name: 'x' }), 403));
    const member = await make();
    const project = await makeProject(test);
    await addMember(test, project, { ...owner(), id: member.id }, 'PR1');
    await changesNothing(test, () => bodyOf(manager.api.post(`/users/${member.id}/tokens/`, { name: 'x' }), 403));
    const superUser = await make({ is_superuser: true });
    await changesNothing(test, () => bodyOf(manager.api.post(`/users/${superUser.id}/tokens/`, { name: 'x' }), 403));
  });

  it('cannot become a person, or a person a service account', async () => {
    const { id } = await make();
    const person = await test.newUser();
    await bodyOf(test.api.patch(`/users/${id}/`, { is_service_account: false }));
    await bodyOf(test.api.patch(`/users/${person.id}/`, { is_service_account: true }));
    expect(await bodyOf(test.api.get(`/users/${id}/`))).toMatchObject({ is_service_account: true });
    expect(await bodyOf(test.api.get(`/users/${person.id}/`))).toMatchObject({ is_service_account: false });
  });
});

describe('The tokens of others', () => {
  it('are listed and revoked only by administrators of the organization', async () => {
    const user = await test.newUser();
    const manager = await test.newUser({ role: 'UR4' });
    const stranger = await test.newOrganization();
    const tokens = `/users/${user.id}/tokens/`;
    await bodyOf(user.api.get('/users/me/'));
    const [{ id } = { id: 0 }] = await rowsOf(manager.api.get<List<Token>>(tokens));
    await bodyOf(user.api.get(tokens), 403);
    await bodyOf(stranger.api.get(tokens), 404);
    await changesNothing(test, async () => {
      await bodyOf(user.api.delete(`${tokens}${id}/`), 403);
      await bodyOf(stranger.api.delete(`${tokens}${id}/`), 404);
      await bodyOf(manager.api.delete(`/users/${manager.id}/tokens/${id}/`), 404);
    });
    await bodyOf(manager.api.delete(`${tokens}${id}/`), 204);
    await bodyOf(user.api.get('/users/me/'), 401);
  });
});
