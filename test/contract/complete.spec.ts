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

describe('The table of contracts', () => {
  it('has every list of the document', () => {
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
    const lists = operationsOf(committedDocument()).filter(
      ({ method, operation }) =>
        method === 'GET' &&
        (operation.parameters ?? []).some(({ name }) => name === 'ordering') &&
        // Streams, which have tests of their own.
        !(operation.parameters ?? []).some(({ name }) => name === 'cursor'),
    );
    const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
    expect(lists.map(({ path }) => path).filter((path) => !held.some((one) => pattern(path).test(one)))).toEqual([]);
  });
});
