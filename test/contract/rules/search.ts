import type { Json } from '../../support/client.js';
import type { Row } from '../filters.js';
import type { ResourceUnderTest } from '../resource-under-test.js';
import type { Resource } from '../table.js';

export function describeSearch(underTest: ResourceUnderTest, search: NonNullable<Resource['search']>): void {
  const { keysOf, listKeys } = underTest;
  const { key } = underTest.resource;
  describe('The parameter search', () => {
    const matchingKeys = (term: string): Json[] => {
      const words = term
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '');
      const matches = (row: Row): boolean => {
        const values = search(row).map((value) => value.toLowerCase());
        return words.every((word) => values.some((value) => value.includes(word)));
      };
      return keysOf(underTest.rows.filter(matches));
    };

    it('finds items with every word somewhere in the searched fields, ignoring case', async () => {
      const terms = new Set<string>();
      for (const row of [
        underTest.rows[0],
        underTest.rows[Math.floor(underTest.rows.length / 2)],
        ...underTest.rows.slice(-12),
      ])
        for (const whole of search(row as Row)) {
          // The number of words in a search is limited.
          const value = whole
            .split(/(?<=\s)/)
            .slice(0, 20)
            .join('');
          terms.add(value);
          terms.add(value.toUpperCase());
          terms.add(value.slice(1, -1));
          terms.add(value.split(/\s+/).toReversed().join('  '));
        }
      for (const term of terms) expect([term, await listKeys({ search: term })]).toEqual([term, matchingKeys(term)]);
    });

    it('finds items whose words are in different fields', async () => {
      for (const row of underTest.rows.slice(-5)) {
        const words = search(row)
          .flatMap((value) => value.split(/\s+/)[0] ?? [])
          .join(' ');
        const result = await listKeys({ search: words });
        expect(result).toEqual(matchingKeys(words));
        expect(result).toContain(row[key.field]);
      }
    });

    it.each([
      '%',
      '_',
      '\\',
      '%%',
      '\\%',
      "'",
      '"',
      '(',
      '.*',
      '[a-z]',
      'ö',
      'é',
      '\n',
      ';--',
      'no such words anywhere',
      '%20',
    ])('treats %j as plain characters', async (term) => {
      expect(await listKeys({ search: term })).toEqual(matchingKeys(term));
    });

    it('returns everything for a search of only blanks', async () => {
      expect(await listKeys({ search: '   ' })).toEqual(keysOf(underTest.rows));
    });
  });
}
