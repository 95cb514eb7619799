import { useDomain } from '#test/support/domain.js';
import { newItems } from '../../kernel/items/item-write.js';
import { writeRegulations, writeRegulationSections } from './regulation.commands.js';

const domain = useDomain();

const missing = (id: string): string => `"${id}" does not exist.`;

const sectionsOf = (id: string) =>
  domain.database.query<{ code: string; title: string; ordinal: number }>(
    `SELECT s.code, s.title, s.ordinal FROM regulation_section s JOIN regulation r ON r.id = s.regulation_id
     WHERE r.organization_id = $1 AND r.item_id = $2 ORDER BY s.ordinal, s.number`,
    [domain.actor.organizationId, id],
  );

describe('Batch commands for regulations and their sections', () => {
  it('report every reference that does not exist, by row and field', async () => {
    const [regulation = ''] = await domain.run((em, actor) =>
      writeRegulations(em, actor, newItems([{ name: 'Own', version: '1' }])),
    );
    const rejected = await domain.rejection((em, actor) =>
      writeRegulationSections(em, actor, [
        { input: { regulation, title: 'Sound', countermeasures: ['T1', 'T2'] } },
        { input: { regulation: 'CREG99999', title: 'Of nothing', countermeasures: ['T99999', 'T1', 'CT99999'] } },
        { id: 'CRS99999', changes: { title: 'Nobody' } },
      ]),
    );
    expect(rejected).toEqual([
      undefined,
      { regulation: [missing('CREG99999')], countermeasures: [missing('T99999'), missing('CT99999')] },
      'Not found.',
    ]);
  });

  it('append new sections to those of the same regulation, in row order', async () => {
    const [one = '', two = ''] = await domain.run((em, actor) =>
      writeRegulations(em, actor, newItems([{ name: 'One' }, { name: 'Two' }])),
    );
    await domain.run((em, actor) =>
      writeRegulationSections(
        em,
        actor,
        newItems([
          { regulation: one, title: 'a' },
          { regulation: two, title: 'b' },
          { regulation: one, title: 'c' },
        ]),
      ),
    );
    expect((await sectionsOf(one)).map(({ title, ordinal }) => [title, ordinal])).toEqual([
      ['a', 1],
      ['c', 2],
    ]);
    expect((await sectionsOf(two)).map(({ title, ordinal }) => [title, ordinal])).toEqual([['b', 1]]);
  });

  it('do not change built-in regulations or those of another organization', async () => {
    const [id = ''] = await domain.run((em, actor) => writeRegulations(em, actor, newItems([{ name: 'Theirs' }])));
    const other = await domain.newOrganization();
    const rejected = await domain.rejection(
      (em, actor) =>
        writeRegulations(em, actor, [
          { id, changes: { name: 'Ours' } },
          { id: 'REG1', changes: { name: 'Built in' } },
          { input: { name: 'New' } },
        ]),
      other,
    );
    expect(rejected).toEqual(['Not found.', "Forbidden: Built-in content of this kind can't be changed.", undefined]);
    const below = domain.rejection(
      (em, actor) => writeRegulationSections(em, actor, [{ input: { regulation: id, title: 'Below' } }]),
      other,
    );
    expect(await below).toEqual([{ regulation: [missing(id)] }]);
  });
});
