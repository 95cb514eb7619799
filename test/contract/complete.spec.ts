import { committedDocument, operationsOf } from '../support/document.js';
import { EVERY_RESOURCE } from './every-resource.js';
import { isRepresentative, placeOf } from './representatives.js';

const names = (parameters: readonly { readonly name: string }[] = []): string[] => parameters.map(({ name }) => name);
const lists = operationsOf(committedDocument()).filter(
  ({ method, operation }) => method === 'GET' && names(operation.parameters).includes('ordering'),
);

describe('The table of contracts', () => {
  it('contains every list of the document', () => {
    const held = EVERY_RESOURCE.map(({ path }) => `/api/v2${path}`);
    const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
    // Streams and the search have tests of their own.
    const tabled = lists.filter(
      ({ operation }) => !['cursor', 'q'].some((name) => names(operation.parameters).includes(name)),
    );
    expect(tabled.map(({ path }) => path).filter((path) => !held.some((one) => pattern(path).test(one)))).toEqual([]);
  });

  it('tests the rules of shared code in every place', () => {
    const tested = EVERY_RESOURCE.filter(isRepresentative);
    expect([...new Set(tested.map(placeOf))].sort()).toEqual(['caller', 'library', 'organization', 'part', 'project']);
  });

  it('fills each list that is always paged, and one that is not, beyond its largest page', () => {
    const unfilled = EVERY_RESOURCE.filter(({ paged, fill }) => paged && !fill);
    expect(unfilled.map(({ name }) => name)).toEqual([]);
    expect(EVERY_RESOURCE.some(({ paged, fill }) => !paged && fill)).toBe(true);
  });
});

describe('Lists', () => {
  it('can be searched, except for webhooks and the search itself', () => {
    const unsearched = lists.filter(({ operation }) => !names(operation.parameters).includes('search'));
    expect(unsearched.map(({ path }) => path)).toEqual(['/api/v2/webhooks/', '/api/v2/search/']);
  });
});
