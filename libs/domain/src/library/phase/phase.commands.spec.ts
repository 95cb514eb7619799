import { useDomain } from '#test/support/domain.js';
import { createCountermeasures } from '../countermeasure/countermeasure.commands.js';
import { createPhases, removePhase, writePhases } from './phase.commands.js';

const domain = useDomain();

const TAKEN = { name: ['A phase with this name already exists.'] };
const FIXED = "Forbidden: Built-in phases can't be changed or deleted.";

const phasesOf = (ids: readonly string[]) =>
  domain.database.query<{ name: string; slug: string; ordinal: number }>(
    'SELECT name, slug, ordinal FROM phase WHERE organization_id = $1 AND item_id = ANY($2) ORDER BY number',
    [domain.actor.organizationId, ids],
  );

describe('Batch commands for phases', () => {
  it('reject names that several rows share or another phase has', async () => {
    const rejected = await domain.rejection((em, actor) =>
      createPhases(em, actor, [{ name: 'Twice' }, { name: 'development' }, { name: 'tWICE' }, { name: 'Once' }]),
    );
    expect(rejected).toEqual([TAKEN, TAKEN, TAKEN, undefined]);
  });

  it('append new phases without an ordinal, in row order', async () => {
    const ids = await domain.run((em, actor) =>
      createPhases(em, actor, [{ name: 'One' }, { name: 'Two', ordinal: 40 }, { name: 'Three' }]),
    );
    const [one, two, three] = await phasesOf(ids);
    expect([two?.ordinal, three?.ordinal]).toEqual([40, 41]);
    expect(one?.ordinal).toBeLessThan(40);
  });

  it('assign unique slugs, and keep them when the name changes', async () => {
    const ids = await domain.run((em, actor) =>
      createPhases(em, actor, [{ name: 'Red team' }, { name: 'Red-team' }, { name: 'Development!' }]),
    );
    const before = await phasesOf(ids);
    expect(new Set(before.map(({ slug }) => slug)).size).toBe(3);
    expect(before.map(({ slug }) => slug)).not.toContain('development');
    await domain.run((em, actor) =>
      writePhases(
        em,
        actor,
        ids.map((id, place) => ({ id, changes: { name: `Renamed ${place}` } })),
      ),
    );
    expect((await phasesOf(ids)).map(({ slug }) => slug)).toEqual(before.map(({ slug }) => slug));
  });

  it('report the errors of every row, and write nothing if one is rejected', async () => {
    const [id = ''] = await domain.run((em, actor) => createPhases(em, actor, [{ name: 'Own' }]));
    const rejected = await domain.rejection((em, actor) =>
      writePhases(em, actor, [
        { input: { name: 'Sound' } },
        { id: 'X1', changes: { name: 'Built in' } },
        { id: 'CX99999', changes: { name: 'Nobody' } },
        { id, changes: { name: 'Testing' } },
      ]),
    );
    expect(rejected).toEqual([undefined, FIXED, 'Not found.', TAKEN]);
  });
});

describe('A phase', () => {
  it('cannot be removed while it is in use', async () => {
    const [phase = ''] = await domain.run((em, actor) => createPhases(em, actor, [{ name: 'In use' }]));
    await domain.run((em, actor) =>
      createCountermeasures(em, actor, [{ title: 'Due', text: 'Then.', problem: 'P1', priority: 5, phase }]),
    );
    expect(await domain.rejection((em, actor) => removePhase(em, actor, phase))).toEqual({
      non_field_errors: [expect.stringContaining('in use')],
    });
  });

  it('cannot be removed if it is built-in, and is not found by another organization', async () => {
    const [id = ''] = await domain.run((em, actor) => createPhases(em, actor, [{ name: 'Kept' }]));
    expect(await domain.rejection((em, actor) => removePhase(em, actor, 'X1'))).toBe(FIXED);
    const other = await domain.newOrganization();
    expect(await domain.rejection((em, actor) => removePhase(em, actor, id), other)).toBe('Not found.');
    const rejected = await domain.rejection(
      (em, actor) => writePhases(em, actor, [{ id, changes: { name: 'Taken over' } }]),
      other,
    );
    expect(rejected).toEqual(['Not found.']);
  });
});
