import { bodyOf, type Json } from '../../support/client.js';
import type { Row } from '../filters.js';
import type { ResourceUnderTest } from '../resource-under-test.js';

/** Fields that contain the last change of an item. */
const MAINTAINED = ['last_updated_by', 'last_updated_date', 'updated', 'updated_at', 'updater'];

const unmaintained = (row: Row): Record<string, Json> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !MAINTAINED.includes(name)));

/** Some rows of a list that can be changed: some built-in ones cannot. */
async function changeable({ test, rows, at, resource }: ResourceUnderTest): Promise<Row[]> {
  const results: Row[] = [];
  for (const row of [rows[0], rows[Math.floor(rows.length / 2)], ...rows.slice(-3)] as Row[])
    if (resource.patchDemands !== undefined || (await test.api.patch(at(row), {})).status === 200) results.push(row);
  return results;
}

export function describeSendingBack(underTest: ResourceUnderTest): void {
  const { test, at, everyInclude, everyExpand } = underTest;
  describe('The response to a GET without parameters', () => {
    it.each(['leniently', 'strictly'] as const)(
      'can be sent back with PATCH, and changes nothing (handled %s)',
      async (how) => {
        const api = how === 'strictly' ? test.api.strict : test.api;
        const rows = await changeable(underTest);
        expect(rows).not.toEqual([]);
        for (const row of rows) {
          const before = await bodyOf(api.get<Row>(at(row)));
          await bodyOf(api.patch(at(row), before));
          expect(unmaintained(await bodyOf(api.get<Row>(at(row))))).toEqual(unmaintained(before));
        }
      },
    );
  });

  it.each(['leniently', 'strictly'] as const)(
    'accepts objects instead of ids, as GET shows them with include and expand (handled %s)',
    async (how) => {
      const api = how === 'strictly' ? test.api.strict : test.api;
      const query = { include: everyInclude, expand: everyExpand };
      for (const row of await changeable(underTest)) {
        const before = await bodyOf(api.get<Row>(at(row), query));
        await bodyOf(api.patch(at(row), before));
        // Sending the included parts of a built-in item makes it a customized item.
        const { type } = unmaintained(before);
        expect({ ...unmaintained(await bodyOf(api.get<Row>(at(row), query))), type }).toEqual({
          ...unmaintained(before),
          type,
        });
      }
    },
  );
}
