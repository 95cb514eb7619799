import { bodyOf, type Json } from '../../support/client.js';
import type { Page } from '../../support/resources.js';
import type { Row } from '../filters.js';
import type { ResourceUnderTest } from '../resource-under-test.js';
import type { Resource } from '../table.js';

export function describePaging(underTest: ResourceUnderTest): void {
  describe('Paging', () => {
    tryEveryPage(underTest);
    tryLinks(underTest);
    trySizes(underTest);
    tryWrongPages(underTest);
  });
}

/** The sizes of pages; a list that is not always paged has the same sizes everywhere. */
const pageSizesOf = ({ paged }: Resource): NonNullable<Resource['paged']> =>
  paged ?? { defaultSize: 100, maximumSize: 10_000 };

function tryEveryPage(underTest: ResourceUnderTest): void {
  const { test, resource, keysOf } = underTest;
  const { path } = resource;
  it('returns count, next, previous and results in that order, and links through all items', async () => {
    const size = Math.max(2, Math.ceil(underTest.rows.length / 7));
    const seenKeys: Json[] = [];
    let url: string | null = `${path}?page_size=${size}`;
    let before: string | null = null;
    for (let number = 1; url !== null; number += 1) {
      const page: Page<Row> = await bodyOf(test.api.get<Page<Row>>(url));
      expect(Object.keys(page)).toEqual([...(resource.extraFields ?? []), 'count', 'next', 'previous', 'results']);
      expect(page.count).toBe(underTest.rows.length);
      expect(page.previous === null).toBe(number === 1);
      if (before !== null)
        expect((await bodyOf(test.api.get<Page<Row>>(page.previous ?? ''))).results).toEqual(
          (await bodyOf(test.api.get<Page<Row>>(before))).results,
        );
      if (page.next !== null) expect(page.results).toHaveLength(size);
      seenKeys.push(...keysOf(page.results));
      before = url;
      url = page.next;
    }
    expect(seenKeys).toEqual(keysOf(underTest.rows));
  });
}

function tryLinks(underTest: ResourceUnderTest): void {
  const { test, resource } = underTest;
  const { path } = resource;
  it('returns absolute links that keep every other parameter', async () => {
    const query = {
      page_size: 1,
      page: 2,
      ordering: resource.defaultOrdering,
      unknown: ['a b', 'c&d'],
      exclude: 'nothing',
    };
    const page = await bodyOf(test.api.get<Page<Row>>(path, query));
    for (const [link, number] of [
      [page.next, 3],
      [page.previous, 1],
    ] as const) {
      const url = new URL(link ?? '');
      expect(url.origin + url.pathname).toBe(`${test.origin}/api/v2${path}`);
      expect(url.searchParams.getAll('unknown')).toEqual(['a b', 'c&d']);
      expect(url.searchParams.get('page_size')).toBe('1');
      expect(url.searchParams.get('ordering')).toBe(resource.defaultOrdering);
      expect(url.searchParams.get('page') ?? '1').toBe(String(number));
    }
  });
}

function trySizes(underTest: ResourceUnderTest): void {
  const { test, resource, keysOf } = underTest;
  const { path } = resource;
  const { defaultSize, maximumSize } = pageSizesOf(resource);

  it(`is enabled by page without page_size, with ${defaultSize} rows per page`, async () => {
    const page = await bodyOf(test.api.get<Page<Row>>(path, { page: 1 }));
    expect(keysOf(page.results)).toEqual(keysOf(underTest.rows.slice(0, defaultSize)));
    expect(page.next === null).toBe(underTest.rows.length <= defaultSize);
  });

  it('accepts a page_size above the maximum', async () => {
    for (const size of [String(maximumSize + 1), '9'.repeat(30)]) {
      const { results } = await bodyOf(test.api.get<Page<Row>>(path, { page_size: size }));
      expect(results).toHaveLength(Math.min(underTest.rows.length, maximumSize));
    }
  });
}

/** Tests a list with more rows than the largest page. */
export function describeMaximumSize(underTest: ResourceUnderTest, fill: NonNullable<Resource['fill']>): void {
  const { test, resource, keysOf } = underTest;
  const { path } = resource;
  const { maximumSize } = pageSizesOf(resource);
  it(`limits a page_size above the maximum to ${maximumSize} rows`, async () => {
    await fill(test, test.organization, maximumSize + 1);
    const pageOf = (size: string | number, page: number): Promise<Page<Row>> =>
      bodyOf(test.api.get<Page<Row>>(path, { page_size: size, page }));
    const largest = await pageOf(maximumSize, 1);
    expect(largest.count).toBeGreaterThan(maximumSize);
    for (const size of [maximumSize + 1, '9'.repeat(30)]) {
      const first = await pageOf(size, 1);
      expect(keysOf(first.results)).toEqual(keysOf(largest.results));
      expect(first.results).toHaveLength(maximumSize);
      expect((await pageOf(size, 2)).results).toHaveLength(Math.min(largest.count - maximumSize, maximumSize));
    }
  }, 120_000);
}

function tryWrongPages(underTest: ResourceUnderTest): void {
  const { test, resource } = underTest;
  const { path, search } = resource;
  const extraFields = Object.fromEntries(
    (resource.extraFields ?? []).map((name) => [name, expect.anything() as unknown]),
  );
  it.each(['0', '-1', 'x', '1.5', '99999', '9'.repeat(30), 'last', '1e1', ' '])(
    'returns 404 for page "%s"',
    async (page) => {
      for (const query of [{ page }, { page, page_size: 2 }])
        expect(await bodyOf(test.api.get(path, query), 404)).toEqual({ detail: 'Invalid page.' });
    },
  );

  it('returns 404 for the page after the last one, and an empty first page if nothing matches', async () => {
    expect(await bodyOf(test.api.get(path, { page_size: underTest.rows.length, page: 2 }), 404)).toEqual({
      detail: 'Invalid page.',
    });
    if (search) {
      const nothing = await bodyOf(test.api.get(path, { page: 1, search: 'no such words anywhere' }));
      expect(nothing).toEqual({ ...extraFields, count: 0, next: null, previous: null, results: [] });
    }
  });

  it.each(['0', '-1', 'x', '1.5', '1e1', '0x10', ' '])('rejects page_size "%s" with 400', async (size) => {
    expect(await bodyOf(test.api.get(path, { page_size: size }), 400)).toEqual({ page_size: [expect.any(String)] });
  });
}
