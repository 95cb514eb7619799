import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeCountermeasure } from '#test/support/factories.js';
import type { List } from '#test/support/resources.js';

interface Regulation {
  id: string;
  sections_count: number;
}

interface Section {
  id: string;
  ordinal: number;
  countermeasures: string[];
  mappings?: { countermeasure: string; strength: string; why: string }[];
}

const test = useTestApi();
const sectionsOf = (id: string): Promise<Section[]> =>
  rowsOf(test.api.get<List<Section>>(`/library/regulations/${id}/sections/`));

describe('Regulations', () => {
  it('have ordered sections, some of which refer to countermeasures', async () => {
    const regulations = await rowsOf(test.api.get<List<Regulation>>('/library/regulations/'));
    expect(regulations.length).toBeGreaterThanOrEqual(8);
    for (const { id, sections_count: count } of regulations) {
      const sections = await sectionsOf(id);
      expect(sections.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
      expect(sections.some(({ countermeasures }) => countermeasures.length > 0)).toBe(true);
    }
  });

  it('return how far each countermeasure covers a section, and why, with include=mappings', async () => {
    const where = '/library/regulations/REG4/sections/RS41/';
    expect(await bodyOf(test.api.get<Section>(where))).not.toHaveProperty('mappings');
    const { mappings } = await bodyOf(test.api.get<Section>(`${where}?include=mappings`));
    expect(mappings).toEqual([
      { countermeasure: 'T17', strength: 'supports', why: expect.stringMatching(/\.$/) },
      { countermeasure: 'T88', strength: 'full', why: expect.stringMatching(/\.$/) },
    ]);
  });

  it('filter countermeasures to those that their sections refer to', async () => {
    const listedIds = new Set((await sectionsOf('REG7')).flatMap(({ countermeasures }) => countermeasures));
    const filtered = await rowsOf(test.api.get<List<{ id: string }>>('/library/tasks/', { regulation: 'REG7' }));
    expect(new Set(filtered.map(({ id }) => id))).toEqual(listedIds);
  });

  it('list only those countermeasures of a section that the organization can see', async () => {
    const other = await test.newOrganization();
    const [mine, theirs] = [await makeCountermeasure(test.api), await makeCountermeasure(other.api)];
    await test.database.query(
      `INSERT INTO regulation_section_countermeasure (section_id, countermeasure_id)
       SELECT s.id, c.id FROM regulation_section s, countermeasure c
       WHERE s.item_id = 'RS10' AND (c.organization_id, c.item_id) IN (($1, $2), ($3, $4))`,
      [test.organization.id, mine.id, other.id, theirs.id],
    );
    const seenBy = async (api: typeof test.api): Promise<string[]> =>
      (await bodyOf(api.get<Section>('/library/regulations/REG1/sections/RS10/'))).countermeasures;
    expect(await seenBy(test.api)).toEqual(['T45', 'T46', 'T146', mine.id]);
    expect(await seenBy(other.api)).toEqual(['T45', 'T46', 'T146', theirs.id]);
  });
});
