import type { Row } from '../filters.js';
import type { ResourceUnderTest } from '../resource-under-test.js';

export function describeInclude(tried: ResourceUnderTest): void {
  const { keysOf, list, misfits, everyInclude } = tried;
  const { fields, includes = {} } = tried.resource;
  describe('The parameter include', () => {
    it.each(Object.entries(includes))('%s adds only its own fields', async (name, added) => {
      expect(misfits(await list({ include: name }), { ...fields, ...added })).toEqual([]);
    });

    it('accepts several names, also repeated, and does not change the rows or their order', async () => {
      const query = { include: `${everyInclude},${everyInclude}` };
      const all = Object.assign({}, fields, ...Object.values(includes)) as typeof fields;
      const rows = await list(query);
      expect(keysOf(rows)).toEqual(keysOf(tried.rows));
      expect(misfits(rows, all)).toEqual([]);
    });
  });
}

export function describeExpand(tried: ResourceUnderTest): void {
  const { keysOf, list, misfits } = tried;
  const { fields, expands = {} } = tried.resource;
  describe('The parameter expand', () => {
    it.each(Object.entries(expands))('%s replaces only its own fields', async (name, replaced) => {
      const rows = await list({ expand: name });
      expect(keysOf(rows)).toEqual(keysOf(tried.rows));
      expect(misfits(rows, { ...fields, ...replaced })).toEqual([]);
    });
  });
}

export function describeExclude(tried: ResourceUnderTest): void {
  const { list, everyInclude } = tried;
  const { fields, includes = {} } = tried.resource;
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

    it('accepts several names, also of fields added by include', async () => {
      const all = [...Object.keys(fields), ...Object.values(includes).flatMap((group) => Object.keys(group))];
      const rows = await list({ include: everyInclude, exclude: all.join(',') });
      expect(rows).toEqual(tried.rows.map((row) => ('id' in fields ? { id: row['id'] } : {})));
    });
  });
}
