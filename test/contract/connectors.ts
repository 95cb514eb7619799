import { bodyOf } from '../support/client.js';
import { CONNECTOR_PATHS, makeConnector } from '../support/connectors.js';
import { makeProject } from '../support/projects.js';
import * as filters from './filters.js';
import { byTime } from './resources.js';
import { byField, byText, type Resource } from './table.js';

const connectors = CONNECTOR_PATHS.map(([path, system]): Resource => ({
  name: `connectors below ${path}`,
  path,
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  readers: 'edit_connections',
  writers: 'edit_connections',
  fields: {
    id: 'integer',
    name: 'string',
    system: { object: { id: 'string' } },
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
      await makeConnector(api, path, { name, inaccessible: name.length % 2 === 0 });
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

const connections: Resource = {
  name: 'team onboarding connections',
  path: '/team-onboarding/connections/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET'] },
  fields: { id: 'integer', name: 'string', system: { object: { id: 'string' } } },
  filters: { id: filters.integer('id'), name: filters.text('name') },
  orderings: { id: byField('id'), name: byText('name') },
  defaultOrdering: 'id',
  search: (row) => [String(row['name'])],
  seed: async (_, { api }) => {
    for (const [path] of CONNECTOR_PATHS)
      for (const name of ['Main 100% server', 'main_server']) await makeConnector(api, path, { name });
  },
};

const scans: Resource = {
  name: 'team onboarding scans',
  path: '/team-onboarding/scans/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET'] },
  fields: {
    id: 'integer',
    project: 'integer',
    connection: { nullable: 'integer' },
    repository_url: 'string',
    status: { oneOf: ['no_scanner_configured'] },
    created: 'time',
  },
  filters: {
    id: filters.integer('id'),
    project: filters.integer('project'),
    connection: filters.integer('connection'),
    created: filters.time('created'),
  },
  orderings: { id: byField('id'), created: byTime('created') },
  defaultOrdering: 'id',
  search: (row) => [String(row['repository_url']), String(row['status'])],
  seed: async (test, { api }) => {
    const { id: connection } = await makeConnector(api, CONNECTOR_PATHS[0][0]);
    for (const body of [{}, { connection }, { connection: null }]) {
      const { id: project } = await makeProject(test, { allUsers: true });
      await api.post('/team-onboarding/scans/', { project, repository_url: 'https://git.example.com/x', ...body });
    }
  },
  create: {
    status: 201,
    body: async (api) => {
      const { results } = await bodyOf(api.get<{ results: { id: number }[] }>('/projects/'));
      const { id: connection } = await makeConnector(api, CONNECTOR_PATHS[0][0]);
      return { project: results[0]?.id ?? 0, connection, repository_url: 'https://git.example.com/shop' };
    },
  },
};

/** Connectors of both kinds, and team onboarding. */
export const CONNECTORS: readonly Resource[] = [...connectors, connections, scans];
