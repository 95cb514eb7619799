import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { builtIns, makeThreat, makeWeakness, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List, Threat } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/threats/';
const at = (id: string): string => `${path}${id}/`;
const nextBuiltIn = builtIns<Threat>(path);
const body = (fields: object = {}): object => ({ title: unique('Threat'), text: 'x', severity: 5, ...fields });
const read = (id: string, query: Record<string, string> = {}): Promise<Threat> =>
  bodyOf(test.api.get<Threat>(at(id), query));
const removeWeakness = (id: string, successor?: string): Promise<unknown> =>
  bodyOf(test.api.delete(`/library/problems/${id}/`, successor ? { new_weakness_id: successor } : undefined), 204);

describe('Creating a threat', () => {
  it('returns 201 with the new threat and its match conditions', async () => {
    const title = unique('New');
    const fields = {
      text: 'What **happens**.',
      severity: 7,
      capecs: [66, 108],
      problems: ['P53', 'P1'],
      maestro: ['L3'],
      mitre_attack: ['TA0001', 'T1110.004'],
      mitre_emb3d: ['TID-320'],
      stride: ['T', 'I'],
    };
    const created = await bodyOf(
      test.api.post<Threat>(path, { title: ` ${title} `, ...fields, match_conditions: [{ required: ['A1'] }] }),
      201,
    );
    const author = {
      id: test.organization.admin.id,
      email: test.organization.admin.email,
      first_name: 'Ada',
      last_name: 'Admin',
    };
    expect(created).toEqual({
      id: expect.stringMatching(/^CTH[1-9]\d*$/),
      db_id: -Number(created.id.slice(3)),
      url: at(created.id),
      title,
      ...fields,
      type: 'Custom',
      active: true,
      created_by: author,
      created_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      last_updated_by: author,
      last_updated_date: expect.any(String),
      match_conditions: [
        { id: expect.stringMatching(/^CMC/), db_id: expect.any(Number), required: ['A1'], excluded: [] },
      ],
    });
    expect(await read(created.id, { include: 'match_conditions' })).toEqual(created);
  });

  it('requires only title, text and severity, and reports those that are missing', async () => {
    expect(await makeThreat(test.api)).toMatchObject({
      capecs: [],
      problems: [],
      maestro: [],
      mitre_attack: [],
      mitre_emb3d: [],
      stride: [],
      match_conditions: [],
    });
    const required = ['This field is required.'];
    expect(await bodyOf(test.api.post(path, {}), 400)).toEqual({ title: required, text: required, severity: required });
  });

  it('keeps references unique and in the given order', async () => {
    const created = await makeThreat(test.api, {
      capecs: ['108', 66, 108],
      problems: ['P2', 'P1', 'P2'],
      stride: ['T', 'S', 'T'],
    });
    expect(created).toMatchObject({ capecs: [108, 66], problems: ['P2', 'P1'], stride: ['T', 'S'] });
  });

  it('reports every reference that does not exist, by field, and changes nothing', async () => {
    const wrong = body({
      capecs: [66, 5, 999_999_999_999],
      problems: ['P1', 'P99999', 'T1'],
      stride: ['S', 'X'],
      maestro: ['S'],
      mitre_attack: ['TA0001', 'TID-101'],
      mitre_emb3d: ['TID-999'],
      match_conditions: [{ required: [] }, { required: ['A99999'] }],
    });
    const missing = (...ids: (string | number)[]): string[] => ids.map((id) => `"${id}" does not exist.`);
    expect(await changesNothing(test, () => bodyOf(test.api.post(path, wrong), 400))).toEqual({
      capecs: missing(5, 999_999_999_999),
      problems: missing('P99999', 'T1'),
      stride: missing('X'),
      maestro: missing('S'),
      mitre_attack: missing('TID-101'),
      mitre_emb3d: missing('TID-999'),
      match_conditions: [{}, { required: missing('A99999') }],
    });
  });

  it("rejects another organization's weakness", async () => {
    const other = await test.newOrganization();
    const { id } = await makeWeakness(other.api);
    const errors = { problems: [`"${id}" does not exist.`] };
    expect(await bodyOf(test.api.post(path, body({ problems: ['P1', id] })), 400)).toEqual(errors);
  });

  it.each([
    ['title', ' '],
    ['title', null],
    ['title', 'x'.repeat(501)],
    ['text', ''],
    ['text', 'x'.repeat(100_001)],
    ['text', 'a\0'],
    ['severity', 0],
    ['severity', 11],
    ['severity', 1.5],
    ['severity', null],
    ['capecs', null],
    ['capecs', 66],
    ['capecs', ['x']],
    ['capecs', [-66]],
    ['capecs', [1e300]],
    ['capecs', [[66]]],
    ['problems', null],
    ['problems', 'P1'],
    ['problems', [1]],
    ['problems', ['P1\0']],
    ['problems', Array.from({ length: 10_001 }, () => 'P1')],
    ['stride', null],
    ['stride', 'S'],
    ['stride', [null]],
    ['stride', ['\ud800']],
    ['stride', [' S ']],
    ['mitre_attack', ['ta0001']],
    ['mitre_attack', ['x'.repeat(101)]],
    ['maestro', {}],
    ['mitre_emb3d', [101]],
    ['active', 'maybe'],
    ['match_conditions', [{ required: ['A1'], excluded: ['A1'] }]],
  ])('rejects %s = %j with an error for that field and changes nothing', async (field, value) => {
    const errors = await changesNothing(test, () => bodyOf(test.api.post(path, body({ [field]: value })), 400));
    expect(Object.keys(errors as object)).toEqual([field]);
  });

  it('numbers threats per organization and never reuses an id', async () => {
    const first = await makeThreat(test.api);
    await bodyOf(test.api.delete(at(first.id)), 204);
    const second = await makeThreat(test.api);
    expect(second.db_id).toBe(first.db_id - 1);
    const other = await test.newOrganization();
    expect((await makeThreat(other.api)).id).toBe('CTH1');
  });
});

