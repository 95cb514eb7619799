import { useDomain } from '#test/support/domain.js';
import {
  createAdditionalRequirements,
  orderAdditionalRequirements,
  removeAdditionalRequirement,
  writeAdditionalRequirements,
} from '../additional-requirement/additional-requirement.commands.js';
import { createHowTos, removeHowTo, writeHowTos } from '../how-to/how-to.commands.js';

const domain = useDomain();

const part = (title: string, task = 'T12') => ({ title, text: 'So.', task });

const KINDS = [
  { kind: 'how-tos', create: createHowTos, write: writeHowTos, remove: removeHowTo, nobody: 'CI99999' },
  {
    kind: 'additional requirements',
    create: createAdditionalRequirements,
    write: writeAdditionalRequirements,
    remove: removeAdditionalRequirement,
    nobody: 'CTA99999',
  },
];

describe.each(KINDS)('Batch commands for $kind', ({ create, write, remove, nobody }) => {
  it('find an item only under the countermeasure in the path', async () => {
    const [here = '', there = ''] = await domain.run((em, actor) =>
      create(em, actor, [part('Here'), part('There', 'T13')]),
    );
    const rejected = await domain.rejection((em, actor) =>
      write(em, actor, [
        { id: here, within: 'T12', changes: { title: 'Still here' } },
        { id: there, within: 'T12', changes: { title: 'Not here' } },
        { id: nobody, within: 'T12', changes: { title: 'Nobody' } },
        { input: part('Of nothing', 'T99999') },
      ]),
    );
    expect(rejected).toEqual([undefined, 'Not found.', 'Not found.', 'Not found.']);
  });

  it('remove an item only from its own countermeasure', async () => {
    const [id = ''] = await domain.run((em, actor) => create(em, actor, [part('To go')]));
    expect(await domain.rejection((em, actor) => remove(em, actor, 'T13', id))).toBe('Not found.');
    expect(await domain.rejection((em, actor) => remove(em, actor, 'T99999', id))).toBe('Not found.');
    await domain.run((em, actor) => remove(em, actor, 'T12', id));
    expect(await domain.rejection((em, actor) => remove(em, actor, 'T12', id))).toBe('Not found.');
  });

  it('do not find items of another organization', async () => {
    const [id = ''] = await domain.run((em, actor) => create(em, actor, [part('Theirs')]));
    const other = await domain.newOrganization();
    const rejected = await domain.rejection(
      (em, actor) => write(em, actor, [{ id, changes: { title: 'Ours' } }, { input: part('New') }]),
      other,
    );
    expect(rejected).toEqual(['Not found.', undefined]);
    expect(await domain.rejection((em, actor) => remove(em, actor, 'T12', id), other)).toBe('Not found.');
  });

  it('report invalid match conditions of every row, and write nothing if one is rejected', async () => {
    const rejected = await domain.rejection((em, actor) =>
      create(em, actor, [
        { ...part('Wrong'), match_conditions: [{ required: ['A99999'] }] },
        part('Sound'),
        { ...part('Contradicts'), match_conditions: [{ required: ['A1'], excluded: ['A1'] }] },
      ]),
    );
    expect(rejected).toEqual([
      { match_conditions: [{ required: ['"A99999" does not exist.'] }] },
      undefined,
      { match_conditions: [{ non_field_errors: ['"A1" is both required and excluded.'] }] },
    ]);
  });
});

describe('The order of additional requirements', () => {
  it('must contain each of them and the text of their countermeasure exactly once', async () => {
    const ids = await domain.run((em, actor) =>
      createAdditionalRequirements(em, actor, [part('A', 'T14'), part('B', 'T14')]),
    );
    const [a = '', b = ''] = ids;
    const [foreign = ''] = await domain.run((em, actor) => createAdditionalRequirements(em, actor, [part('C', 'T15')]));
    const rejected = await domain.rejection((em, actor) =>
      orderAdditionalRequirements(em, actor, 'T14', [a, a, foreign, 'CTA99999']),
    );
    const { order } = rejected as { order: string[] };
    expect(order).toEqual(
      expect.arrayContaining([
        `"${foreign}" does not exist.`,
        '"CTA99999" does not exist.',
        `"${a}" is listed twice.`,
        `"${b}" is missing.`,
        '"SP" is missing.',
      ]),
    );
    expect(await domain.rejection((em, actor) => orderAdditionalRequirements(em, actor, 'T99999', ['SP']))).toBe(
      'Not found.',
    );
  });
});
