import type { Row } from '../filters.js';
import type { ResourceUnderTest } from '../resource-under-test.js';

export function describeInclude(underTest: ResourceUnderTest): void {
  const { keysOf, list, mismatches, everyInclude } = underTest;
  const { fields, includes = {} } = underTest.resource;
  describe('The parameter include', () => {
    it.each(Object.entries(includes))('%s adds only its own fields', async (name, added) => {
      expect(mismatches(await list({ include: name }), { ...fields, ...added })).toEqual([]);
    });

    it('accepts several names, also repeated, and does not change the rows or their order', async () => {
      const query = { include: `${everyInclude},${everyInclude}` };
      const all = Object.assign({}, fields, ...Object.values(includes)) as typeof fields;
      const rows = await list(query);
      expect(keysOf(rows)).toEqual(keysOf(underTest.rows));
      expect(mismatches(rows, all)).toEqual([]);
    });
  });
}

export function describeExpand(underTest: ResourceUnderTest): void {
  const { keysOf, list, mismatches } = underTest;
  const { fields, expands = {} } = underTest.resource;
  describe('The parameter expand', () => {
    it.each(Object.entries(expands))('%s replaces only its own fields', async (name, replaced) => {
      const rows = await list({ expand: name });
      expect(keysOf(rows)).toEqual(keysOf(underTest.rows));
      expect(mismatches(rows, { ...fields, ...replaced })).toEqual([]);
    });
  });
}

export function describeExclude(underTest: ResourceUnderTest): void {
  const { list, everyInclude } = underTest;
  const { fields, includes = {} } = underTest.resource;
  describe('The parameter exclude', () => {
    it('accepts several names, also of fields added by include', async () => {
      const all = [...Object.keys(fields), ...Object.values(includes).flatMap((group) => Object.keys(group))];
      const rows = await list({ include: everyInclude, exclude: all.join(',') });
      expect(rows).toEqual(underTest.rows.map((row) => ('id' in fields ? { id: row['id'] } : {})));
    });
  });
}

export function describeEachExcludedField({ list, resource: { fields } }: ResourceUnderTest): void {
  describe('The parameter exclude', () => {
    let first: Row | undefined;
    beforeAll(async () => {
      [first] = await list({ page_size: 1 });
    });

    it.each(Object.keys(fields))('removes only %s', async (field) => {
      const { [field]: value, ...others } = first as Row;
      const [short] = await list({ page_size: 1, exclude: field });
      expect(short).toEqual(field === 'id' ? { id: value, ...others } : others);
    });
  });
}
