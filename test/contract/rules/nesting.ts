import { bodyOf } from '../../support/client.js';
import { changesNothing } from '../../support/records.js';
import { NOT_FOUND, type ResourceUnderTest } from '../resource-under-test.js';
import type { Resource } from '../table.js';

/** Tests items within a parent: they must not be found below another parent. */
export function describeNesting(underTest: ResourceUnderTest, elsewhere: NonNullable<Resource['elsewhere']>): void {
  const { test, resource } = underTest;
  const { key, methods } = resource;
  it('returns an empty list for another parent, and 404 for its items there and for unknown parents', async () => {
    const { emptyParent = 'T4' } = resource;
    expect(await bodyOf(test.api.get(elsewhere(emptyParent)))).toMatchObject(
      resource.paged ? { count: 0, next: null, previous: null, results: [] } : { results: [] },
    );
    const absent = ['T999999', 'CT999999', 'P1', 't5', '0', 'nonsense', '%00', '%27', '9'.repeat(60)];
    const requests = [emptyParent, ...absent].flatMap((parent): [string, string][] => [
      ...(parent === emptyParent ? [] : methods.list.map((method): [string, string] => [method, elsewhere(parent)])),
      ...(methods.item ?? []).map((method): [string, string] => [
        method,
        `${elsewhere(parent)}${String(underTest.first[key.field])}/`,
      ]),
    ]);
    await changesNothing(test, async () => {
      for (const [method, where] of requests) {
        const answer = await test.api.send(method, where, method === 'GET' ? undefined : {});
        expect([method, where, answer.status, answer.body]).toEqual([method, where, 404, NOT_FOUND]);
      }
    });
  });
}
