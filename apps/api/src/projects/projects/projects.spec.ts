import { useTestApi } from '#test/support/api.js';
import { bodyOf, refusedBy, rowsOf } from '#test/support/client.js';
import { answerIds, makeComponent, unique } from '#test/support/factories.js';
import { addMember, makeApplication, makeBusinessUnit, makeProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Group, List, Project } from '#test/support/resources.js';

const test = useTestApi();

const show = async (id: number, query: Record<string, string> = {}): Promise<Project> =>
  bodyOf(test.api.get<Project>(`/projects/${id}/`, query));

const ids = async (query: Record<string, string | number>): Promise<number[]> =>
  (await rowsOf(test.api.get<List<Project>>('/projects/', query))).map(({ id }) => id);

describe('A new project', () => {
  it('has every field, with what its application, its maker and the defaults give it', async () => {
    const application = await makeApplication(test.api, { tags: ['shop'] });
    const name = unique('Web Shop 2.0 für alle');
    const project = await bodyOf(test.api.post<Project>('/projects/', { name, application: application.id }), 201);
    expect(project).toMatchObject({
      name,
      slug: name.toLowerCase().replaceAll(/[ .]/g, '-').replace('ü', 'u'),
      url: `/projects/${project.id}/`,
      application: application.id,
      application_tags: ['shop'],
      archived: false,
      locked: false,
      content_refresh_locked: false,
      creator: test.organization.admin.id,
      custom_attributes: {},
      description: '',
      tags: [],
      users: [],
      groups: [],
      parent: null,
      base_project: null,
      survey_dirty: false,
      risk_policy: expect.any(Number),
    });
    expect(project.external_id).toMatch(/^project-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const [standard] = await rowsOf(test.api.get<List<{ id: string }>>('/profiles/', { default: 'true' }));
    expect(project.profile).toMatchObject({ id: standard?.id, active: true });
    expect(await show(project.id)).toEqual(project);
  });

  it('begins with the saved answers of its profile', async () => {
    const profiles = await rowsOf(test.api.get<List<{ id: string; answers: string[] }>>('/profiles/'));
    const profile = profiles.find(({ answers }) => answers.length);
    if (!profile) throw new Error('No profile has answers.');
    const { id } = await makeProject(test, { fields: { profile: profile.id } });
    expect((await show(id)).profile?.id).toBe(profile.id);
    const saved = await test.database.query<{ item_id: string }>(
      'SELECT a.item_id FROM project_answer s JOIN survey_answer a ON a.id = s.answer_id WHERE s.project_id = $1',
      [id],
    );
    expect(saved.map((row) => row.item_id).sort()).toEqual([...profile.answers].sort());
  });

  it('begins with no answers where its profile is null, and with those of its base project where it has one', async () => {
    const [answer] = await answerIds(test.api, 1);
    const base = await makeProject(test, { fields: { profile: null } });
    expect((await show(base.id)).profile).toBeNull();
    const saved = (id: number) =>
      test.database.query('SELECT answer_id FROM project_answer WHERE project_id = $1', [id]);
    expect(await saved(base.id)).toEqual([]);
    await test.database.query(
      'INSERT INTO project_answer SELECT $1, id FROM survey_answer WHERE item_id = $2 AND organization_id IS NULL',
      [base.id, answer],
    );
    const next = await makeProject(test, { fields: { base_project: base.id } });
    expect((await show(next.id)).base_project).toBe(base.id);
    expect(await saved(next.id)).toEqual(await saved(base.id));
  });

  it('gets the default members of its business unit, and those named for it with their own role', async () => {
    const [ada, bob] = [await test.newUser(), await test.newUser()];
    const group = await bodyOf(test.api.post<Group>('/groups/', { name: unique('Group') }), 201);
    const unit = await makeBusinessUnit(test.api, {
      default_users: [{ email: ada.email, role: 'PR4' }, { email: bob.email.toUpperCase() }],
      default_groups: [{ id: group.id, role: 'PR3' }],
    });
    const application = await makeApplication(test.api, { business_unit: unit.id });
    const body = { name: unique(), application: application.id, users: [{ id: ada.id, role: 'PR2' }] };
    const project = await bodyOf(test.api.post<Project>('/projects/', body), 201);
    expect(project.users.map(({ id, role }) => [id, role])).toEqual([
      [ada.id, 'PR2'],
      [bob.id, 'PR5'],
    ]);
    expect(project.groups).toEqual([{ id: group.id, name: expect.any(String), role: 'PR3' }]);
  });

  it('is told as created, with its application and business unit, and so is every member', async () => {
    const application = await makeApplication(test.api);
    const user = await test.newUser({ firstName: 'Bob', lastName: 'B' });
    const name = unique('Told');
    const told = await activitiesOf(test, () =>
      test.api.post('/projects/', { name, application: application.id, profile: null, users: [user.email] }),
    );
    const data = {
      project: expect.any(Number),
      project_desc: name,
      application: application.id,
      application_desc: application.name,
      business_unit: application.business_unit.id,
      business_unit_desc: application.business_unit.name,
    };
    expect(told).toMatchObject([
      { name: 'CreatedProjectActivity', icon: 'create', log_level: 'user', data },
      {
        name: 'AddedUserToProjectActivity',
        icon: 'personAdd',
        data: { ...data, user: `U${user.id}`, user_desc: 'Bob B' },
      },
    ]);
    expect(told[1]?.text).toContain('added *Bob B* to project');
  });

  it('has a name and a slug that no other one of its application has, also when two are made at once', async () => {
    const { id: application } = await makeApplication(test.api);
    const name = unique('Twice');
    const made = await Promise.all(
      [name, name.toUpperCase(), ` ${name} `].map((each) => test.api.post('/projects/', { name: each, application })),
    );
    expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400]);
    expect(made.find(({ status }) => status === 400)?.body).toEqual({
      name: ['The application has a project with this name already.'],
    });
    const similar = await bodyOf(test.api.post<Project>('/projects/', { name: `${name}!`, application }), 201);
    expect(similar.slug).toMatch(/-2$/);
    const { id: another } = await makeApplication(test.api);
    await bodyOf(test.api.post('/projects/', { name, application: another }), 201);
  });

  it('has a slug of its own also when many are made at once whose names give the same', async () => {
    const { id: application } = await makeApplication(test.api);
    const name = unique('Alike');
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        bodyOf(test.api.post<Project>('/projects/', { name: `${name}${'!'.repeat(n)}`, application }), 201),
      ),
    );
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(12);
  });

  it('is refused with everything that it names and that does not exist', async () => {
    const other = await test.newOrganization();
    const theirs = await makeProject(test, { organization: other });
    const body = {
      name: unique(),
      application: theirs.application,
      profile: 'P999',
      parent: theirs.id,
      base_project: 999_999_999,
      risk_policy: 999_999_999,
      users: [{ email: test.organization.admin.email }, { email: other.admin.email }, {}],
      groups: ['G999'],
    };
    const refused = await changesNothing(test, () => test.api.post('/projects/', body));
    expect(await bodyOf(refused, 400)).toEqual({
      application: [`"${theirs.application}" does not exist.`],
      profile: ['"P999" does not exist.'],
      parent: [`"${theirs.id}" does not exist.`],
      base_project: ['"999999999" does not exist.'],
      risk_policy: ['"999999999" does not exist.'],
      users: [
        {},
        { email: [`"${other.admin.email}" does not exist.`] },
        { email: ['This field is required, or "id".'] },
      ],
      groups: [{ id: ['"G999" does not exist.'] }],
    });
  });

  it.each([
    [{}, ['name', 'application']],
    [{ name: ' ', application: 'x' }, ['name', 'application']],
    [{ name: 'n'.repeat(256), application: 1.5 }, ['name', 'application']],
    [{ name: '\0', application: null }, ['name', 'application']],
    [{ name: 5, application: [] }, ['name', 'application']],
    [{ name: 'x', application: 1, custom_attributes: [] }, ['custom_attributes']],
    [{ name: 'x', application: 1, custom_attributes: { a: { b: 1 } } }, ['custom_attributes']],
    [{ name: 'x', application: 1, custom_attributes: { '': 1 } }, ['custom_attributes']],
    [{ name: 'x', application: 1, custom_attributes: { a: 'x\0' } }, ['custom_attributes']],
    [{ name: 'x', application: 1, users: 'ada@example.com' }, ['users']],
    [{ name: 'x', application: 1, users: [{ email: 'x', role: 'PR9' }] }, ['users']],
    [{ name: 'x', application: 1, users: [null, [], true] }, ['users']],
    [{ name: 'x', application: 1, groups: [5] }, ['groups']],
    [{ name: 'x', application: 1, tags: 'pci' }, ['tags']],
    [
      { name: 'x', application: 1, archived: 'maybe', locked: 1, content_refresh_locked: null },
      ['archived', 'locked', 'content_refresh_locked'],
    ],
  ])('is refused where its body is not valid: %j', async (body, fields) => {
    expect((await refusedBy(changesNothing(test, () => test.api.post('/projects/', body)))).sort()).toEqual(
      expect.arrayContaining(fields),
    );
  });

  it('takes the permission add_project', async () => {
    const { id: application } = await makeApplication(test.api);
    const user = await test.newUser();
    const lead = await test.newUser({ role: 'UR2' });
    await bodyOf(user.api.post('/projects/', { name: unique(), application }), 403);
    await bodyOf(lead.api.post('/projects/', { name: unique(), application }), 201);
  });
});

