import { useDomain } from '#test/support/domain.js';
import type { Actor } from '../../kernel/actor.js';
import { createCountermeasures, writeCountermeasures } from '../countermeasure/countermeasure.commands.js';
import { ATTRIBUTE_MODE } from './match-condition.projection.js';

const domain = useDomain();

const input = (title: string) => ({ title, text: 'Do it.', problem: 'P1', priority: 5, phase: 'X3' });

const inMode = (attributes: boolean): Actor => {
  const flags = new Set(domain.actor.flags);
  if (attributes) flags.add(ATTRIBUTE_MODE);
  else flags.delete(ATTRIBUTE_MODE);
  return { ...domain.actor, flags };
};

const conditionsOf = (id: string) =>
  domain.database.query<{ item_id: string; required: string[]; required_attributes: string[] }>(
    `SELECT m.item_id, ARRAY(SELECT a.item_id FROM survey_answer a WHERE a.id = ANY(m.required)) AS required,
       ARRAY(SELECT t.item_id FROM attribute t WHERE t.id = ANY(m.required_attributes)) AS required_attributes
     FROM match_condition m JOIN countermeasure_version v ON v.id = m.countermeasure_version_id
     WHERE v.organization_id = $1 AND v.item_id = $2 ORDER BY m.position`,
    [domain.actor.organizationId, id],
  );

describe('Match conditions of several items', () => {
  it('are rejected if they require and exclude the same answer or have the same id', async () => {
    const rejected = await domain.rejection((em, actor) =>
      createCountermeasures(em, actor, [
        { ...input('Sound'), match_conditions: [{ required: ['A1'], excluded: ['A2'] }] },
        {
          ...input('Contradicts'),
          match_conditions: [{ required: ['A1'] }, { required: ['A2', 'A1'], excluded: ['A1', 'A2'] }],
        },
        {
          ...input('Twice'),
          match_conditions: [
            { id: 'CMC1', required: ['A1'] },
            { id: 'CMC1', required: ['A2'] },
          ],
        },
      ]),
    );
    const both = (id: string): string => `"${id}" is both required and excluded.`;
    expect(rejected).toEqual([
      undefined,
      { match_conditions: [{}, { non_field_errors: expect.arrayContaining([both('A1'), both('A2')]) }] },
      { match_conditions: [{}, { id: ['"CMC1" is given twice.'] }] },
    ]);
  });

  it('are rejected beyond 50,000 of an organization, except those that replace others', async () => {
    const { organizationId } = domain.actor;
    const conditions = (count: number) => Array.from({ length: count }, () => ({ required: ['A1'] }));
    const [id = ''] = await domain.run((em, actor) =>
      createCountermeasures(em, actor, [{ ...input('Many'), match_conditions: conditions(3) }]),
    );
    await domain.database.query(
      `INSERT INTO match_condition (countermeasure_version_id, item_id, db_id, position, required, excluded)
        SELECT v.id, 'CMC' || 1000 + n, -1000 - n, 3 + n, '{}', '{}'
        FROM countermeasure_version v, generate_series(1, $3::int) n WHERE v.organization_id = $1 AND v.item_id = $2`,
      [organizationId, (await domain.run((em, actor) => createCountermeasures(em, actor, [input('Full')])))[0], 49_997],
    );
    const exceeding = (count: number) => ({
      match_conditions: [
        `An organization can have at most 50000 match conditions, and yours would have ${count}. ` +
          'Combine or remove conditions.',
      ],
    });
    const change = (count: number) =>
      domain.run((em, actor) =>
        writeCountermeasures(em, actor, [{ id, changes: { match_conditions: conditions(count) } }]),
      );
    await change(3);
    expect(
      await domain.rejection((em, actor) =>
        createCountermeasures(em, actor, [
          { ...input('One more'), match_conditions: conditions(1) },
          input('Without conditions'),
        ]),
      ),
    ).toEqual([exceeding(50_001), undefined]);
    await domain.database.query('DELETE FROM match_condition WHERE db_id < -1000');
    await change(4);
  });

  it('are rejected if they require and exclude the same attribute', async () => {
    const contradicting = { required_attributes: ['AT1'], excluded_attributes: ['AT1'] };
    const rejected = await domain.rejection(
      (em, actor) => createCountermeasures(em, actor, [{ ...input('Attributes'), match_conditions: [contradicting] }]),
      inMode(true),
    );
    expect(rejected).toEqual([{ match_conditions: [{ non_field_errors: ['"AT1" is both required and excluded.'] }] }]);
  });

  it('report every id that does not exist, by row, condition and list', async () => {
    const rejected = await domain.rejection((em, actor) =>
      createCountermeasures(em, actor, [
        {
          ...input('Wrong'),
          match_conditions: [{ required: ['A1'] }, { required: ['A99999'], excluded: ['CA99999'] }],
        },
        { ...input('Sound'), match_conditions: [{ required: [] }] },
        { ...input('Wrong too'), phase: 'X99999', match_conditions: [{ excluded: ['A99998'] }] },
      ]),
    );
    const missing = (id: string): string[] => [`"${id}" does not exist.`];
    expect(rejected).toEqual([
      { match_conditions: [{}, { required: missing('A99999'), excluded: missing('CA99999') }] },
      undefined,
      { phase: missing('X99999'), match_conditions: [{ excluded: missing('A99998') }] },
    ]);
  });

  it('must use the lists for the mode of the organization', async () => {
    const about = { match_conditions: [{ required: ['A1'] }] };
    const rejected = await domain.rejection(
      (em, actor) =>
        createCountermeasures(em, actor, [
          { ...input('Answers'), ...about },
          { ...input('Attributes'), match_conditions: [{ required_attributes: ['AT1'] }] },
        ]),
      inMode(true),
    );
    expect(rejected).toEqual([
      { match_conditions: [{ non_field_errors: ['Use "required_attributes" and "excluded_attributes".'] }] },
      undefined,
    ]);
  });

  it('keep their id and the lists for the other mode when they are changed', async () => {
    const [id = ''] = await domain.run(
      (em, actor) => createCountermeasures(em, actor, [{ ...input('Both'), match_conditions: [{ required: ['A1'] }] }]),
      inMode(false),
    );
    const [before] = await conditionsOf(id);
    const condition = before?.item_id ?? '';
    await domain.run(
      (em, actor) =>
        writeCountermeasures(em, actor, [
          { id, changes: { match_conditions: [{ id: condition, required_attributes: ['AT2'] }] } },
        ]),
      inMode(true),
    );
    expect(await conditionsOf(id)).toEqual([{ item_id: condition, required: ['A1'], required_attributes: ['AT2'] }]);
  });

  it('get a new id if another item has the given one', async () => {
    const ids = await domain.run((em, actor) =>
      createCountermeasures(em, actor, [
        { ...input('Has it'), match_conditions: [{ required: ['A1'] }] },
        { ...input('Takes it'), match_conditions: [{ required: ['A2'] }] },
      ]),
    );
    const [there = '', taker = ''] = ids;
    const [kept] = await conditionsOf(there);
    const stolen = { id: kept?.item_id ?? '', required: ['A3'] };
    await domain.run((em, actor) =>
      writeCountermeasures(em, actor, [{ id: taker, changes: { match_conditions: [stolen] } }]),
    );
    expect(await conditionsOf(there)).toEqual([kept]);
    const [taken] = await conditionsOf(taker);
    expect(taken?.required).toEqual(['A3']);
    expect(taken?.item_id).not.toBe(kept?.item_id);
  });
});
