import { bodyOf, type ErrorBody, type Json } from '../../support/client.js';
import type { Page } from '../../support/resources.js';
import type { FilterCase, FilterContract, Row } from '../filters.js';
import type { Query, ResourceUnderTest } from '../resource-under-test.js';

export function describeFilter(underTest: ResourceUnderTest, name: string, filter: FilterContract): void {
  const { test, keysOf, listKeys } = underTest;
  const { path } = underTest.resource;
  describe(`The filter ${name}`, () => {
    it.each(filter.suffixes.map((suffix) => [name + suffix]))(
      '%s returns exactly the matching items of the unpaged list',
      async (parameter) => {
        const cases = filter.cases(name, underTest.rows).filter((one) => one.parameter === parameter);
        expect(cases.length).toBeGreaterThan(0);
        const results: [FilterCase['value'], Json[]][] = [];
        const expected: [FilterCase['value'], Json[]][] = [];
        for (const { value, matches } of cases) {
          results.push([value, await listKeys({ [parameter]: value })]);
          expected.push([value, keysOf(underTest.rows.filter(matches))]);
        }
        expect(results).toEqual(expected);
      },
    );

    it.each(Object.entries(filter.invalid).map(([suffix, values]) => [name + suffix, values] as const))(
      'rejects %s with any of %j, and reports that parameter',
      async (parameter, values) => {
        for (const value of values) {
          const { status, body } = await test.api.get<ErrorBody>(path, { [parameter]: value });
          expect([value, status, body]).toEqual([value, 400, { [parameter]: [expect.any(String)] }]);
        }
      },
    );

    it(filter.repeatable ? 'can be given twice' : 'is rejected with 400 if given twice', async () => {
      const { status, body } = await test.api.get<ErrorBody>(path, { [name]: [filter.valid, filter.valid] });
      expect(status).toBe(filter.repeatable ? 200 : 400);
      if (!filter.repeatable) expect(body).toEqual({ [name]: [expect.any(String)] });
    });
  });
}

export function describeEmptyFilters(underTest: ResourceUnderTest, names: readonly string[]): void {
  const { test, keysOf, listKeys } = underTest;
  const { path } = underTest.resource;
  it.each(names)(
    'The filter %s is ignored without a value, and rejected with 400 if it contains a null character',
    async (name) => {
      expect(await listKeys({ [name]: '' })).toEqual(keysOf(underTest.rows));
      expect(Object.keys(await bodyOf(test.api.get<ErrorBody>(path, { [name]: 'a\0' }), 400))).toEqual([name]);
    },
  );
}

/** Combinations of filters with each other and with other parameters. */
export function describeFilters(underTest: ResourceUnderTest): void {
  const { test, keysOf, listKeys } = underTest;
  const { path, filters } = underTest.resource;
  it('combines filters with AND, also in pages, and reports up to ten invalid parameters together', async () => {
    const cases = Object.entries(filters).flatMap(([name, filter]) =>
      filter
        .cases(name, underTest.rows)
        .filter(({ parameter, matches }) => parameter === name && underTest.rows.some(matches)),
    );
    const [one, two] = [cases[0], cases.findLast(({ parameter }) => parameter !== cases[0]?.parameter)];
    if (one && two) {
      const both = underTest.rows.filter((row) => one.matches(row) && two.matches(row));
      const query = { [one.parameter]: one.value, [two.parameter]: two.value };
      expect(await listKeys(query)).toEqual(keysOf(both));
      const page = await bodyOf(test.api.get<Page<Row>>(path, { ...query, page_size: 1 }));
      expect(page.count).toBe(both.length);
    }
    const wrong = Object.entries(filters).flatMap(([name, { invalid }]) =>
      Object.entries(invalid).map(([suffix, values]) => [name + suffix, values[0] ?? '']),
    );
    const errors = await bodyOf(
      test.api.get<ErrorBody>(path, { ...(Object.fromEntries(wrong) as Query), ordering: 'bogus', page_size: 'x' }),
      400,
    );
    const names = [...wrong.map(([name]) => name), 'ordering', 'page_size'];
    const { non_field_errors: others, ...fieldErrors } = errors;
    expect(names).toEqual(expect.arrayContaining(Object.keys(fieldErrors)));
    // An error body lists at most ten errors, and the number of the others.
    expect(Object.keys(fieldErrors)).toHaveLength(Math.min(names.length, 10));
    expect(others).toEqual(names.length > 10 ? [`… and ${names.length - 10} more.`] : undefined);
  });
}

export function describeSwitches(underTest: ResourceUnderTest, switches: readonly string[]): void {
  const { test } = underTest;
  const { path } = underTest.resource;
  it.each(switches)('The switch %s accepts booleans and rejects other values', async (name) => {
    for (const value of ['true', 'True', '1', 'false', 'False', '0', ''])
      await bodyOf(test.api.get(path, { [name]: value, page_size: 1 }));
    for (const value of ['maybe', '2'])
      expect(await bodyOf(test.api.get(path, { [name]: value }), 400)).toEqual({ [name]: [expect.any(String)] });
  });
}
