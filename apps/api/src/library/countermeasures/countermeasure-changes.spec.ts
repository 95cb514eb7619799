import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { answerIds, builtIns, makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Countermeasure } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/tasks/';
const at = (id: string): string => `${path}${id}/`;
const nextBuiltIn = builtIns<Countermeasure>(path);

describe('Changing a countermeasure', () => {
  it('changes the fields that are sent, and records who changed it and when', async () => {
    const { match_conditions: _, ...before } = await makeCountermeasure(test.api);
    const weakness = await makeWeakness(test.api);
    const editor = await test.newUser({ role: 'UR4', firstName: 'Edith', lastName: 'Editor' });
    const title = unique('Changed');
    const changes = { title, text: 'new', problem: weakness.id, priority: 9, phase: 'X1', active: false };
    const after = await bodyOf(editor.api.patch<Countermeasure>(at(before.id), changes));
    expect(after).toEqual({
      ...before,
      ...changes,
      match_conditions: [],
      last_updated_by: { id: editor.id, email: editor.email, first_name: 'Edith', last_name: 'Editor' },
      last_updated_date: expect.any(String),
    });
    expect(after.last_updated_date > before.last_updated_date).toBe(true);
    expect(await bodyOf(test.api.get(at(before.id), { include: 'match_conditions' }))).toEqual(after);
  });

  it('changes nothing and records no activity with an empty object', async () => {
    const created = await makeCountermeasure(test.api);
    const answer = await changesNothing(test, () => bodyOf(test.api.patch<Countermeasure>(at(created.id), {})));
    expect(answer).toEqual(created);
  });

  it('changes nothing without a body', async () => {
    const created = await makeCountermeasure(test.api);
    const headers = { 'Content-Type': 'application/json' };
    expect(await bodyOf(test.api.patch(at(created.id), undefined, { headers }))).toEqual(created);
    expect(await bodyOf(test.api.patch(at(created.id)))).toEqual(created);
  });

  it('changes nothing with only read-only and unknown fields', async () => {
    const created = await makeCountermeasure(test.api);
    const body = {
      ...created,
      title: undefined,
      text: undefined,
      problem: undefined,
      priority: undefined,
      phase: undefined,
    };
    const { active: _, match_conditions: __, ...readOnly } = body;
    await changesNothing(test, () => bodyOf(test.api.patch(at(created.id), { ...readOnly, unknown: 1 })));
  });

  it('accepts the item as it was returned and changes nothing but last_updated_date', async () => {
    const [required] = await answerIds(test.api, 1);
    const created = await makeCountermeasure(test.api, { match_conditions: [{ required: [required] }] });
    const { last_updated_date: _, ...same } = await bodyOf(test.api.patch<Countermeasure>(at(created.id), created));
    expect(created).toMatchObject(same);
  });

  it.each([
    ['title', ''],
    ['priority', 11],
    ['phase', 'X999'],
    ['problem', null],
    ['tags', 'x'],
    ['match_conditions', [{ required: ['A999999'] }]],
  ])('rejects %s = %j and changes nothing, not even the valid fields', async (field, value) => {
    const { id } = await makeCountermeasure(test.api);
    const body = { text: 'changed', active: false, [field]: value };
    const errors = await changesNothing(test, () => bodyOf(test.api.patch(at(id), body), 400));
    expect(Object.keys(errors as object)).toEqual([field]);
  });

  it('records one activity for a change, another if active changes, and both for both', async () => {
    const { id, title } = await makeCountermeasure(test.api);
    const namesOf = async (body: object): Promise<string[]> => {
      const rows = await activitiesOf(test, () => bodyOf(test.api.patch(at(id), body)));
      for (const row of rows)
        expect(row).toMatchObject({ data: { standard: id, standard_desc: title }, icon: 'check', log_level: 'user' });
      return rows.map((row) => row.name).sort();
    };
    expect(await namesOf({ priority: 2 })).toEqual(['UpdatedStandardActivity']);
    expect(await namesOf({ active: false })).toEqual(['DeactivatedStandardActivity']);
    expect(await namesOf({ active: true })).toEqual(['ActivatedStandardActivity']);
    expect(await namesOf({ active: false, text: 'x' })).toEqual([
      'DeactivatedStandardActivity',
      'UpdatedStandardActivity',
    ]);
    expect(await namesOf({ active: false })).toEqual(['UpdatedStandardActivity']);
  });
});

describe('Deleting a countermeasure', () => {
  it('returns 204 and deletes it with its match conditions', async () => {
    const [required] = await answerIds(test.api, 1);
    const { id, match_conditions: conditions } = await makeCountermeasure(test.api, {
      match_conditions: [{ required: [required] }],
    });
    await bodyOf(test.api.delete(at(id)), 204);
    await bodyOf(test.api.get(at(id)), 404);
    const left = await test.database.query('SELECT 1 FROM match_condition WHERE item_id = $1', [conditions?.[0]?.id]);
    expect(left).toEqual([]);
    await bodyOf(test.api.delete(at(id)), 404);
  });

  it('deletes its additional requirements and how-tos, and removes it from regulations', async () => {
    const { id } = await makeCountermeasure(test.api);
    const [row] = await test.database.query<{ id: string }>(
      'SELECT id FROM countermeasure WHERE item_id = $1 AND organization_id = $2',
      [id, test.organization.id],
    );
    for (const kind of ['additional_requirement', 'how_to'])
      await test.database.query(
        `INSERT INTO ${kind} (organization_id, number, countermeasure_id) VALUES ($1, 9001, $2)`,
        [test.organization.id, row?.id],
      );
    await test.database.query(
      'INSERT INTO regulation_section_countermeasure SELECT id, $1 FROM regulation_section LIMIT 1',
      [row?.id],
    );
    await bodyOf(test.api.delete(at(id)), 204);
    const left = await test.database.query(
      `SELECT 1 FROM additional_requirement WHERE number = 9001 UNION ALL SELECT 1 FROM how_to WHERE number = 9001
       UNION ALL SELECT 1 FROM regulation_section_countermeasure WHERE countermeasure_id = $1`,
      [row?.id],
    );
    expect(left).toEqual([]);
  });

  it('records one activity', async () => {
    const { id, title } = await makeCountermeasure(test.api);
    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(at(id)), 204));
    expect(activities).toMatchObject([
      { name: 'DeletedStandardActivity', data: { standard: id, standard_desc: title } },
    ]);
  });

  it('returns 403 for a built-in one, suggests deactivating it and changes nothing', async () => {
    const { id } = await nextBuiltIn(test.api);
    const error = await changesNothing(test, () => bodyOf(test.api.delete(at(id)), 403));
    expect(error).toEqual({ detail: expect.stringMatching(/deactivate/i) });
  });
});
