import { bodyOf, type ErrorBody } from '../../support/client.js';
import type { ResourceUnderTest } from '../resource-under-test.js';

export function describeStrictness(underTest: ResourceUnderTest): void {
  const { test, resource, everyInclude, everyExpand } = underTest;
  const { path, fields, filters, search } = resource;
  describe('Strict handling', () => {
    it('reports unknown parameters and values by name, and accepts all known parameters', async () => {
      expect(await bodyOf(test.api.strict.get(path, { bogus: 1 }), 400)).toEqual({ bogus: [expect.any(String)] });
      for (const parameter of ['include', 'expand', 'exclude']) {
        const errors = await bodyOf(test.api.strict.get<ErrorBody>(path, { [parameter]: 'bogus' }), 400);
        expect(JSON.stringify(errors[parameter])).toMatch(/bogus|unknown/);
      }
      const known = {
        ...(everyInclude && { include: everyInclude }),
        ...(everyExpand && { expand: everyExpand }),
        exclude: Object.keys(fields)[1] ?? '',
        ordering: resource.defaultOrdering,
        page: 1,
        ...(search && { search: 'a' }),
        ...Object.fromEntries((resource.switches ?? []).map((name) => [name, 'false'])),
        ...Object.fromEntries(Object.entries(filters).map(([name, { valid }]) => [name, valid])),
      };
      await bodyOf(test.api.strict.get(path, known));
    });
  });
}

export function describeLeniency({ list }: ResourceUnderTest): void {
  it('ignores unknown parameters and values unless it is asked for strict handling', async () => {
    const query = { bogus: 1, include: 'bogus', expand: 'bogus', exclude: 'bogus' };
    expect(await list(query)).toEqual(await list());
  });
}