describe('Custom attributes', () => {
  it('keep texts, numbers, truth values, nulls and lists of these, under any name', async () => {
    const facts = {
      cost_center: '4711',
      'Größe %_': 3.5,
      pci: true,
      none: null,
      owners: ['a', 1, false],
      __proto__x: 1,
    };
    const { id } = await makeProject(test, { fields: { custom_attributes: facts } });
    expect((await show(id)).custom_attributes).toEqual(facts);
    const raw = '{"custom_attributes": {"__proto__": "x", "constructor": "y"}}';
    await bodyOf(test.api.send('PATCH', `/projects/${id}/`, {}, { raw }));
    expect(JSON.stringify((await show(id)).custom_attributes)).toBe('{"__proto__":"x","constructor":"y"}');
  });
});

describe('A change of a project', () => {
  it('changes what is sent and nothing else', async () => {
    const { id, application } = await makeProject(test, { fields: { tags: ['null'], description: 'Old.' } });
    const before = await show(id);
    expect(before.tags).toEqual(['null']);
    const changed = await bodyOf(
      test.api.patch<Project>(`/projects/${id}/`, { description: 'New.', tags: [' b ', 'b', ''] }),
    );
    expect(changed).toEqual({ ...before, description: 'New.', tags: ['b'], updated: changed.updated });
    expect(changed.updated > before.updated).toBe(true);
    const nothing = await activitiesOf(test, () => test.api.patch(`/projects/${id}/`, {}));
    expect(nothing).toEqual([]);
    expect(changed.application).toBe(application);
  });

  it('keeps the slug with a new name, and ignores what is read-only', async () => {
    const { id } = await makeProject(test);
    const { slug, external_id: externalId } = await show(id);
    const changed = await bodyOf(
      test.api.patch<Project>(`/projects/${id}/`, {
        name: unique('Renamed'),
        slug: 'x',
        external_id: 'x',
        creator: 1,
        id: 5,
      }),
    );
    expect(changed).toMatchObject({ id, slug, external_id: externalId, creator: test.organization.admin.id });
  });

  it('moves it into another application, where its name must be free', async () => {
    const first = await makeProject(test);
    const second = await makeProject(test);
    const moved = await bodyOf(test.api.patch<Project>(`/projects/${first.id}/`, { application: second.application }));
    expect(moved.application).toBe(second.application);
    await bodyOf(test.api.patch(`/projects/${first.id}/`, { name: second.name.toUpperCase() }), 400);
  });

  it('never makes a project the base of itself', async () => {
    const { id } = await makeProject(test);
    const refused = await bodyOf(test.api.patch(`/projects/${id}/`, { base_project: id }), 400);
    expect(refused).toEqual({ base_project: ["A project can't be the base of itself."] });
  });

  it('never makes a project a part of itself', async () => {
    const [top, middle, leaf] = [await makeProject(test), await makeProject(test), await makeProject(test)];
    await bodyOf(test.api.patch(`/projects/${middle.id}/`, { parent: top.id }));
    await bodyOf(test.api.patch(`/projects/${leaf.id}/`, { parent: middle.id }));
    for (const parent of [top.id, leaf.id])
      expect(await refusedBy(test.api.patch(`/projects/${top.id}/`, { parent }))).toEqual(['parent']);
    await bodyOf(test.api.patch(`/projects/${leaf.id}/`, { parent: null }));
    await bodyOf(test.api.delete(`/projects/${top.id}/`), 204);
    expect((await show(middle.id)).parent).toBeNull();
  });

  it('keeps a parent that the caller does not see where they send it back, and takes no other one', async () => {
    const [top, other, part] = [await makeProject(test), await makeProject(test), await makeProject(test)];
    await bodyOf(test.api.patch(`/projects/${part.id}/`, { parent: top.id }));
    const lead = await test.newUser();
    await addMember(test, part, lead, 'PR1');
    const path = `/projects/${part.id}/`;
    expect(await bodyOf(lead.api.patch(path, { parent: top.id }))).toMatchObject({ parent: top.id });
    expect(await refusedBy(lead.api.patch(path, { parent: other.id }))).toEqual(['parent']);
    expect(await refusedBy(lead.api.patch(path, { base_project: top.id }))).toEqual(['base_project']);
  });

  it('of the archived state is told on its own, and beside other changes as both', async () => {
    const { id } = await makeProject(test);
    const names = async (body: object) => {
      const told = await activitiesOf(test, () => bodyOf(test.api.patch(`/projects/${id}/`, body)));
      return told.map(({ name }) => name);
    };
    expect(await names({ archived: true })).toEqual(['ArchivedProjectActivity']);
    expect(await names({ archived: 'false', description: 'x' })).toEqual([
      'UpdatedProjectActivity',
      'UnarchivedProjectActivity',
    ]);
    expect(await names({ archived: false })).toEqual(['UpdatedProjectActivity']);
    expect(await names({ description: 'y' })).toEqual(['UpdatedProjectActivity']);
  });

  it('of its members is told for each: who came, who has another role, who went', async () => {
    const [ada, bob] = [await test.newUser(), await test.newUser()];
    const group = await bodyOf(test.api.post<Group>('/groups/', { name: unique('Group') }), 201);
    const { id } = await makeProject(test, { fields: { users: [{ email: ada.email, role: 'PR4' }] } });
    const names = async (body: object) => {
      const told = await activitiesOf(test, () => bodyOf(test.api.patch(`/projects/${id}/`, body)));
      return told.map(({ name, data }) => [name, data.user ?? data.group]);
    };
    expect(await names({ users: [{ id: ada.id, role: 'PR1' }, bob.id], groups: [group.id] })).toEqual([
      ['AddedUserToProjectActivity', `U${bob.id}`],
      ['ChangedUserRoleInProjectActivity', `U${ada.id}`],
      ['AddedGroupToProjectActivity', group.id],
    ]);
    expect(await names({ groups: [{ id: group.id, role: 'PR2' }] })).toEqual([
      ['ChangedGroupRoleInProjectActivity', group.id],
    ]);
    expect(await names({ users: [{ id: bob.id }], groups: [] })).toEqual([
      ['RemovedUserFromProjectActivity', `U${ada.id}`],
      ['RemovedGroupFromProjectActivity', group.id],
    ]);
    expect(await names({ users: [{ id: bob.id }] })).toEqual([]);
    expect(
      await refusedBy(test.api.patch(`/projects/${id}/`, { users: [bob.id, { id: bob.id, role: 'PR1' }] })),
    ).toEqual(['users']);
  });
});

