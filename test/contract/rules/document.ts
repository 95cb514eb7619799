import type { Json } from '../../support/client.js';
import type { ResourceUnderTest } from '../resource-under-test.js';

export function describeDocument(underTest: ResourceUnderTest): void {
  const { resource, parametersOf, queryParametersOf, everyInclude, everyExpand } = underTest;
  const { path, includes = {}, expands = {}, filters, orderings, search } = resource;
  it('documents exactly the query parameters of the list and their values', () => {
    const parameters = queryParametersOf('GET', path);
    expect(parameters.map(({ name }) => name).sort()).toEqual(
      [
        ...(everyInclude ? ['include'] : []),
        ...(everyExpand ? ['expand'] : []),
        'exclude',
        'ordering',
        'page',
        'page_size',
        ...(search ? ['search'] : []),
        ...(resource.facets ? ['facet_search'] : []),
        ...(resource.switches ?? []),
        ...parametersOf(Object.keys(filters)),
      ].sort(),
    );
    const namesIn = (name: string): Set<Json> => {
      const schema = parameters.find((parameter) => parameter.name === name)?.schema as
        | { items?: { enum?: Json[] } }
        | undefined;
      return new Set(schema?.items?.enum);
    };
    expect(namesIn('include')).toEqual(new Set([...(resource.facets ? ['facets'] : []), ...Object.keys(includes)]));
    expect(namesIn('expand')).toEqual(new Set(Object.keys(expands)));
    expect(namesIn('ordering')).toEqual(new Set(Object.keys(orderings).flatMap((name) => [name, `-${name}`])));
  });
}
