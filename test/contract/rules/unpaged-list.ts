import { bodyOf } from '../../support/client.js';
import type { Page } from '../../support/resources.js';
import type { Row } from '../filters.js';
import type { ResourceUnderTest } from '../resource-under-test.js';

export function describeUnpagedList(underTest: ResourceUnderTest): void {
  const { test, resource, keysOf, list, listKeys, mismatches } = underTest;
  const { path, key, fields } = resource;
  describe(resource.paged ? 'A list without paging parameters' : 'An unpaged list', () => {
    if (resource.paged)
      it(`is a page of ${resource.paged.defaultSize} items by default`, async () => {
        const page = await bodyOf(test.api.get<Page<Row>>(path));
        expect(Object.keys(page)).toEqual([...(resource.extraFields ?? []), 'count', 'next', 'previous', 'results']);
        expect(keysOf(page.results)).toEqual(keysOf(underTest.rows.slice(0, resource.paged?.defaultSize)));
      });
    else
      it('has results but no count or links', async () => {
        expect(Object.keys(await bodyOf(test.api.get<object>(path)))).toEqual([
          ...(resource.extraFields ?? []),
          'results',
        ]);
      });

    it('has rows with exactly the specified fields', async () => {
      expect(mismatches(await list(), fields)).toEqual([]);
    });

    it('shows each item once, with a well-formed key', async () => {
      const keys = await listKeys();
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.filter((value) => !key.shape.test(String(value)))).toEqual([]);
    });
  });
}
