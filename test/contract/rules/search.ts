import type { Json } from '../../support/client.js';
import type { Row } from '../filters.js';
import type { ResourceUnderTest } from '../resource-under-test.js';
import type { Resource } from '../table.js';

type Searched = NonNullable<Resource['search']>;

/** The items with every word of a term somewhere in the searched texts. */
function matchingKeys({ keysOf, rows }: ResourceUnderTest, search: Searched, term: string): Json[] {
  const words = term
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const matches = (row: Row): boolean => {
    const values = search(row).map((value) => value.toLowerCase());
    return words.every((word) => values.some((value) => value.includes(word)));
  };
  return keysOf(rows.filter(matches));
}

/** The beginning of a text: the number of words in a search is limited. */
const firstWords = (text: string): string =>
  text
    .split(/(?<=\s)/)
    .slice(0, 20)
    .join('');

export function describeSearchedTexts(underTest: ResourceUnderTest, search: Searched): void {
  it('The parameter search finds items by each of their searched texts', async () => {
    const { rows } = underTest;
    const terms = new Set([rows[0], ...rows.slice(-3)].flatMap((row) => search(row as Row).map(firstWords)));
    for (const term of terms)
      expect([term, await underTest.listKeys({ search: term })]).toEqual([term, matchingKeys(underTest, search, term)]);
  });
}

export function describeSearch(underTest: ResourceUnderTest, search: Searched): void {
  const { keysOf, listKeys } = underTest;
  const { key } = underTest.resource;
  describe('The parameter search', () => {
    const matching = (term: string): Json[] => matchingKeys(underTest, search, term);

    it('finds items with every word somewhere in the searched fields, ignoring case', async () => {
      const terms = new Set<string>();
      for (const row of [
        underTest.rows[0],
        underTest.rows[Math.floor(underTest.rows.length / 2)],
        ...underTest.rows.slice(-12),
      ])
        for (const whole of search(row as Row)) {
          const value = firstWords(whole);
          terms.add(value);
          terms.add(value.toUpperCase());
          terms.add(value.slice(1, -1));
          terms.add(value.split(/\s+/).toReversed().join('  '));
        }
      for (const term of terms) expect([term, await listKeys({ search: term })]).toEqual([term, matching(term)]);
    });

    it('finds items whose words are in different fields', async () => {
      for (const row of underTest.rows.slice(-5)) {
        const words = search(row)
          .flatMap((value) => value.split(/\s+/)[0] ?? [])
          .join(' ');
        const result = await listKeys({ search: words });
        expect(result).toEqual(matching(words));
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
      expect(await listKeys({ search: term })).toEqual(matching(term));
    });

    it('returns everything for a search of only blanks', async () => {
      expect(await listKeys({ search: '   ' })).toEqual(keysOf(underTest.rows));
    });
  });
}
