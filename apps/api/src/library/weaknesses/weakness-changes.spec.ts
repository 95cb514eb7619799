import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, rowsOf } from '#test/support/client.js';
import { builtIns, setIdCounter, makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List, Weakness } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/problems/';
const at = (id: string): string => `${path}${id}/`;
const nextBuiltIn = builtIns<Weakness>(path);

describe('Reading weaknesses', () => {
  it('returns the category and the related countermeasures, even inactive ones, if included', async () => {
    const { id } = await makeWeakness(test.api);
    const active = await makeCountermeasure(test.api, { problem: id });
    const inactive = await makeCountermeasure(test.api, { problem: id, active: false });
    const read = await bodyOf(test.api.get<Weakness>(at(id), { include: 'related_tasks,category' }));
    const expected = [active, inactive].map(
      ({ id: taskId, db_id: dbId, title, priority, text, phase, active: isActive }) => ({
        id: taskId,
        db_id: dbId,
        title,
        priority,
        text,
        phase,
        active: isActive,
      }),
    );
    expect(read.related_tasks).toEqual(expected);
    expect(read.category).toBe('');
    const builtIn = await nextBuiltIn(test.api);
    expect((await bodyOf(test.api.get<Weakness>(at(builtIn.id), { include: 'category' }))).category).not.toBe('');
  });

  it('renders texts as HTML with to_html, including those of related countermeasures', async () => {
    const { id } = await makeWeakness(test.api, { text: '**bold** <script>x</script>' });
    await makeCountermeasure(test.api, { problem: id, text: '*slanted*' });
    const read = await bodyOf(test.api.get<Weakness>(at(id), { to_html: true, include: 'related_tasks' }));
    expect(read.text).toContain('<strong>bold</strong>');
    expect(read.text).not.toContain('<script');
    expect(read.related_tasks?.[0]?.text).toContain('<em>slanted</em>');
  });

  it('returns absolute URLs with absolute_urls', async () => {
    expect((await bodyOf(test.api.get<Weakness>(at('P1'), { absolute_urls: true }))).url).toBe(
      `${test.origin}/library/problems/P1/`,
    );
  });
});

describe('The singular paths of a weakness', () => {
  it.each(['/library/problems/', '/library/problem/'])('accept PATCH and DELETE under %s', async (spelling) => {
    const { id } = await makeWeakness(test.api);
    expect((await bodyOf(test.api.patch<Weakness>(`${spelling}${id}/`, { risk_rating: 2 }))).risk_rating).toBe(2);
    await bodyOf(test.api.delete(`${spelling}${id}/`), 204);
    await bodyOf(test.api.get(at(id)), 404);
  });

  it('accept DELETE with a body under /problem/', async () => {
    const { id } = await makeWeakness(test.api);
    const heir = await makeWeakness(test.api);
    await makeCountermeasure(test.api, { problem: id });
    await bodyOf(test.api.delete(`/problem/${id}/`), 400);
    await bodyOf(test.api.delete(`/problem/${id}/`, { new_weakness_id: heir.id }), 204);
  });

  it.each([
    ['GET', '/library/problem/P1/'],
    ['GET', '/problem/P1/'],
    ['PATCH', '/problem/P1/'],
    ['POST', '/library/problem/P1/'],
  ])('do not allow %s %s', async (method, other) => {
    await bodyOf(test.api.send(method, other, method === 'GET' ? undefined : {}), 405);
  });

  it.each(['/library/problem/', '/problem/'])('have no list under %s', async (other) => {
    await bodyOf(test.api.get(other), 404);
  });
});

