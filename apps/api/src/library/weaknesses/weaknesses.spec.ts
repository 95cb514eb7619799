import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, refusedBy, rowsOf } from '#test/support/client.js';
import { builtIns, countFrom, makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List, Weakness } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/problems/';
const at = (id: string): string => `${path}${id}/`;
const nextBuiltIn = builtIns<Weakness>(path);
const body = (fields: object = {}): object => ({ title: unique('Weakness'), text: 'x', risk_rating: 5, ...fields });

describe('Making a weakness', () => {
  it('answers 200 with the new weakness and its match conditions', async () => {
    const title = unique('New');
    const made = await bodyOf(
      test.api.post<Weakness>(path, {
        title,
        text: 'Why.',
        risk_rating: 7,
        cwe: [79, 89],
        match_conditions: [{ required: ['A1'] }],
      }),
    );
    expect(made).toEqual({
      id: expect.stringMatching(/^CP[1-9]\d*$/),
      db_id: -Number(made.id.slice(2)),
      url: at(made.id),
      title,
      text: 'Why.',
      risk_rating: 7,
      type: 'Custom',
      cwe: [79, 89],
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      updated: expect.any(String),
      last_updated_by: {
        id: test.organization.admin.id,
        email: test.organization.admin.email,
        first_name: 'Ada',
        last_name: 'Admin',
      },
      active: true,
      match_conditions: [
        { id: expect.stringMatching(/^CMC/), db_id: expect.any(Number), required: ['A1'], excluded: [] },
      ],
    });
    expect(await bodyOf(test.api.get(at(made.id), { include: 'match_conditions' }))).toEqual(made);
  });

  it('counts ids up and db_ids down, and never uses one again', async () => {
    const first = await makeWeakness(test.api);
    await bodyOf(test.api.delete(at(first.id)), 204);
    const second = await makeWeakness(test.api);
    expect([second.id, second.db_id]).toEqual([`CP${-first.db_id + 1}`, first.db_id - 1]);
  });

  it('takes description for text, both where they agree, and refuses them where they differ', async () => {
    const title = (): string => unique('Described');
    expect(
      (await bodyOf(test.api.post<Weakness>(path, { title: title(), description: 'A', risk_rating: 1 }))).text,
    ).toBe('A');
    const agreeing = { title: title(), text: 'A', description: 'A', risk_rating: 1 };
    const made = await bodyOf(test.api.post<Weakness>(path, agreeing));
    expect(made).not.toHaveProperty('description');
    await bodyOf(test.api.post(path, { title: title(), text: 'A', description: 'B', risk_rating: 1 }), 400);
    await bodyOf(test.api.patch(at(made.id), { text: 'A', description: 'B' }), 400);
    expect((await bodyOf(test.api.patch<Weakness>(at(made.id), { description: 'C' }))).text).toBe('C');
  });

  it('names what is wrong with it by the name that was sent', async () => {
    const made = await makeWeakness(test.api);
    expect(await refusedBy(test.api.patch(at(made.id), { description: 7 }))).toEqual(['description']);
    expect(await refusedBy(test.api.patch(at(made.id), { text: 7 }))).toEqual(['text']);
  });

  it('is searched by id and title, and by nothing else', async () => {
    const { id, db_id: dbId, title } = await makeWeakness(test.api);
    const found = async (search: string): Promise<string[]> =>
      (await rowsOf(test.api.get<List<Weakness>>(path, { search }))).map((row) => row.id);
    expect(await found(id.toLowerCase())).toContain(id);
    expect(await found(title.toUpperCase())).toEqual([id]);
    expect(await found(String(dbId))).toEqual([]);
  });

  it('names every missing field at once', async () => {
    expect((await refusedBy(test.api.post(path, {}))).sort()).toEqual(['risk_rating', 'text', 'title']);
  });

  it.each([
    ['title', ''],
    ['title', null],
    ['title', 1],
    ['title', 'x'.repeat(501)],
    ['title', 'a\0'],
    ['text', null],
    ['text', 1],
    ['text', 'x'.repeat(100_001)],
    ['risk_rating', 0],
    ['risk_rating', 11],
    ['risk_rating', 5.5],
    ['risk_rating', 'x'],
    ['risk_rating', null],
    ['cwe', null],
    ['cwe', 79],
    ['cwe', ['x']],
    ['cwe', [1.5]],
    ['cwe', [-79]],
    ['cwe', [0]],
    ['cwe', [999_999_999]],
    ['cwe', [99_999_999_999]],
    ['cwe', [1e300]],
    ['cwe', [null]],
    ['cwe', [[79]]],
    ['active', 'x'],
    ['match_conditions', [{ required: 5 }]],
  ])('refuses %s %j, naming it, and changes nothing', async (field, value) => {
    const errors = await changesNothing(test, () => bodyOf(test.api.post(path, body({ [field]: value })), 400));
    expect(Object.keys(errors as object)).toEqual([field]);
  });

  it('ignores category and other read-only fields', async () => {
    const made = await makeWeakness(test.api, {
      category: 'Mine',
      id: 'CP77777',
      type: 'Built-in',
      created: '2001-01-01',
    });
    expect(made).toMatchObject({ type: 'Custom' });
    expect(made.id).not.toBe('CP77777');
    expect((await bodyOf(test.api.get<Weakness>(at(made.id), { include: 'category' }))).category).toBe('');
  });

  it('writes one activity, which names it', async () => {
    const activities = await activitiesOf(test, () => makeWeakness(test.api, { title: 'Told about' }));
    expect(activities).toMatchObject([
      {
        name: 'CreatedWeaknessActivity',
        icon: 'bug',
        log_level: 'user',
        data: { weakness_desc: 'Told about', weakness: expect.any(String) },
      },
    ]);
    expect(Object.keys(activities[0]?.data ?? {})).toHaveLength(2);
  });
});

