import { CONNECTOR_PATHS, makeConnector } from '../support/connectors.js';
import * as filters from './filters.js';
import { byField, byText, type Resource } from './table.js';

const SYSTEMS: Readonly<Record<string, readonly string[]>> = {
  '/connectors/analysis/': ['sonarqube', 'checkmarx', 'fortify', 'veracode', 'appscan', 'snyk', 'semgrep', 'github'],
  '/connectors/issue-tracker/': ['jira', 'github', 'gitlab', 'azure_devops', 'servicenow'],
};

/** Connectors of both kinds. */
export const CONNECTORS: readonly Resource[] = CONNECTOR_PATHS.map(([path, system]) => ({
  name: `connectors below ${path}`,
  path,
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  readers: 'edit_connections',
  writers: 'edit_connections',
  fields: {
    id: 'integer',
    name: 'string',
    system: { object: { id: { oneOf: SYSTEMS[path] ?? [] } } },
    params: 'json',
    inaccessible: 'boolean',
  },
  filters: {
    id: filters.integer('id'),
    name: filters.text('name'),
    inaccessible: filters.boolean('inaccessible'),
  },
  orderings: { id: byField('id'), name: byText('name') },
  defaultOrdering: 'id',
  search: (row) => [String(row['name'])],
  seed: async (_, { api }) => {
    for (const name of ['Main 100% server', 'main_server', 'Zweiter Übergang', 'a\\b', 'Other'])
      await makeConnector(api, path, { name, params: { token: 'hush' }, inaccessible: name.length % 2 === 0 });
  },
  create: {
    status: 201,
    body: () =>
      Promise.resolve({
        name: 'Main server',
        system: { id: system },
        params: { url: 'https://tools.example.com', token: 'hush' },
        inaccessible: true,
      }),
    otherwiseShown: ['params'],
  },
}));