describe('Deactivating a weakness', () => {
  const activity = async (id: string): Promise<boolean> =>
    (await bodyOf(test.api.get<{ active: boolean }>(`/library/tasks/${id}/`))).active;

  it('deactivates its active countermeasures, with one activity each', async () => {
    const weakness = await makeWeakness(test.api);
    const one = await makeCountermeasure(test.api, { problem: weakness.id });
    const two = await makeCountermeasure(test.api, { problem: weakness.id });
    const off = await makeCountermeasure(test.api, { problem: weakness.id, active: false });
    const activities = await activitiesOf(test, () => bodyOf(test.api.patch(at(weakness.id), { active: false })));
    expect(await Promise.all([one, two, off].map((item) => activity(item.id)))).toEqual([false, false, false]);
    expect(activities.map(({ name, data }) => [name, data['standard'] ?? data['weakness']])).toEqual([
      ['DeactivatedWeaknessActivity', weakness.id],
      ['DeactivatedStandardActivity', one.id],
      ['DeactivatedStandardActivity', two.id],
    ]);
  });

  it('records who changed the countermeasures and when, and does not change inactive ones', async () => {
    const weakness = await makeWeakness(test.api);
    const on = await makeCountermeasure(test.api, { problem: weakness.id });
    const off = await makeCountermeasure(test.api, { problem: weakness.id, active: false });
    const editor = await test.newUser({ role: 'UR4' });
    await bodyOf(editor.api.patch(at(weakness.id), { active: false }));
    const read = (id: string): Promise<object> =>
      bodyOf(test.api.get<object>(`/library/tasks/${id}/`, { include: 'match_conditions' }));
    expect(await read(on.id)).toMatchObject({
      last_updated_by: { id: editor.id },
      last_updated_date: expect.not.stringMatching(on.last_updated_date),
    });
    expect(await read(off.id)).toEqual(off);
  });

  it('customizes its built-in countermeasures only for this organization', async () => {
    const { id } = await nextBuiltIn(test.api);
    const other = await test.newOrganization();
    const related = async (api: ApiClient): Promise<{ type: string; active: boolean }[]> =>
      rowsOf(api.get<List<{ type: string; active: boolean }>>('/library/tasks/', { problem: id }));
    const before = await related(test.api);
    expect(before.length).toBeGreaterThan(0);
    await bodyOf(test.api.patch(at(id), { active: false }));
    for (const item of await related(test.api))
      expect(item).toMatchObject({ type: 'Built-in Modified', active: false });
    expect(await related(other.api)).toEqual(before);
  });

  it('does not change the match conditions, tags and texts of its countermeasures', async () => {
    const { id } = await nextBuiltIn(test.api);
    const query = { problem: id, include: 'tags,match_conditions,categories,verification_coverage' };
    const read = (): Promise<object[]> => rowsOf(test.api.get<List<object>>('/library/tasks/', query));
    const before = await read();
    await bodyOf(test.api.patch(at(id), { active: false }));
    expect(await read()).toEqual(
      before.map((item) => ({
        ...item,
        active: false,
        type: 'Built-in Modified',
        last_updated_by: expect.anything(),
        last_updated_date: expect.any(String),
      })),
    );
  });

  it('is not undone for its countermeasures when the weakness is activated again', async () => {
    const weakness = await makeWeakness(test.api);
    const item = await makeCountermeasure(test.api, { problem: weakness.id });
    await bodyOf(test.api.patch(at(weakness.id), { active: false }));
    const activities = await activitiesOf(test, () => bodyOf(test.api.patch(at(weakness.id), { active: true })));
    expect(activities.map(({ name }) => name)).toEqual(['ActivatedWeaknessActivity']);
    expect(await activity(item.id)).toBe(false);
  });

  it('deactivates countermeasures that have become active since, if it is repeated', async () => {
    const weakness = await makeWeakness(test.api);
    await bodyOf(test.api.patch(at(weakness.id), { active: false }));
    const item = await makeCountermeasure(test.api, { problem: weakness.id });
    await bodyOf(test.api.patch(at(weakness.id), { active: false }));
    expect(await activity(item.id)).toBe(false);
  });

  it('records both a deactivation and an update if other fields change too', async () => {
    const { id } = await makeWeakness(test.api);
    const activities = await activitiesOf(test, () => bodyOf(test.api.patch(at(id), { active: false, text: 'x' })));
    expect(activities.map(({ name }) => name).sort()).toEqual([
      'DeactivatedWeaknessActivity',
      'UpdatedWeaknessActivity',
    ]);
  });

  it('is rejected and changes nothing if another field is invalid', async () => {
    const weakness = await makeWeakness(test.api);
    await makeCountermeasure(test.api, { problem: weakness.id });
    await changesNothing(test, () => bodyOf(test.api.patch(at(weakness.id), { active: false, risk_rating: 0 }), 400));
    await changesNothing(test, () => bodyOf(test.api.patch(at(weakness.id), { active: false, cwe: [123_456] }), 400));
  });
});

describe('The flag ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS', () => {
  const name = 'ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS';

  it('is required to set active in a PATCH: without it even a super-user gets a 403 with its name', async () => {
    const { api } = await test.newOrganization();
    const weakness = await makeWeakness(api);
    await bodyOf(api.patch(at(weakness.id), { active: false }));
    await bodyOf(api.delete(`/flags/${name}/`), 204);
    for (const value of [true, false]) {
      const error = await changesNothing(test, () =>
        bodyOf(api.patch(at(weakness.id), { active: value, text: 'x' }), 403),
      );
      expect(error).toEqual({ detail: expect.stringContaining(name) });
    }
    expect((await bodyOf(api.patch<Weakness>(at(weakness.id), { text: 'other fields' }))).text).toBe('other fields');
    await bodyOf(api.post('/flags/', { name }), 201);
    expect((await bodyOf(api.patch<Weakness>(at(weakness.id), { active: true }))).active).toBe(true);
  });

  it('is required to create an inactive weakness, but not an active one', async () => {
    const { api } = await test.newOrganization();
    await bodyOf(api.delete(`/flags/${name}/`), 204);
    const weakness = { title: unique('Off'), text: 'x', risk_rating: 1 };
    const error = await changesNothing(test, () =>
      bodyOf(api.post('/library/problems/', { ...weakness, active: false }), 403),
    );
    expect(error).toEqual({ detail: expect.stringContaining(name) });
    // A 403 takes precedence over errors in the body.
    await changesNothing(test, () => bodyOf(api.post('/library/problems/', { active: false, risk_rating: 99 }), 403));
    expect(await bodyOf(api.post('/library/problems/', { ...weakness, active: true }))).toMatchObject({ active: true });
  });
});

