import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { builtIns, makeWeakness, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List, Weakness } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/problems/';
const at = (id: string): string => `${path}${id}/`;
const nextBuiltIn = builtIns<Weakness>(path);
const body = (fields: object = {}): object => ({ title: unique('Weakness'), text: 'x', risk_rating: 5, ...fields });

describe('Creating a weakness', () => {
  it('returns 200 with the new weakness and its match conditions', async () => {
    const title = unique('New');
    const created = await bodyOf(
      test.api.post<Weakness>(path, {
        title,
        text: 'Why.',
        risk_rating: 7,
        cwe: [79, 89],
        match_conditions: [{ required: ['A1'] }],
      }),
    );
    expect(created).toEqual({
      id: expect.stringMatching(/^CP[1-9]\d*$/),
      db_id: -Number(created.id.slice(2)),
      url: at(created.id),
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
    expect(await bodyOf(test.api.get(at(created.id), { include: 'match_conditions' }))).toEqual(created);
  });

  it('counts ids up and db_ids down, and never reuses them', async () => {
    const first = await makeWeakness(test.api);
    await bodyOf(test.api.delete(at(first.id)), 204);
    const second = await makeWeakness(test.api);
    expect([second.id, second.db_id]).toEqual([`CP${-first.db_id + 1}`, first.db_id - 1]);
  });

  it('accepts description for text or both if they are equal, and rejects them if they differ', async () => {
    const title = (): string => unique('Described');
    expect(
      (await bodyOf(test.api.post<Weakness>(path, { title: title(), description: 'A', risk_rating: 1 }))).text,
    ).toBe('A');
    const agreeing = { title: title(), text: 'A', description: 'A', risk_rating: 1 };
    const created = await bodyOf(test.api.post<Weakness>(path, agreeing));
    expect(created).not.toHaveProperty('description');
    await bodyOf(test.api.post(path, { title: title(), text: 'A', description: 'B', risk_rating: 1 }), 400);
    await bodyOf(test.api.patch(at(created.id), { text: 'A', description: 'B' }), 400);
    expect((await bodyOf(test.api.patch<Weakness>(at(created.id), { description: 'C' }))).text).toBe('C');
  });

  it('reports errors in the text under the field name that was sent', async () => {
    const created = await makeWeakness(test.api);
    expect(await rejectedFields(test.api.patch(at(created.id), { description: 7 }))).toEqual(['description']);
    expect(await rejectedFields(test.api.patch(at(created.id), { text: 7 }))).toEqual(['text']);
  });

  it('makes it searchable by id and title, but not by db_id', async () => {
    const { id, db_id: dbId, title } = await makeWeakness(test.api);
    const found = async (search: string): Promise<string[]> =>
      (await rowsOf(test.api.get<List<Weakness>>(path, { search }))).map((row) => row.id);
    expect(await found(id.toLowerCase())).toContain(id);
    expect(await found(title.toUpperCase())).toEqual([id]);
    expect(await found(String(dbId))).toEqual([]);
  });

  it('reports all missing fields together', async () => {
    expect((await rejectedFields(test.api.post(path, {}))).sort()).toEqual(['risk_rating', 'text', 'title']);
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
  ])('rejects %s = %j with an error for that field and changes nothing', async (field, value) => {
    const errors = await changesNothing(test, () => bodyOf(test.api.post(path, body({ [field]: value })), 400));
    expect(Object.keys(errors as object)).toEqual([field]);
  });

  it('ignores category and other read-only fields', async () => {
    const created = await makeWeakness(test.api, {
      category: 'Mine',
      id: 'CP77777',
      type: 'Built-in',
      created: '2001-01-01',
    });
    expect(created).toMatchObject({ type: 'Custom' });
    expect(created.id).not.toBe('CP77777');
    expect((await bodyOf(test.api.get<Weakness>(at(created.id), { include: 'category' }))).category).toBe('');
  });

  it('records one activity with its id and title', async () => {
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
  const rejected = { title: [expect.any(String)] };

  it('is unique within the organization, ignoring case and surrounding whitespace', async () => {
    const title = unique('Taken Ünique');
    await makeWeakness(test.api, { title });
    for (const same of [title, title.toUpperCase(), title.toLowerCase(), `  ${title}\t`])
      expect(await changesNothing(test, () => bodyOf(test.api.post(path, body({ title: same })), 400))).toEqual(
        rejected,
      );
  });

  it('may differ from another only in inner whitespace or accents', async () => {
    const title = unique('Nearly the same');
    await makeWeakness(test.api, { title });
    await makeWeakness(test.api, { title: title.replace(' ', '  ') });
    await makeWeakness(test.api, { title: title.replace('e', 'é') });
  });

  it('may not be that of a built-in or inactive weakness', async () => {
    const { title } = await nextBuiltIn(test.api);
    expect(await bodyOf(test.api.post(path, body({ title })), 400)).toEqual(rejected);
    const inactive = await makeWeakness(test.api, { active: false });
    expect(await bodyOf(test.api.post(path, body({ title: inactive.title })), 400)).toEqual(rejected);
  });

  it('is also checked by PATCH, except against the weakness itself', async () => {
    const one = await makeWeakness(test.api);
    const two = await makeWeakness(test.api);
    expect(
      await changesNothing(test, () => bodyOf(test.api.patch(at(two.id), { title: one.title, text: 'new' }), 400)),
    ).toEqual(rejected);
    await bodyOf(test.api.patch(at(one.id), { title: one.title.toUpperCase() }));
  });

  it('is available again after its weakness is deleted or renamed', async () => {
    const deleted = await makeWeakness(test.api);
    await bodyOf(test.api.delete(at(deleted.id)), 204);
    const renamed = await makeWeakness(test.api, { title: deleted.title });
    await bodyOf(test.api.patch(at(renamed.id), { title: unique('Renamed') }));
    await makeWeakness(test.api, { title: deleted.title });
  });

  it('is taken by the customized title of a built-in weakness, not by the original', async () => {
    const { id, title } = await nextBuiltIn(test.api);
    const ours = unique('Ours');
    await bodyOf(test.api.patch(at(id), { title: ours }));
    expect(await bodyOf(test.api.post(path, body({ title: ours })), 400)).toEqual(rejected);
    await makeWeakness(test.api, { title });
  });

  it('prevents restoring a built-in weakness with 400 while its original title is taken', async () => {
    const { id, title } = await nextBuiltIn(test.api);
    await bodyOf(test.api.patch(at(id), { title: unique('Ours') }));
    const taker = await makeWeakness(test.api, { title });
    expect(await changesNothing(test, () => bodyOf(test.api.delete(at(id)), 400))).toEqual(rejected);
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
  it('are ids, or objects with a link if included', async () => {
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

  it('are replaced as a whole without duplicates, and may be given as strings', async () => {
    const { id } = await makeWeakness(test.api, { cwe: [79] });
    expect((await bodyOf(test.api.patch<Weakness>(at(id), { cwe: ['89', 20, 89] }))).cwe).toEqual([89, 20]);
    expect((await bodyOf(test.api.patch<Weakness>(at(id), { cwe: [] }))).cwe).toEqual([]);
  });

  it('cannot be changed on a built-in weakness, customized or not, but can be sent back unchanged', async () => {
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

  it('are reported if they do not exist', async () => {
    expect(await bodyOf(test.api.post(path, body({ cwe: [79, 123_456] })), 400)).toEqual({
      cwe: ['"123456" does not exist.'],
    });
  });
});
