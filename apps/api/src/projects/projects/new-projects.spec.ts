import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { answerIds, unique } from '#test/support/factories.js';
import { makeApplication, makeBusinessUnit, makeProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Group, List, Project } from '#test/support/resources.js';

const test = useTestApi();

const show = async (id: number, query: Record<string, string> = {}): Promise<Project> =>
  bodyOf(test.api.get<Project>(`/projects/${id}/`, query));

describe('Creating a project', () => {
  it('returns every field, with values from the application, the creator and the defaults', async () => {
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

  it('copies the saved answers of the profile', async () => {
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

  it('copies no answers without a profile, and those of the base project if one is given', async () => {
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

  it('adds the default members of the business unit, but keeps roles that the request sets', async () => {
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

  it('records an activity with the application and business unit, and one for each member', async () => {
    const application = await makeApplication(test.api);
    const user = await test.newUser({ firstName: 'Bob', lastName: 'B' });
    const name = unique('Told');
    const activities = await activitiesOf(test, () =>
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
    expect(activities).toMatchObject([
      { name: 'CreatedProjectActivity', icon: 'create', log_level: 'user', data },
      {
        name: 'AddedUserToProjectActivity',
        icon: 'personAdd',
        data: { ...data, user: `U${user.id}`, user_desc: 'Bob B' },
      },
    ]);
    expect(activities[1]?.text).toContain('added *Bob B* to project');
  });

  it('rejects a name already used in the application, also concurrently, and makes slugs unique', async () => {
    const { id: application } = await makeApplication(test.api);
    const name = unique('Twice');
    const created = await Promise.all(
      [name, name.toUpperCase(), ` ${name} `].map((each) => test.api.post('/projects/', { name: each, application })),
    );
    expect(created.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400]);
    expect(created.find(({ status }) => status === 400)?.body).toEqual({
      name: ['The application already has a project with this name.'],
    });
    const similar = await bodyOf(test.api.post<Project>('/projects/', { name: `${name}!`, application }), 201);
    expect(similar.slug).toMatch(/-2$/);
    const { id: another } = await makeApplication(test.api);
    await bodyOf(test.api.post('/projects/', { name, application: another }), 201);
  });

  it('gives each project a unique slug when many are created concurrently with similar names', async () => {
    const { id: application } = await makeApplication(test.api);
    const name = unique('Alike');
    const created = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        bodyOf(test.api.post<Project>('/projects/', { name: `${name}${'!'.repeat(n)}`, application }), 201),
      ),
    );
    expect(new Set(created.map(({ slug }) => slug)).size).toBe(12);
  });

  it('reports every reference that does not exist, by field, and changes nothing', async () => {
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
    const rejected = await changesNothing(test, () => test.api.post('/projects/', body));
    expect(await bodyOf(rejected, 400)).toEqual({
      application: [`"${theirs.application}" does not exist.`],
      profile: ['"P999" does not exist.'],
      parent: [`"${theirs.id}" does not exist.`],
      base_project: ['"999999999" does not exist.'],
      risk_policy: ['"999999999" does not exist.'],
      users: [
        {},
        { email: [`"${other.admin.email}" does not exist.`] },
        { email: ['This field or "id" is required.'] },
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
  ])('rejects an invalid body and changes nothing: %j', async (body, fields) => {
    expect((await rejectedFields(changesNothing(test, () => test.api.post('/projects/', body)))).sort()).toEqual(
      expect.arrayContaining(fields),
    );
  });

  it('requires the permission add_project', async () => {
    const { id: application } = await makeApplication(test.api);
    const user = await test.newUser();
    const lead = await test.newUser({ role: 'UR2' });
    await bodyOf(user.api.post('/projects/', { name: unique(), application }), 403);
    await bodyOf(lead.api.post('/projects/', { name: unique(), application }), 201);
  });
});