describe('Deleting a weakness', () => {
  it('returns 204 if it has no countermeasures', async () => {
    const { id, title } = await makeWeakness(test.api);
    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(at(id)), 204));
    expect(activities).toMatchObject([
      { name: 'DeletedWeaknessActivity', data: { weakness: id, weakness_desc: title }, icon: 'bug' },
    ]);
    await bodyOf(test.api.get(at(id)), 404);
  });

  it('requires new_weakness_id if it has countermeasures, even inactive ones', async () => {
    const { id } = await makeWeakness(test.api);
    await makeCountermeasure(test.api, { problem: id, active: false });
    for (const sent of [undefined, {}])
      expect(await changesNothing(test, () => bodyOf(test.api.delete(at(id), sent), 400))).toEqual({
        new_weakness_id: [expect.any(String)],
      });
  });

  it('moves all countermeasures, even built-in and inactive ones, to the new weakness and records each', async () => {
    const doomed = await makeWeakness(test.api);
    const heir = await makeWeakness(test.api);
    const custom = await makeCountermeasure(test.api, { problem: doomed.id });
    const inactive = await makeCountermeasure(test.api, { problem: doomed.id, active: false });
    const builtIn = await builtIns<{ id: string; type: string }>('/library/tasks/')(test.api);
    await bodyOf(test.api.patch(`/library/tasks/${builtIn.id}/`, { problem: doomed.id }));
    const activities = await activitiesOf(test, () =>
      bodyOf(test.api.delete(at(doomed.id), { new_weakness_id: heir.id }), 204),
    );
    const moved = await rowsOf(
      test.api.get<List<{ id: string; active: boolean }>>('/library/tasks/', { problem: heir.id }),
    );
    expect(moved.map(({ id, active }) => [id, active])).toEqual([
      [builtIn.id, true],
      [custom.id, true],
      [inactive.id, false],
    ]);
    expect(activities.map(({ name, data }) => [name, data['standard'] ?? data['weakness']])).toEqual([
      ['UpdatedStandardActivity', builtIn.id],
      ['UpdatedStandardActivity', custom.id],
      ['UpdatedStandardActivity', inactive.id],
      ['DeletedWeaknessActivity', doomed.id],
    ]);
  });

  it('accepts a built-in weakness as the new weakness', async () => {
    const doomed = await makeWeakness(test.api);
    const item = await makeCountermeasure(test.api, { problem: doomed.id });
    await bodyOf(test.api.delete(at(doomed.id), { new_weakness_id: 'P2' }), 204);
    expect(await bodyOf(test.api.get(`/library/tasks/${item.id}/`))).toMatchObject({ problem: 'P2' });
  });

  it.each([
    ['itself', (id: string): unknown => id],
    ['a weakness that does not exist', (): unknown => 'P999999'],
    ['a countermeasure', (): unknown => 'T1'],
    ['a value that is not a string', (): unknown => 5],
    ['null', (): unknown => null],
  ])('rejects as the new weakness %s', async (_, newId) => {
    const { id } = await makeWeakness(test.api);
    await makeCountermeasure(test.api, { problem: id });
    const errors = await changesNothing(test, () =>
      bodyOf(test.api.delete(at(id), { new_weakness_id: newId(id) }), 400),
    );
    expect(errors).toEqual({ new_weakness_id: [expect.any(String)] });
  });

  it("rejects another organization's weakness as the new weakness", async () => {
    const { id } = await makeWeakness(test.api);
    await makeCountermeasure(test.api, { problem: id });
    const other = await test.newOrganization();
    await setIdCounter(test, other, 'weakness', 5000);
    const foreign = await makeWeakness(other.api);
    const errors = await changesNothing(test, () =>
      bodyOf(test.api.delete(at(id), { new_weakness_id: foreign.id }), 400),
    );
    expect(errors).toEqual({ new_weakness_id: [`"${foreign.id}" does not exist.`] });
  });

  it('requires no new weakness if it is customized, and does not change its countermeasures', async () => {
    const { id } = await nextBuiltIn(test.api);
    const custom = await makeCountermeasure(test.api, { problem: id });
    await bodyOf(test.api.patch(at(id), { active: false }));
    const related = (): Promise<object[]> => rowsOf(test.api.get<List<object>>('/library/tasks/', { problem: id }));
    const before = await related();
    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(at(id)), 204));
    expect(activities.map(({ name }) => name)).toEqual(['ActivatedWeaknessActivity']);
    expect(await related()).toEqual(before);
    expect(before).toEqual(expect.arrayContaining([expect.objectContaining({ id: custom.id, active: false })]));
  });

  it('returns 403 for a built-in one and suggests deactivating it, whatever new_weakness_id is', async () => {
    const { id } = await nextBuiltIn(test.api);
    const error = await changesNothing(test, () =>
      bodyOf(test.api.delete(at(id), { new_weakness_id: 'P999999' }), 403),
    );
    expect(error).toEqual({ detail: expect.stringMatching(/deactivate/i) });
  });
});
