import { useDomain } from '#test/support/domain.js';
import { newItems } from '../../kernel/items/item-write.js';
import { carriedMappings } from './carried-mappings.js';
import { writeRegulations, writeRegulationSections } from './regulation.commands.js';
import { type AddedMappings, compareEdition, saveEdition } from './regulation-edition.commands.js';

const domain = useDomain();

type Titles = Readonly<Record<string, string>>;

const editionOf = (version: string, titles: Titles, levels: Readonly<Record<string, number>> = {}) => ({
  name: 'Boxes',
  version,
  url: '',
  sections: Object.entries(titles).map(([code, title]) => ({ code, title, level: levels[code] ?? null })),
});

const save = (edition: ReturnType<typeof editionOf>, added?: AddedMappings) =>
  domain.run(async (em, actor) => {
    const difference = await compareEdition(em, actor, edition, added);
    const id = await saveEdition(em, actor, edition, difference);
    return { id, sections: difference.sections.map(({ action, code }) => `${action} ${code}`) };
  });

/** The sections of a custom regulation: code, title, level, and whether it is active. */
const sectionsOf = async (id: string) => {
  const rows = await domain.database.query<{ code: string; title: string; level: number | null; active: boolean }>(
    `SELECT s.code, s.title, s.level, s.active FROM regulation_section s JOIN regulation r ON r.id = s.regulation_id
     WHERE r.organization_id = $1 AND r.item_id = $2 ORDER BY s.number`,
    [domain.actor.organizationId, id],
  );
  return rows.map(({ code, title, level, active }) => [code, title, level, active]);
};

const mapSection = (regulation: string, code: string, countermeasure: string, strength = 'full') =>
  domain.database.query(
    `INSERT INTO regulation_section_countermeasure (section_id, countermeasure_id, strength)
     SELECT s.id, c.id, $4 FROM regulation_section s JOIN regulation r ON r.id = s.regulation_id, countermeasure c
     WHERE r.organization_id = $5 AND r.item_id = $1 AND s.code = $2 AND c.item_id = $3`,
    [regulation, code, countermeasure, strength, domain.actor.organizationId],
  );

const carried = (from: string, titles: Titles, pairs?: Parameters<typeof carriedMappings>[4]) =>
  domain.run(async (em, actor) => {
    const { sections } = editionOf('new', titles);
    const { countermeasures, ...others } = await carriedMappings(em, actor, from, sections, pairs);
    return { ...others, countermeasures: Object.fromEntries(countermeasures) };
  });