describe('The list of projects', () => {
  it('leaves archived projects out unless active=false or active=all', async () => {
    const kept = await makeProject(test);
    const old = await makeProject(test, { fields: { archived: true } });
    const query = { id__in: `${kept.id},${old.id}` };
    expect(await ids(query)).toEqual([kept.id]);
    expect(await ids({ ...query, active: 'true' })).toEqual([kept.id]);
    expect(await ids({ ...query, active: 'False' })).toEqual([old.id]);
    expect(await ids({ ...query, active: 'all' })).toEqual([kept.id, old.id]);
    expect(await refusedBy(test.api.get('/projects/', { active: 'maybe' }))).toEqual(['active']);
    expect((await show(old.id)).archived).toBe(true);
  });

  it('shows archived projects to a filter for them with a suffix, too', async () => {
    const kept = await makeProject(test);
    const old = await makeProject(test, { fields: { archived: true } });
    const query = { id__in: `${kept.id},${old.id}` };
    expect(await ids({ ...query, active__in: 'false' })).toEqual([old.id]);
    expect(await ids({ ...query, active__in: 'true,false' })).toEqual([kept.id, old.id]);
    expect(await ids({ ...query, active__isnull: 'true' })).toEqual([]);
  });

  it('is found by exactly its name', async () => {
    const { id, name } = await makeProject(test);
    await makeProject(test, { fields: { name: `${name} too` } });
    expect(await ids({ name })).toEqual([id]);
    expect(await ids({ name__icontains: name.toUpperCase() })).toHaveLength(2);
  });

  it('is narrowed by application, business unit, creator, tag and component', async () => {
    const user = await test.newUser({ role: 'UR2' });
    const mine = await makeProject(test, { creator: user, fields: { tags: ['odd%tag'] } });
    const component = await makeComponent(test.api);
    await test.database.query(
      'INSERT INTO project_component (project_id, component_id) SELECT $1, id FROM component WHERE item_id = $2 AND organization_id = $3',
      [mine.id, component.id, test.organization.id],
    );
    for (const query of [
      { application: mine.application },
      { business_unit: mine.businessUnit },
      { creator: user.id },
      { tag: 'odd%tag' },
      { components: `${component.id},SC999` },
    ] as Record<string, string | number>[])
      expect(await ids(query)).toEqual([mine.id]);
    expect(await ids({ components__in: 'CSC999' })).toEqual([]);
  });
});

describe('A project', () => {
  it('shows its creator and what the caller may do in it, where asked for', async () => {
    const { id } = await makeProject(test);
    const {
      creator,
      permissions,
      task_counts: counts,
    } = await show(id, {
      expand: 'creator,risk_policy',
      include: 'permissions,task_counts',
    });
    expect(creator).toMatchObject({ id: test.organization.admin.id, first_name: 'Ada' });
    expect(permissions).toEqual([
      'attributes',
      'delete',
      'notes',
      'project',
      'status',
      'survey',
      'tasks',
      'verification',
    ]);
    expect(counts).toMatchObject({ total: expect.any(Number), complete: expect.any(Number) });
  });

  it('is deleted with all that it holds, and told', async () => {
    const { id, application } = await makeProject(test, { fields: { users: [test.organization.admin.id] } });
    const told = await activitiesOf(test, () => bodyOf(test.api.delete(`/projects/${id}/`), 204));
    expect(told).toMatchObject([{ name: 'DeletedProjectActivity', data: { project: id, application } }]);
    await bodyOf(test.api.get(`/projects/${id}/`), 404);
    await bodyOf(test.api.delete(`/projects/${id}/`), 404);
  });
});
