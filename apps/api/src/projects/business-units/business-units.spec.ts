import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { unique } from '#test/support/factories.js';
import { makeApplication, makeBusinessUnit, makeProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { BusinessUnit, Group, List } from '#test/support/resources.js';

const test = useTestApi();

describe('Business units', () => {
  it('return their users and groups, and the default members of new projects with their roles', async () => {
    const [ada, bob] = [await test.newUser(), await test.newUser()];
    const group = await bodyOf(test.api.post<Group>('/groups/', { name: unique('Group') }), 201);
    const unit = await makeBusinessUnit(test.api, {
      users: [{ email: ada.email.toUpperCase() }, bob.id, bob.email],
      groups: [group.id],
      default_users: [{ email: ada.email, role: 'PR4' }],
      default_groups: [{ id: group.id }],
    });
    expect(unit.users.map(({ id }) => id)).toEqual([ada.id, bob.id]);
    expect(unit.users[0]).toEqual({ id: ada.id, email: ada.email, first_name: 'Grace', last_name: 'User' });
    expect(unit.groups).toEqual([{ id: group.id, name: group.name }]);
    expect(unit.default_users.map(({ email, role }) => [email, role])).toEqual([[ada.email, 'PR4']]);
    expect(unit.default_groups).toEqual([{ id: group.id, name: group.name, role: 'PR5' }]);
    const changed = await bodyOf(
      test.api.patch<BusinessUnit>(`/business-units/${unit.id}/`, { users: [], default_groups: [] }),
    );
    expect(changed).toEqual({ ...unit, users: [], default_groups: [], updated: changed.updated });
  });

  it('have the same name however its accented letters are composed, in bodies and in filters', async () => {
    const name = `${unique('Entité')} ガ`;
    const unit = await makeBusinessUnit(test.api, { name: name.normalize('NFD') });
    expect(unit.name).toBe(name.normalize('NFC'));
    for (const form of ['NFC', 'NFD'] as const) {
      const text = name.normalize(form);
      expect(await rejectedFields(test.api.post('/business-units/', { name: text }))).toEqual(['name']);
      for (const filter of ['name', 'name__in', 'search']) {
        const found = await rowsOf(test.api.get<List<BusinessUnit>>('/business-units/', { [filter]: text }));
        expect(found.map(({ id }) => id)).toEqual([unit.id]);
      }
    }
  });

  it('have a name and a slug that are unique within the organization, ignoring case', async () => {
    const name = unique('Retail');
    const unit = await makeBusinessUnit(test.api, { name });
    expect(unit.slug).toBe(name.toLowerCase().replaceAll(' ', '-'));
    const rejected = await changesNothing(test, () => test.api.post('/business-units/', { name: name.toUpperCase() }));
    expect(await bodyOf(rejected, 400)).toEqual({ name: ['A business unit with this name already exists.'] });
    await bodyOf(test.api.patch(`/business-units/${unit.id}/`, { name: name.toUpperCase() }));
    expect((await makeBusinessUnit((await test.newOrganization()).api, { name })).slug).toBe(unit.slug);
    expect((await makeBusinessUnit(test.api, { name: '!!!' })).slug).toBe('business-unit');
    expect((await makeBusinessUnit(test.api, { name: '???' })).slug).toBe('business-unit-2');
  });

  it('accept only the first of several concurrent requests with one name', async () => {
    const name = unique('Raced');
    const created = await Promise.all(Array.from({ length: 4 }, () => test.api.post('/business-units/', { name })));
    expect(created.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400]);
  });

  it('can be deleted only without applications', async () => {
    const { id, business_unit: unit } = await makeApplication(test.api);
    const rejected = await changesNothing(test, () => test.api.delete(`/business-units/${unit.id}/`));
    expect(await bodyOf(rejected, 400)).toEqual({
      non_field_errors: [expect.stringMatching(/still has applications/)],
    });
    await bodyOf(test.api.delete(`/applications/${id}/`), 204);
    await bodyOf(test.api.delete(`/business-units/${unit.id}/`), 204);
    await bodyOf(test.api.get(`/business-units/${unit.id}/`), 404);
  });

  it('record an activity when they are created, changed and deleted', async () => {
    const name = unique('Told');
    const activities = await activitiesOf(test, async () => {
      const { id } = await makeBusinessUnit(test.api, { name });
      await test.api.patch(`/business-units/${id}/`, { all_users: true });
      await test.api.patch(`/business-units/${id}/`, {});
      await test.api.delete(`/business-units/${id}/`);
    });
    expect(activities.map((activity) => activity.name)).toEqual([
      'CreatedBusinessUnitActivity',
      'UpdatedBusinessUnitActivity',
      'DeletedBusinessUnitActivity',
    ]);
    for (const { data, icon } of activities)
      expect([data, icon]).toEqual([{ business_unit: expect.any(Number), business_unit_desc: name }, 'create']);
  });

  it('reject users and risk policies of another organization', async () => {
    const other = await test.newOrganization();
    const policy = await bodyOf(other.api.post<{ id: number }>('/risk-policies/', { name: unique() }), 201);
    const body = {
      name: unique(),
      default_users: [other.admin.id],
      users: [other.admin.email],
      default_risk_policy: policy.id,
    };
    expect(await bodyOf(test.api.post('/business-units/', body), 400)).toEqual({
      default_users: [{ id: [`"${other.admin.id}" does not exist.`] }],
      users: [{ email: [`"${other.admin.email}" does not exist.`] }],
      default_risk_policy: [`"${policy.id}" does not exist.`],
    });
  });

  it.each([
    [{ name: '' }],
    [{ name: null }],
    [{ name: 'x', all_users: 'maybe' }],
    [{ name: 'x', users: { id: 1 } }],
    [{ name: 'x', users: [{ id: 'x' }] }],
    [{ name: 'x', default_users: [{ email: 'nobody' }] }],
    [{ name: 'x', default_users: [{ id: 1, role: 'lead' }] }],
    [{ name: 'x', default_groups: [{}] }],
    [{ name: 'x', default_risk_policy: 'x' }],
    [{ name: '\ud800' }],
  ])('reject an invalid body and change nothing: %j', async (body) => {
    await rejectedFields(changesNothing(test, () => test.api.post('/business-units/', body)));
  });
});