describe('The title of a weakness', () => {
  const refused = { title: [expect.any(String)] };

  it('is unique in the view of the organization, without regard to case and outer blanks', async () => {
    const title = unique('Taken Ünique');
    await makeWeakness(test.api, { title });
    for (const same of [title, title.toUpperCase(), title.toLowerCase(), `  ${title}\t`])
      expect(await changesNothing(test, () => bodyOf(test.api.post(path, body({ title: same })), 400))).toEqual(
        refused,
      );
  });

  it('may differ in inner blanks and accents', async () => {
    const title = unique('Nearly the same');
    await makeWeakness(test.api, { title });
    await makeWeakness(test.api, { title: title.replace(' ', '  ') });
    await makeWeakness(test.api, { title: title.replace('e', 'é') });
  });

  it('may not be that of a built-in weakness, nor of an inactive one', async () => {
    const { title } = await nextBuiltIn(test.api);
    expect(await bodyOf(test.api.post(path, body({ title })), 400)).toEqual(refused);
    const inactive = await makeWeakness(test.api, { active: false });
    expect(await bodyOf(test.api.post(path, body({ title: inactive.title })), 400)).toEqual(refused);
  });

  it('is checked by PATCH as well, but for the item itself', async () => {
    const one = await makeWeakness(test.api);
    const two = await makeWeakness(test.api);
    expect(
      await changesNothing(test, () => bodyOf(test.api.patch(at(two.id), { title: one.title, text: 'new' }), 400)),
    ).toEqual(refused);
    await bodyOf(test.api.patch(at(one.id), { title: one.title.toUpperCase() }));
  });

  it('is free again after a delete and after a change', async () => {
    const gone = await makeWeakness(test.api);
    await bodyOf(test.api.delete(at(gone.id)), 204);
    const renamed = await makeWeakness(test.api, { title: gone.title });
    await bodyOf(test.api.patch(at(renamed.id), { title: unique('Renamed') }));
    await makeWeakness(test.api, { title: gone.title });
  });

  it('of a changed built-in weakness is the one that the organization sees', async () => {
    const { id, title } = await nextBuiltIn(test.api);
    const ours = unique('Ours');
    await bodyOf(test.api.patch(at(id), { title: ours }));
    expect(await bodyOf(test.api.post(path, body({ title: ours })), 400)).toEqual(refused);
    await makeWeakness(test.api, { title });
  });

  it('is unique after a restoration too: where the original is taken meanwhile, DELETE is a 400 and changes nothing', async () => {
    const { id, title } = await nextBuiltIn(test.api);
    await bodyOf(test.api.patch(at(id), { title: unique('Ours') }));
    const taker = await makeWeakness(test.api, { title });
    expect(await changesNothing(test, () => bodyOf(test.api.delete(at(id)), 400))).toEqual(refused);
    await bodyOf(test.api.delete(at(taker.id)), 204);
    await bodyOf(test.api.delete(at(id)), 204);
    expect((await bodyOf(test.api.get<Weakness>(at(id)))).title).toBe(title);
  });

  it('may be the same in another organization', async () => {
    const { title } = await makeWeakness(test.api);
    const other = await test.newOrganization();
    await makeWeakness(other.api, { title });
  });
});

