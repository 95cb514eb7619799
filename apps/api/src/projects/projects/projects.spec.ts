import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeComponent, unique } from '#test/support/factories.js';
import { addMember, makeProject } from '#test/support/projects.js';
import { activitiesOf } from '#test/support/records.js';
import type { Group, List, Project } from '#test/support/resources.js';

const test = useTestApi();

const show = async (id: number, query: Record<string, string> = {}): Promise<Project> =>
  bodyOf(test.api.get<Project>(`/projects/${id}/`, query));

const ids = async (query: Record<string, string | number>): Promise<number[]> =>
  (await rowsOf(test.api.get<List<Project>>('/projects/', query))).map(({ id }) => id);

describe('Custom attributes of a project', () => {
  it('accept strings, numbers, booleans, null and lists of these, under any name', async () => {
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

describe('Updating a project', () => {
  it('changes only the fields that are sent', async () => {
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

  it('keeps the slug when the name changes, and ignores read-only fields', async () => {
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

  it('moves the project to another application, unless the name is already used there', async () => {
    const first = await makeProject(test);
    const second = await makeProject(test);
    const moved = await bodyOf(test.api.patch<Project>(`/projects/${first.id}/`, { application: second.application }));
    expect(moved.application).toBe(second.application);
    await bodyOf(test.api.patch(`/projects/${first.id}/`, { name: second.name.toUpperCase() }), 400);
  });

  it('rejects the project as its own base', async () => {
    const { id } = await makeProject(test);
    const rejected = await bodyOf(test.api.patch(`/projects/${id}/`, { base_project: id }), 400);
    expect(rejected).toEqual({ base_project: ["A project can't be the base of itself."] });
  });

  it('rejects a parent that is the project itself or one of its descendants', async () => {
    const [top, middle, leaf] = [await makeProject(test), await makeProject(test), await makeProject(test)];
    await bodyOf(test.api.patch(`/projects/${middle.id}/`, { parent: top.id }));
    await bodyOf(test.api.patch(`/projects/${leaf.id}/`, { parent: middle.id }));
    for (const parent of [top.id, leaf.id])
      expect(await rejectedFields(test.api.patch(`/projects/${top.id}/`, { parent }))).toEqual(['parent']);
    await bodyOf(test.api.patch(`/projects/${leaf.id}/`, { parent: null }));
    await bodyOf(test.api.delete(`/projects/${top.id}/`), 204);
    expect((await show(middle.id)).parent).toBeNull();
  });

  it('accepts the current parent from a caller who cannot see it, but no other project they cannot see', async () => {
    const [top, other, part] = [await makeProject(test), await makeProject(test), await makeProject(test)];
    await bodyOf(test.api.patch(`/projects/${part.id}/`, { parent: top.id }));
    const lead = await test.newUser();
    await addMember(test, part, lead, 'PR1');
    const path = `/projects/${part.id}/`;
    expect(await bodyOf(lead.api.patch(path, { parent: top.id }))).toMatchObject({ parent: top.id });
    expect(await rejectedFields(lead.api.patch(path, { parent: other.id }))).toEqual(['parent']);
    expect(await rejectedFields(lead.api.patch(path, { base_project: top.id }))).toEqual(['base_project']);
  });

  it('records archiving as an activity of its own, next to the activity for other changes', async () => {
    const { id } = await makeProject(test);
    const names = async (body: object) => {
      const activities = await activitiesOf(test, () => bodyOf(test.api.patch(`/projects/${id}/`, body)));
      return activities.map(({ name }) => name);
    };
    expect(await names({ archived: true })).toEqual(['ArchivedProjectActivity']);
    expect(await names({ archived: 'false', description: 'x' })).toEqual([
      'UpdatedProjectActivity',
      'UnarchivedProjectActivity',
    ]);
    expect(await names({ archived: false })).toEqual(['UpdatedProjectActivity']);
    expect(await names({ description: 'y' })).toEqual(['UpdatedProjectActivity']);
  });

  it('records an activity for each member that is added, removed or given another role', async () => {
    const [ada, bob] = [await test.newUser(), await test.newUser()];
    const group = await bodyOf(test.api.post<Group>('/groups/', { name: unique('Group') }), 201);
    const { id } = await makeProject(test, { fields: { users: [{ email: ada.email, role: 'PR4' }] } });
    const names = async (body: object) => {
      const activities = await activitiesOf(test, () => bodyOf(test.api.patch(`/projects/${id}/`, body)));
      return activities.map(({ name, data }) => [name, data.user ?? data.group]);
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
      await rejectedFields(test.api.patch(`/projects/${id}/`, { users: [bob.id, { id: bob.id, role: 'PR1' }] })),
    ).toEqual(['users']);
  });
});

describe('GET /projects', () => {
  it('omits archived projects unless active=false or active=all', async () => {
    const kept = await makeProject(test);
    const old = await makeProject(test, { fields: { archived: true } });
    const query = { id__in: `${kept.id},${old.id}` };
    expect(await ids(query)).toEqual([kept.id]);
    expect(await ids({ ...query, active: 'true' })).toEqual([kept.id]);
    expect(await ids({ ...query, active: 'False' })).toEqual([old.id]);
    expect(await ids({ ...query, active: 'all' })).toEqual([kept.id, old.id]);
    expect(await rejectedFields(test.api.get('/projects/', { active: 'maybe' }))).toEqual(['active']);
    expect((await show(old.id)).archived).toBe(true);
  });

  it('includes archived projects for active__in, too', async () => {
    const kept = await makeProject(test);
    const old = await makeProject(test, { fields: { archived: true } });
    const query = { id__in: `${kept.id},${old.id}` };
    expect(await ids({ ...query, active__in: 'false' })).toEqual([old.id]);
    expect(await ids({ ...query, active__in: 'true,false' })).toEqual([kept.id, old.id]);
    expect(await ids({ ...query, active__isnull: 'true' })).toEqual([]);
  });

  it('filters by exact name, and by part of a name with name__icontains', async () => {
    const { id, name } = await makeProject(test);
    await makeProject(test, { fields: { name: `${name} too` } });
    expect(await ids({ name })).toEqual([id]);
    expect(await ids({ name__icontains: name.toUpperCase() })).toHaveLength(2);
  });

  it('filters by application, business unit, creator, tag and component', async () => {
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

describe('Reading and deleting a project', () => {
  it('expands the creator and includes the permissions of the caller and the task counts on request', async () => {
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

  it('deletes the project with its members and records an activity', async () => {
    const { id, application } = await makeProject(test, { fields: { users: [test.organization.admin.id] } });
    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(`/projects/${id}/`), 204));
    expect(activities).toMatchObject([{ name: 'DeletedProjectActivity', data: { project: id, application } }]);
    await bodyOf(test.api.get(`/projects/${id}/`), 404);
    await bodyOf(test.api.delete(`/projects/${id}/`), 404);
  });
});
