import { CONNECTOR_PATHS, makeConnector } from '../support/connectors.js';
import { makeProject } from '../support/projects.js';
import { expectingActivities, type Writing } from './writing.js';

const connector = expectingActivities('plug', 'admin', 'connector');
const project = expectingActivities('create', 'user', 'project', 'application', 'business_unit');
const automation = expectingActivities('bolt', 'user', 'event');

/** Writing operations of connectors and automation, with the activities that each must record. */
export const CONNECTOR_WRITINGS: readonly Writing[] = [
  ...CONNECTOR_PATHS.flatMap(([path, system]): Writing[] => [
    {
      operation: `POST ${path}`,
      activities: [connector('CreatedConnectorActivity')],
      prepare:
        async ({ api }) =>
        () =>
          api.post(path, { name: 'Server', system: { id: system } }),
    },
    {
      operation: `PATCH ${path}{id}/`,
      activities: [connector('UpdatedConnectorActivity')],
      prepare: async ({ api }) => {
        const { id } = await makeConnector(api, path);
        return () => api.patch(`${path}${id}/`, { inaccessible: true });
      },
    },
    {
      operation: `DELETE ${path}{id}/`,
      activities: [connector('DeletedConnectorActivity')],
      prepare: async ({ api }) => {
        const { id } = await makeConnector(api, path);
        return () => api.delete(`${path}${id}/`);
      },
    },
  ]),
  {
    operation: 'POST /automation/trigger-event/',
    when: 'with a project',
    activities: [automation('TriggeredAutomationEventActivity', 'project', 'application', 'business_unit')],
    prepare: async (test) => {
      const { id } = await makeProject(test);
      return () => test.api.post('/automation/trigger-event/', { event: 'project_refresh', project: id });
    },
  },
  {
    operation: 'POST /team-onboarding/scans/',
    activities: [project('UpdatedProjectActivity')],
    prepare: async (test) => {
      const { id } = await makeProject(test);
      return () =>
        test.api.post('/team-onboarding/scans/', { project: id, repository_url: 'https://git.example.com/x' });
    },
  },
  {
    operation: 'POST /automation/trigger-event/',
    when: 'without a project',
    activities: [automation('TriggeredAutomationEventActivity')],
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