describe('The CWEs of a weakness', () => {
  it('are ids, or objects with a link where included', async () => {
    const { id } = await makeWeakness(test.api, { cwe: [352, 79] });
    expect((await bodyOf(test.api.get<Weakness>(at(id)))).cwe).toEqual([352, 79]);
    expect(await bodyOf(test.api.get(at(id), { include: 'cwe' }))).toMatchObject({
      cwe: [
        { id: 352, title: 'Cross-Site Request Forgery (CSRF)', url: 'https://cwe.mitre.org/data/definitions/352.html' },
        {
          id: 79,
          title: expect.stringContaining('Cross-site Scripting'),
          url: 'https://cwe.mitre.org/data/definitions/79.html',
        },
      ],
    });
  });

  it('are replaced as a whole, each once, also given as strings', async () => {
    const { id } = await makeWeakness(test.api, { cwe: [79] });
    expect((await bodyOf(test.api.patch<Weakness>(at(id), { cwe: ['89', 20, 89] }))).cwe).toEqual([89, 20]);
    expect((await bodyOf(test.api.patch<Weakness>(at(id), { cwe: [] }))).cwe).toEqual([]);
  });

  it("can't be changed on a built-in weakness, modified or not, but sent back as they are", async () => {
    const { id, cwe } = await nextBuiltIn(test.api);
    await changesNothing(test, () => bodyOf(test.api.patch(at(id), { cwe })));
    for (const value of [[...cwe, 79], [79], []])
      expect(await changesNothing(test, () => bodyOf(test.api.patch(at(id), { cwe: value, text: 'x' }), 400))).toEqual({
        cwe: [expect.any(String)],
      });
    await bodyOf(test.api.patch(at(id), { text: 'x' }));
    expect(await changesNothing(test, () => bodyOf(test.api.patch(at(id), { cwe: [79] }), 400))).toEqual({
      cwe: [expect.any(String)],
    });
  });

  it('are named where they do not exist', async () => {
    expect(await bodyOf(test.api.post(path, body({ cwe: [79, 123_456] })), 400)).toEqual({
      cwe: ['"123456" does not exist.'],
    });
  });
});

