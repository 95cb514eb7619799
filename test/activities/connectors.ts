import { CONNECTOR_PATHS, makeConnector } from '../support/connectors.js';
import { makeProject } from '../support/projects.js';
import { telling, type Writing } from './writing.js';

const connector = telling('plug', 'admin', 'connector');
const project = telling('create', 'user', 'project', 'application', 'business_unit');
const automation = telling('bolt', 'user', 'event');

/** Writing operations of connectors and automation, with the activities that each must record. */
export const CONNECTOR_WRITINGS: readonly Writing[] = [
  ...CONNECTOR_PATHS.flatMap(([path, system]): Writing[] => [
    {
      operation: `POST ${path}`,
      told: [connector('CreatedConnectorActivity')],
      prepare:
        async ({ api }) =>
        () =>
          api.post(path, { name: 'Server', system: { id: system } }),
    },
    {
      operation: `PATCH ${path}{id}/`,
      told: [connector('UpdatedConnectorActivity')],
      prepare: async ({ api }) => {
        const { id } = await makeConnector(api, path);
        return () => api.patch(`${path}${id}/`, { inaccessible: true });
      },
    },
    {
      operation: `DELETE ${path}{id}/`,
      told: [connector('DeletedConnectorActivity')],
      prepare: async ({ api }) => {
        const { id } = await makeConnector(api, path);
        return () => api.delete(`${path}${id}/`);
      },
    },
  ]),
  {
    operation: 'POST /automation/trigger-event/',
    when: 'with a project',
    told: [automation('TriggeredAutomationEventActivity', 'project', 'application', 'business_unit')],
    prepare: async (test) => {
      const { id } = await makeProject(test);
      return () => test.api.post('/automation/trigger-event/', { event: 'project_refresh', project: id });
    },
  },
  {
    operation: 'POST /team-onboarding/scans/',
    told: [project('UpdatedProjectActivity')],
    prepare: async (test) => {
      const { id } = await makeProject(test);
      return () =>
        test.api.post('/team-onboarding/scans/', { project: id, repository_url: 'https://git.example.com/x' });
    },
  },
  {
    operation: 'POST /automation/trigger-event/',
    when: 'without a project',
    told: [automation('TriggeredAutomationEventActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/automation/trigger-event/', { event: 'library_refresh' }),
  },
];

/** Operations that call another service and change nothing. */
export const CONNECTION_TESTS: readonly string[] = [
  'POST /connections/test-analysis/',
  'POST /connectors/issue-tracker/test/',
];
