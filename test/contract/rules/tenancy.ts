import { bodyOf, type Json } from '../../support/client.js';
import { changesNothing } from '../../support/records.js';
import type { Row } from '../filters.js';
import { NOT_FOUND, type Query, type ResourceUnderTest } from '../resource-under-test.js';

export function describeOtherOrganization(underTest: ResourceUnderTest): void {
  const { test, at, keysOf, listKeys, everythingSeenBy } = underTest;
  const { path, key, filters, methods } = underTest.resource;
  describe('Another organization', () => {
    /** False if the list is within a custom item of this organization, which the others do not find. */
    let isList: boolean;
    beforeAll(async () => {
      isList = (await underTest.stranger.api.get(path)).status !== 404;
    });
    const theirKeys = async (query: Query = {}): Promise<Json[]> =>
      isList ? listKeys(query, underTest.stranger.api) : [];
    const ownRows = async (): Promise<Row[]> => {
      const theirs = new Set(await theirKeys());
      return underTest.rows.filter((row) => !theirs.has(row[key.field] ?? null));
    };

    it('sees no item that this organization created or changed', async () => {
      expect(await everythingSeenBy(underTest.stranger)).toBe(underTest.strangerBefore);
    });

    it("gets 404 for reading, changing or deleting this organization's items", async () => {
      for (const row of (await ownRows()).slice(0, 3))
        for (const method of methods.item ?? [])
          expect(
            await changesNothing(test, () =>
              bodyOf(underTest.stranger.api.send(method, at(row), method === 'GET' ? undefined : {}), 404),
            ),
          ).toEqual(NOT_FOUND);
    });

    it("finds none of this organization's items by filters", async () => {
      const keys = new Set(keysOf(await ownRows()));
      const cases = Object.entries(filters).flatMap(([name, filter]) => filter.cases(name, underTest.rows));
      const before = new Set(await theirKeys());
      for (const { parameter, value } of cases.filter(({ parameter }) => parameter in filters)) {
        const foundKeys = await theirKeys({ [parameter]: value });
        const ofMine = foundKeys.filter((one) => keys.has(one) && !before.has(one));
        expect([parameter, value, ofMine]).toEqual([parameter, value, []]);
      }
    });
  });
}
