import { bodyOf } from '../../support/client.js';
import type { FilterContract, Row } from '../filters.js';
import { NOT_FOUND, type Query, type ResourceUnderTest } from '../resource-under-test.js';

export function describeItem(underTest: ResourceUnderTest): void {
  const { test, resource, at, list, parametersOf, queryParametersOf, everyInclude, everyExpand } = underTest;
  const { path, key, filters } = resource;
  describe('A single item', () => {
    it('equals its row in the list, with and without include and expand', async () => {
      const shapes: Query[] = [
        {},
        { include: everyInclude },
        { expand: everyExpand },
        { include: everyInclude, expand: everyExpand },
      ];
      for (const query of shapes) {
        const all = await list(query);
        for (const row of [all[0], all[Math.floor(all.length / 2)], all.at(-1)])
          expect(await bodyOf(test.api.get(at(row as Row), query))).toEqual(row);
      }
    });

    it('returns the same 404 for an id that does not exist and for a malformed id', async () => {
      for (const id of [
        key.absent,
        'nonsense',
        '0',
        '-1',
        'null',
        '%00',
        `${key.absent}x`,
        '9'.repeat(60),
        `${key.absent.replace(/\d+/, '')}0`,
      ])
        expect(await bodyOf(test.api.get(`${path}${id}/`), 404)).toEqual(NOT_FOUND);
    });

    const { itemFilters = [] } = resource;
    for (const [name, filter] of Object.entries(filters))
      if (itemFilters.includes(name)) tryItemFilter(underTest, name, filter);

    it('documents no other filter for GET, and none for PATCH', () => {
      const known = new Set(parametersOf(Object.keys(filters)));
      const taken = (method: string): string[] =>
        queryParametersOf(method, `${path}${key.absent}/`)
          .map(({ name }) => name)
          .filter((name) => known.has(name));
      expect(taken('GET').sort()).toEqual(parametersOf(itemFilters).sort());
      expect(taken('PATCH')).toEqual([]);
    });
  });
}

function tryItemFilter(underTest: ResourceUnderTest, name: string, filter: FilterContract): void {
  const { test, at } = underTest;
  it(`supports the filter ${name}, and returns 404 if the item does not match it`, async () => {
    for (const { parameter, value, matches } of filter.cases(name, underTest.rows))
      for (const row of [underTest.rows.find(matches), underTest.rows.find((one) => !matches(one))]) {
        if (!row) continue;
        const { status } = await test.api.strict.get(at(row), { [parameter]: value });
        expect([parameter, value, status]).toEqual([parameter, value, matches(row) ? 200 : 404]);
      }
  });

  it.each(Object.entries(filter.invalid).map(([suffix, values]) => [name + suffix, values] as const))(
    'rejects %s with any of %j, and reports that parameter',
    async (parameter, values) => {
      for (const value of values)
        expect(await bodyOf(test.api.get(at(underTest.first), { [parameter]: value }), 400)).toEqual({
          [parameter]: [expect.any(String)],
        });
    },
  );
}