describe('Changing a threat', () => {
  it('replaces each list as a whole and does not change omitted fields', async () => {
    const created = await makeThreat(test.api, { capecs: [66], problems: ['P1'], stride: ['S'], maestro: ['L1'] });
    const changed = await bodyOf(
      test.api.patch<Threat>(at(created.id), { capecs: [63, 7], problems: [], stride: ['E'] }),
    );
    expect(changed).toEqual({
      ...created,
      capecs: [63, 7],
      problems: [],
      stride: ['E'],
      last_updated_date: expect.any(String),
    });
  });

  it('accepts an empty object and changes nothing', async () => {
    const created = await makeThreat(test.api);
    expect(await changesNothing(test, () => bodyOf(test.api.patch(at(created.id), {})))).toEqual(created);
  });

  it('keeps the references of the built-in original, also for other organizations', async () => {
    const before = await nextBuiltIn(test.api);
    const other = await test.newOrganization();
    await bodyOf(test.api.patch(at(before.id), { capecs: [], problems: ['P9'], stride: ['R'], mitre_attack: [] }));
    expect(await read(before.id)).toMatchObject({ capecs: [], problems: ['P9'], stride: ['R'], mitre_attack: [] });
    expect(await read(before.id, { show_original: 'true' })).toEqual({ ...before, type: 'Built-in Modified' });
    expect(await bodyOf(other.api.get(at(before.id)))).toEqual(before);
    const found = await rowsOf(test.api.get<List<Threat>>(path, { problem: 'P9', stride: 'R' }));
    expect(found.map(({ id }) => id)).toContain(before.id);
  });
});

describe('Threat activities', () => {
  const data = ({ id, title }: Threat): object => ({ threat: id, threat_desc: title });

  it('record when a threat is created, changed, activated, deactivated and deleted', async () => {
    const title = unique('Told about');
    let threat: Threat | undefined;
    const activities = await activitiesOf(test, async () => {
      threat = await makeThreat(test.api, { title });
      await bodyOf(test.api.patch(at(threat.id), { severity: 1 }));
      await bodyOf(test.api.patch(at(threat.id), { active: false }));
      await bodyOf(test.api.patch(at(threat.id), { active: true, text: 'y' }));
      await bodyOf(test.api.delete(at(threat.id)), 204);
    });
    expect(activities.map(({ name }) => name)).toEqual([
      'CreatedThreatActivity',
      'UpdatedThreatActivity',
      'DeactivatedThreatActivity',
      'UpdatedThreatActivity',
      'ActivatedThreatActivity',
      'DeletedThreatActivity',
    ]);
    for (const activity of activities)
      expect(activity).toMatchObject({ icon: 'warning', data: data(threat as Threat) });
  });
});

