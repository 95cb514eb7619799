import { committedDocument, operationsOf } from '../support/document.js';
import { CONNECTORS } from './connectors.js';
import { JOBS } from './job-resources.js';
import { LIBRARY_UPGRADES } from './library-upgrades.js';
import { PROJECT_CONTENT } from './project-content.js';
import { PROJECTS } from './projects.js';
import { REPORTS } from './report-resources.js';
import { REFERENCE_CONTENT } from './reference-content.js';
import { ACCESS, LIBRARY, REFERENCE } from './resources.js';
import { THREATS } from './threats.js';
import { WEBHOOKS } from './webhooks.js';

const names = (parameters: readonly { readonly name: string }[] = []): string[] => parameters.map(({ name }) => name);
const lists = operationsOf(committedDocument()).filter(
  ({ method, operation }) => method === 'GET' && names(operation.parameters).includes('ordering'),
);

describe('The table of contracts', () => {
  it('contains every list of the document', () => {
    const held = [
      LIBRARY,
      REFERENCE,
      REFERENCE_CONTENT,
      ACCESS,
      CONNECTORS,
      THREATS,
      JOBS,
      LIBRARY_UPGRADES,
      PROJECT_CONTENT,
      PROJECTS,
      REPORTS,
      WEBHOOKS,
    ]
      .flat()
      .map(({ path }) => `/api/v2${path}`);
    const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
    // Streams and the search have tests of their own.
    const tabled = lists.filter(
      ({ operation }) => !['cursor', 'q'].some((name) => names(operation.parameters).includes(name)),
    );
    expect(tabled.map(({ path }) => path).filter((path) => !held.some((one) => pattern(path).test(one)))).toEqual([]);
  });
});

describe('Lists', () => {
  it('can be searched, except for webhooks and the search itself', () => {
    const unsearched = lists.filter(({ operation }) => !names(operation.parameters).includes('search'));
    expect(unsearched.map(({ path }) => path)).toEqual(['/api/v2/search/', '/api/v2/webhooks/']);
  });
});