describe('Applications', () => {
  it('accept the id of a business unit and return the unit as an object', async () => {
    const unit = await makeBusinessUnit(test.api);
    const application = await makeApplication(test.api, {
      business_unit: unit.id,
      priority: '1-high',
      custom_attributes: { owner: 'Ada' },
    });
    expect(application).toMatchObject({
      business_unit: { id: unit.id, slug: unit.slug, name: unit.name },
      priority: '1-high',
      custom_attributes: { owner: 'Ada' },
      description: '',
      tags: [],
    });
    const moved = await bodyOf(
      test.api.patch(`/applications/${application.id}/`, { business_unit: (await makeBusinessUnit(test.api)).id }),
    );
    expect(moved).toMatchObject({ slug: application.slug, name: application.name });
  });

  it('have a name that is unique within their business unit, also after a move', async () => {
    const first = await makeApplication(test.api);
    const second = await makeApplication(test.api, { name: first.name.toUpperCase() });
    const to = first.business_unit.id;
    expect(await rejectedFields(test.api.post('/applications/', { name: first.name, business_unit: to }))).toEqual([
      'name',
    ]);
    expect(await rejectedFields(test.api.patch(`/applications/${second.id}/`, { business_unit: to }))).toEqual([
      'name',
    ]);
    await bodyOf(test.api.patch(`/applications/${second.id}/`, { business_unit: to, name: unique('Other') }));
  });

  it('can be deleted only without projects, including archived ones and ones the caller cannot see', async () => {
    const project = await makeProject(test, { fields: { archived: true } });
    const role = await bodyOf(
      test.api.post<{ id: string }>('/global-roles/', { name: unique('Role'), permissions: ['delete_application'] }),
      201,
    );
    const user = await test.newUser({ role: role.id });
    const rejected = await changesNothing(test, () => user.api.delete(`/applications/${project.application}/`));
    expect(await bodyOf(rejected, 400)).toEqual({ non_field_errors: [expect.stringMatching(/still has projects/)] });
    expect(rejected.text).not.toContain(project.name);
    await bodyOf(test.api.delete(`/projects/${project.id}/`), 204);
    await bodyOf(user.api.delete(`/applications/${project.application}/`), 204);
  });

  it('record activities that include their business unit', async () => {
    const unit = await makeBusinessUnit(test.api);
    const activities = await activitiesOf(test, async () => {
      const { id } = await makeApplication(test.api, { business_unit: unit.id });
      await test.api.patch(`/applications/${id}/`, { tags: ['x'] });
      await test.api.delete(`/applications/${id}/`);
    });
    expect(activities.map(({ name }) => name)).toEqual([
      'CreatedApplicationActivity',
      'UpdatedApplicationActivity',
      'DeletedApplicationActivity',
    ]);
    for (const { data } of activities)
      expect(data).toMatchObject({
        application_desc: expect.any(String),
        business_unit: unit.id,
        business_unit_desc: unit.name,
      });
  });

  it.each([
    [{ name: 'x' }],
    [{ name: 'x', business_unit: 999_999_999 }],
    [{ name: 'x', business_unit: { name: 'No id' } }],
    [{ name: 'x', business_unit: 1, priority: 'high' }],
    [{ name: 'x', business_unit: 1, custom_attributes: 'x' }],
    [{ name: 'x', business_unit: 1e30 }],
  ])('reject an invalid body and change nothing: %j', async (body) => {
    await rejectedFields(changesNothing(test, () => test.api.post('/applications/', body)));
  });
});
