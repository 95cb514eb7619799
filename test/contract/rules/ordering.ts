import { bodyOf, type Json } from '../../support/client.js';
import type { Row } from '../filters.js';
import type { ResourceUnderTest } from '../resource-under-test.js';
import type { SortKey } from '../table.js';

/** Compares keys: nulls are last, and false is before true. */
function compareKeys(a: readonly SortKey[], b: readonly SortKey[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null;
    if (left === right) continue;
    if (left === null) return 1;
    if (right === null) return -1;
    return left < right ? -1 : 1;
  }
  return 0;
}

/** Compares the list in an ordering with the keys of its rows; returns the keys of the items. */
async function sortedKeys(
  { resource, rows, keysOf, listKeys }: ResourceUnderTest,
  name: string,
  direction: 1 | -1,
): Promise<Json[]> {
  const ordering = direction === 1 ? name : `-${name}`;
  const keysFor = resource.orderings[name];
  const sorted = await listKeys({ ordering });
  expect(new Set(sorted)).toEqual(new Set(keysOf(rows)));
  expect(sorted).toHaveLength(rows.length);
  const byKey = new Map(rows.map((row) => [row[resource.key.field], keysFor?.(row)]));
  for (const [index, value] of sorted.slice(1).entries()) {
    const before = byKey.get(sorted[index] ?? null) ?? [];
    if (compareKeys(before, byKey.get(value) ?? []) * direction > 0)
      throw new Error(
        `${String(sorted[index])} comes before ${String(value)} in ${ordering}: ` +
          JSON.stringify([before, byKey.get(value)].map(String)),
      );
  }
  return sorted;
}

export function describeOrderings(underTest: ResourceUnderTest): void {
  it.each(Object.keys(underTest.resource.orderings))('The ordering %s sorts the unpaged list', async (name) => {
    await sortedKeys(underTest, name, 1);
  });
}

export function describeOrderingDirections(underTest: ResourceUnderTest): void {
  const { listKeys } = underTest;
  describe.each(Object.keys(underTest.resource.orderings))('The ordering %s', (name) => {
    it.each([
      [name, 1],
      [`-${name}`, -1],
    ] as const)('%s sorts the unpaged list, and the pages in the same order', async (ordering, direction) => {
      const sorted = await sortedKeys(underTest, name, direction);
      const size = Math.max(3, Math.ceil(underTest.rows.length / 12));
      const pages = Array.from({ length: Math.ceil(underTest.rows.length / size) }, (_, index) =>
        listKeys({ ordering, page_size: size, page: index + 1 }),
      );
      expect((await Promise.all(pages)).flat()).toEqual(sorted);
    });
  });
}

export function describeOrderingParameter(underTest: ResourceUnderTest): void {
  const { resource, listKeys } = underTest;
  const { key, orderings } = resource;
  describe('The parameter ordering', () => {
    it(`defaults to ${resource.defaultOrdering}`, async () => {
      expect(await listKeys()).toEqual(await listKeys({ ordering: resource.defaultOrdering }));
    });

    it('accepts several terms, and sorts by the first one first', async () => {
      const names = Object.keys(orderings);
      const [first = '', second = names[0] ?? ''] = [names.at(-1), names[0]];
      const firstKeys = orderings[first];
      const secondKeys = orderings[second];
      const byKey = new Map(underTest.rows.map((row) => [row[key.field], row]));
      const sorted = (await listKeys({ ordering: `-${first},${second}` })).map((value) => byKey.get(value) as Row);
      const misplaced = sorted.slice(1).filter((row, index) => {
        const before = sorted[index] as Row;
        const order = compareKeys(firstKeys?.(before) ?? [], firstKeys?.(row) ?? []);
        return order < 0 || (order === 0 && compareKeys(secondKeys?.(before) ?? [], secondKeys?.(row) ?? []) > 0);
      });
      expect(misplaced).toEqual([]);
    });
  });
}

export function describeWrongOrderings({ test, resource: { path, orderings } }: ResourceUnderTest): void {
  it.each(['bogus', '-bogus', '--id', 'Id', 'id;', '1', 'id desc', '__proto__', 'constructor'])(
    'The ordering %s is rejected with 400, and the message lists the allowed values',
    async (ordering) => {
      const errors = await bodyOf(test.api.get<{ ordering: string[] }>(path, { ordering }), 400);
      expect(Object.keys(errors)).toEqual(['ordering']);
      for (const name of Object.keys(orderings)) expect(errors.ordering[0]).toContain(name);
    },
  );
}