describe('Deleting a weakness', () => {
  it('removes it from the threats that refer to it, custom ones and changed built-in ones', async () => {
    const deleted = await makeWeakness(test.api);
    const custom = await makeThreat(test.api, { problems: ['P1', deleted.id, 'P2'] });
    const builtIn = await nextBuiltIn(test.api);
    await bodyOf(test.api.patch(at(builtIn.id), { problems: [deleted.id] }));
    const untouched = await makeThreat(test.api, { problems: ['P1'] });
    const activities = await activitiesOf(test, () => removeWeakness(deleted.id));
    expect(await read(custom.id)).toMatchObject({ problems: ['P1', 'P2'] });
    expect(await read(builtIn.id)).toMatchObject({ problems: [] });
    const { match_conditions: _, ...plain } = untouched;
    expect(await read(untouched.id)).toEqual(plain);
    expect(activities).toMatchObject([
      { name: 'UpdatedThreatActivity', data: { threat: builtIn.id } },
      { name: 'UpdatedThreatActivity', data: { threat: custom.id } },
      { name: 'DeletedWeaknessActivity' },
    ]);
  });

  it('replaces it by its successor, without duplicates', async () => {
    const deleted = await makeWeakness(test.api);
    const successor = await makeWeakness(test.api);
    const one = await makeThreat(test.api, { problems: ['P1', deleted.id] });
    const both = await makeThreat(test.api, { problems: [deleted.id, 'P1', successor.id] });
    await removeWeakness(deleted.id, successor.id);
    expect((await read(one.id)).problems).toEqual(['P1', successor.id]);
    expect((await read(both.id)).problems).toEqual(['P1', successor.id]);
  });

  it('never leaves a reference to it in threats that are created concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const deleted = await makeWeakness(test.api);
      const answers = await Promise.all([
        ...Array.from({ length: 3 }, () => test.api.post(path, body({ problems: [deleted.id] }))),
        test.api.delete(`/library/problems/${deleted.id}/`),
      ]);
      for (const { status } of answers) expect([201, 204, 400]).toContain(status);
    }
    const dangling = await test.database.query(
      `SELECT 1 FROM threat_version t, unnest(t.problems) named(id)
       WHERE NOT EXISTS (SELECT 1 FROM weakness w WHERE w.id = named.id)`,
    );
    expect(dangling).toEqual([]);
  });
});

describe('Threat frameworks', () => {
  interface Framework {
    id: number;
    slug: string;
    entries_count: number;
    entries: { id: string; name: string; url: string; threats: string[] }[];
  }
  const all = (): Promise<Framework[]> =>
    rowsOf(test.api.get<List<Framework>>('/library/threat-frameworks/', { include: 'entries' }));

  it('are STRIDE, MITRE EMB3D, MAESTRO, MITRE ATT&CK and MITRE ATLAS, with a correct entries_count', async () => {
    const frameworks = await all();
    expect(frameworks.map(({ slug }) => slug).sort()).toEqual([
      'maestro',
      'mitre-atlas',
      'mitre-attack',
      'mitre-emb3d',
      'stride',
    ]);
    for (const { entries, entries_count: count } of frameworks) {
      expect(entries).toHaveLength(count);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(count);
    }
    expect(frameworks.find(({ slug }) => slug === 'stride')?.entries.map(({ id }) => id)).toEqual([...'STRIDE']);
  });

  it("list only the organization's threats, as customized by it", async () => {
    const mine = await makeThreat(test.api, { stride: ['R'] });
    const builtIn = await nextBuiltIn(test.api);
    await bodyOf(test.api.patch(at(builtIn.id), { stride: ['R'] }));
    const other = await test.newOrganization();
    const stranger = await makeThreat(other.api, { title: unique('Theirs') });
    await bodyOf(other.api.patch(at(stranger.id), { stride: ['D'] }));
    const stride = (await all()).find(({ slug }) => slug === 'stride');
    const threatsOf = (id: string): string[] => stride?.entries.find((entry) => entry.id === id)?.threats ?? [];
    expect(threatsOf('R')).toEqual(expect.arrayContaining([builtIn.id, mine.id]));
    for (const entry of 'STIDE') expect(threatsOf(entry)).not.toContain(builtIn.id);
    const rows = await rowsOf(test.api.get<List<Threat>>(path, { stride: 'D' }));
    expect(threatsOf('D')).toEqual(rows.map(({ id }) => id));
  });

  it('filter threats by id, slug or field name', async () => {
    const framework = (await all()).find(({ slug }) => slug === 'mitre-emb3d');
    const idsFor = async (value: string): Promise<string[]> =>
      (await rowsOf(test.api.get<List<Threat>>(path, { framework: value }))).map(({ id }) => id);
    const bySlug = await idsFor('mitre-emb3d');
    expect(bySlug.length).toBeGreaterThan(0);
    expect(await idsFor('mitre_emb3d')).toEqual(bySlug);
    expect(await idsFor(String(framework?.id))).toEqual(bySlug);
  });
});