describe('An edition of a regulation', () => {
  it('is identified by name and version, so another edition changes nothing in it', async () => {
    const first = await save(editionOf('4', { A: 'Lids close', B: 'Walls are dry' }));
    const second = await save(editionOf('5', { A: 'Labels are readable' }));
    expect(second.id).not.toBe(first.id);
    expect(second.sections).toEqual(['created A']);
    expect(await sectionsOf(first.id)).toEqual([
      ['A', 'Lids close', null, true],
      ['B', 'Walls are dry', null, true],
    ]);
    expect((await save(editionOf('4', { A: 'Lids close', B: 'Walls are dry' }))).sections).toEqual([]);
  });

  it('deactivates the sections that it no longer has, and activates those that return', async () => {
    const { id } = await save(editionOf('6', { A: 'Lids', B: 'Walls' }, { A: 1, B: 2 }));
    expect((await save(editionOf('6', { A: 'Lids', C: 'Handles' }, { A: 2 }))).sections).toEqual([
      'updated A',
      'created C',
      'deactivated B',
    ]);
    expect(await sectionsOf(id)).toEqual([
      ['A', 'Lids', 2, true],
      ['B', 'Walls', 2, false],
      ['C', 'Handles', null, true],
    ]);
    expect((await save(editionOf('6', { A: 'Lids', C: 'Handles' }, { A: 2 }))).sections).toEqual([]);
    expect((await save(editionOf('6', { A: 'Lids', C: 'Handles', B: 'Walls' }, { A: 2, B: 2 }))).sections).toEqual([
      'updated B',
    ]);
    const names = await domain.database.query<{ name: string }>(
      `SELECT name FROM activity WHERE name ~ 'ctivatedRegulationSection' ORDER BY id`,
    );
    expect(names.map(({ name }) => name)).toEqual([
      'DeactivatedRegulationSectionActivity',
      'ActivatedRegulationSectionActivity',
    ]);
  });

  it('leaves sections without a code alone, which the organization added', async () => {
    const { id } = await save(editionOf('7', { A: 'Lids' }));
    await domain.run((em, actor) => writeRegulationSections(em, actor, newItems([{ regulation: id, title: 'Ours' }])));
    expect((await save(editionOf('7', { A: 'Lids' }))).sections).toEqual([]);
  });

  it('keeps mappings of its sections, and adds those that are carried over', async () => {
    const { id } = await save(editionOf('8', { A: 'Lids', B: 'Walls' }));
    await mapSection(id, 'A', 'T1');
    const added = new Map([
      ['A', ['T1', 'T2']],
      ['B', ['T3']],
    ]);
    expect((await save(editionOf('8', { A: 'Lids', B: 'Walls' }), added)).sections).toEqual(['updated A', 'updated B']);
    expect(await carried(id, { A: 'Lids', B: 'Walls' })).toMatchObject({
      countermeasures: { A: ['T1', 'T2'], B: ['T3'] },
    });
  });
});

describe('Mappings of another edition', () => {
  it('are carried over for sections with the same code and text only', async () => {
    const { id } = await save(editionOf('9', { A: 'Lids', B: 'Walls' }));
    await mapSection(id, 'A', 'T1');
    await mapSection(id, 'B', 'T2');
    expect(await carried(id, { A: 'Labels', B: 'Walls' })).toEqual({
      carried: 1,
      left: [{ section: 'A', countermeasure: 'T1', reason: 'No section of the new edition takes its place.' }],
      countermeasures: { B: ['T2'] },
    });
  });

  it('follow a table of sections, which can also split them', async () => {
    const { id } = await save(editionOf('10', { A: 'Lids', B: 'Walls' }));
    await mapSection(id, 'A', 'T1');
    await mapSection(id, 'B', 'T2');
    const pairs = [
      { from: 'A', to: 'X' },
      { from: 'A', to: 'Y' },
      { from: 'B', to: 'not in the new edition' },
    ];
    expect(await carried(id, { X: 'Lids close', Y: 'Lids open', B: 'Walls' }, pairs)).toMatchObject({
      carried: 1,
      left: [{ section: 'B', countermeasure: 'T2' }],
      countermeasures: { X: ['T1'], Y: ['T1'] },
    });
  });

  it('are left if they are not full, or if their section is inactive', async () => {
    const { id } = await save(editionOf('11', { A: 'Lids', B: 'Walls' }));
    await mapSection(id, 'A', 'T1', 'partial');
    await mapSection(id, 'B', 'T2');
    await save(editionOf('11', { A: 'Lids' }));
    expect(await carried(id, { A: 'Lids', B: 'Walls' })).toEqual({
      carried: 0,
      left: [{ section: 'A', countermeasure: 'T1', reason: 'The mapping is not full: partial.' }],
      countermeasures: {},
    });
  });

  it('require a regulation that the organization can see', async () => {
    const [id = ''] = await domain.run((em, actor) => writeRegulations(em, actor, newItems([{ name: 'Theirs' }])));
    const other = await domain.newOrganization();
    for (const unknown of ['CREG99999', 'REG0', "x'", id])
      expect(await domain.rejection((em, actor) => carriedMappings(em, actor, unknown, []), other)).toEqual({
        'mappings-from': [`"${unknown}" does not exist.`],
      });
  });
});