describe('Reading weaknesses', () => {
  it('shows the category and the related countermeasures where included, inactive ones too', async () => {
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

  it('renders texts as HTML where asked to, those of related countermeasures included', async () => {
    const { id } = await makeWeakness(test.api, { text: '**bold** <script>x</script>' });
    await makeCountermeasure(test.api, { problem: id, text: '*slanted*' });
    const read = await bodyOf(test.api.get<Weakness>(at(id), { to_html: true, include: 'related_tasks' }));
    expect(read.text).toContain('<strong>bold</strong>');
    expect(read.text).not.toContain('<script');
    expect(read.related_tasks?.[0]?.text).toContain('<em>slanted</em>');
  });

  it('makes urls absolute where asked to', async () => {
    expect((await bodyOf(test.api.get<Weakness>(at('P1'), { absolute_urls: true }))).url).toBe(
      `${test.origin}/library/problems/P1/`,
    );
  });
});

describe('The singular path of a weakness', () => {
  it.each(['/library/problems/', '/library/problem/'])('takes PATCH and DELETE under %s', async (spelling) => {
    const { id } = await makeWeakness(test.api);
    expect((await bodyOf(test.api.patch<Weakness>(`${spelling}${id}/`, { risk_rating: 2 }))).risk_rating).toBe(2);
    await bodyOf(test.api.delete(`${spelling}${id}/`), 204);
    await bodyOf(test.api.get(at(id)), 404);
  });

  it('takes DELETE under /problem/ as well, with its body', async () => {
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
  ])('has no %s %s', async (method, other) => {
    await bodyOf(test.api.send(method, other, method === 'GET' ? undefined : {}), 405);
  });

  it.each(['/library/problem/', '/problem/'])('has no list under %s', async (other) => {
    await bodyOf(test.api.get(other), 404);
  });
});

describe('Switching a weakness off', () => {
  const activity = async (id: string): Promise<boolean> =>
    (await bodyOf(test.api.get<{ active: boolean }>(`/library/tasks/${id}/`))).active;

  it('switches its active countermeasures off, with one activity each', async () => {
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

  it('notes who changed the countermeasures and when, and leaves inactive ones untouched', async () => {
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

  it('makes versions of built-in countermeasures, for this organization alone', async () => {
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

  it('leaves match conditions, tags and texts of those countermeasures as they were', async () => {
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

  it('is not undone by switching it on: its countermeasures stay off', async () => {
    const weakness = await makeWeakness(test.api);
    const item = await makeCountermeasure(test.api, { problem: weakness.id });
    await bodyOf(test.api.patch(at(weakness.id), { active: false }));
    const activities = await activitiesOf(test, () => bodyOf(test.api.patch(at(weakness.id), { active: true })));
    expect(activities.map(({ name }) => name)).toEqual(['ActivatedWeaknessActivity']);
    expect(await activity(item.id)).toBe(false);
  });

  it('switches countermeasures off again where they were switched on meanwhile', async () => {
    const weakness = await makeWeakness(test.api);
    await bodyOf(test.api.patch(at(weakness.id), { active: false }));
    const item = await makeCountermeasure(test.api, { problem: weakness.id });
    await bodyOf(test.api.patch(at(weakness.id), { active: false }));
    expect(await activity(item.id)).toBe(false);
  });

  it('together with other changes writes both activities', async () => {
    const { id } = await makeWeakness(test.api);
    const activities = await activitiesOf(test, () => bodyOf(test.api.patch(at(id), { active: false, text: 'x' })));
    expect(activities.map(({ name }) => name).sort()).toEqual([
      'DeactivatedWeaknessActivity',
      'UpdatedWeaknessActivity',
    ]);
  });

  it('is refused as a whole where another field is wrong', async () => {
    const weakness = await makeWeakness(test.api);
    await makeCountermeasure(test.api, { problem: weakness.id });
    await changesNothing(test, () => bodyOf(test.api.patch(at(weakness.id), { active: false, risk_rating: 0 }), 400));
    await changesNothing(test, () => bodyOf(test.api.patch(at(weakness.id), { active: false, cwe: [123_456] }), 400));
  });
});

describe('The flag ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS', () => {
  const name = 'ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS';

  it('is needed to set active in a PATCH; without it even a super-user gets a 403 with its name', async () => {
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

  it('is needed to make one that is not active, and not for one that is', async () => {
    const { api } = await test.newOrganization();
    await bodyOf(api.delete(`/flags/${name}/`), 204);
    const weakness = { title: unique('Off'), text: 'x', risk_rating: 1 };
    const error = await changesNothing(test, () =>
      bodyOf(api.post('/library/problems/', { ...weakness, active: false }), 403),
    );
    expect(error).toEqual({ detail: expect.stringContaining(name) });
    // A 403 comes before anything that is wrong with the body.
    await changesNothing(test, () => bodyOf(api.post('/library/problems/', { active: false, risk_rating: 99 }), 403));
    expect(await bodyOf(api.post('/library/problems/', { ...weakness, active: true }))).toMatchObject({ active: true });
  });
});

describe('Deleting a weakness', () => {
  it('without countermeasures answers 204', async () => {
    const { id, title } = await makeWeakness(test.api);
    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(at(id)), 204));
    expect(activities).toMatchObject([
      { name: 'DeletedWeaknessActivity', data: { weakness: id, weakness_desc: title }, icon: 'bug' },
    ]);
    await bodyOf(test.api.get(at(id)), 404);
  });

  it('with countermeasures takes new_weakness_id, inactive ones count too', async () => {
    const { id } = await makeWeakness(test.api);
    await makeCountermeasure(test.api, { problem: id, active: false });
    for (const sent of [undefined, {}])
      expect(await changesNothing(test, () => bodyOf(test.api.delete(at(id), sent), 400))).toEqual({
        new_weakness_id: [expect.any(String)],
      });
  });

  it('moves all its countermeasures to the new weakness, built-in and inactive ones too, and tells of each', async () => {
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

  it('takes a built-in weakness as the new one', async () => {
    const doomed = await makeWeakness(test.api);
    const item = await makeCountermeasure(test.api, { problem: doomed.id });
    await bodyOf(test.api.delete(at(doomed.id), { new_weakness_id: 'P2' }), 204);
    expect(await bodyOf(test.api.get(`/library/tasks/${item.id}/`))).toMatchObject({ problem: 'P2' });
  });

  it.each([
    ['itself', (id: string): unknown => id],
    ['one that does not exist', (): unknown => 'P999999'],
    ['a countermeasure', (): unknown => 'T1'],
    ['no string', (): unknown => 5],
    ['null', (): unknown => null],
  ])('refuses as the new weakness %s', async (_, newId) => {
    const { id } = await makeWeakness(test.api);
    await makeCountermeasure(test.api, { problem: id });
    const errors = await changesNothing(test, () =>
      bodyOf(test.api.delete(at(id), { new_weakness_id: newId(id) }), 400),
    );
    expect(errors).toEqual({ new_weakness_id: [expect.any(String)] });
  });

  it("refuses another organization's weakness as the new one", async () => {
    const { id } = await makeWeakness(test.api);
    await makeCountermeasure(test.api, { problem: id });
    const other = await test.newOrganization();
    await countFrom(test, other, 'weakness', 5000);
    const foreign = await makeWeakness(other.api);
    const errors = await changesNothing(test, () =>
      bodyOf(test.api.delete(at(id), { new_weakness_id: foreign.id }), 400),
    );
    expect(errors).toEqual({ new_weakness_id: [`"${foreign.id}" does not exist.`] });
  });

  it('that is modified asks for no new weakness, and touches no countermeasure', async () => {
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

  it('that is built in is a 403 that says to deactivate it, whatever new_weakness_id says', async () => {
    const { id } = await nextBuiltIn(test.api);
    const error = await changesNothing(test, () =>
      bodyOf(test.api.delete(at(id), { new_weakness_id: 'P999999' }), 403),
    );
    expect(error).toEqual({ detail: expect.stringMatching(/deactivate/i) });
  });
});
