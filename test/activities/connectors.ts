import { CONNECTOR_PARAMS, CONNECTOR_PATHS, makeConnector } from '../support/connectors.js';
import { makeProject } from '../support/projects.js';
import type { TestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { PLACE, within } from './within-project.js';
import { expectingActivities, type Writing } from './writing.js';

const connector = expectingActivities('plug', 'admin', 'connector');
const project = expectingActivities('create', 'user', 'project', 'application', 'business_unit');
const automation = expectingActivities('bolt', 'user', 'event');

const trackerConnection = expectingActivities('plug', 'user', ...PLACE, 'issue_tracker_connection');

const CONNECTIONS = '/projects/{project}/issue-tracker-connections/';

const makeTracker = async ({ api }: TestApi): Promise<number> =>
  (await makeConnector(api, '/connectors/issue-tracker/')).id;

/** The project is connected to a tracker. */
async function withConnection(
  test: TestApi,
  { id: ofProject }: { readonly id: number },
): Promise<{ id: number; connection: number }> {
  const path = `/projects/${ofProject}/issue-tracker-connections/`;
  const body = { connector: await makeTracker(test), project_key: 'SHOP' };
  const { id } = await bodyOf(test.api.post<{ id: number }>(path, body), 201);
  return { id, connection: id };
}

/** Writing operations of connectors and automation, with the activities that each must record. */
export const CONNECTOR_WRITINGS: readonly Writing[] = [
  ...CONNECTOR_PATHS.flatMap(([path, system]): Writing[] => [
    {
      operation: `POST ${path}`,
      activities: [connector('CreatedConnectorActivity')],
      prepare:
        async ({ api }) =>
        () =>
          api.post(path, { name: 'Server', system: { id: system }, params: CONNECTOR_PARAMS }),
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

/** Writing operations of connections to issue trackers. A request for a run records nothing. */
export const TRACKER_CONNECTION_WRITINGS: readonly Writing[] = [
  {
    operation: `POST ${CONNECTIONS}`,
    activities: [trackerConnection('CreatedIssueTrackerConnectionActivity')],
    prepare: async (test) => {
      const { id } = await makeProject(test);
      const connector = await makeTracker(test);
      return () => test.api.post(CONNECTIONS.replace('{project}', String(id)), { connector, project_key: 'SHOP' });
    },
  },
  within(
    `PATCH ${CONNECTIONS}{id}/`,
    [trackerConnection('UpdatedIssueTrackerConnectionActivity')],
    { min_priority: 5 },
    withConnection,
  ),
  within(
    `DELETE ${CONNECTIONS}{id}/`,
    [trackerConnection('DeletedIssueTrackerConnectionActivity')],
    undefined,
    withConnection,
  ),
  within(`POST ${CONNECTIONS}{connection}/sync/`, [], undefined, withConnection),
];

/** Operations that call another service and change nothing. */
export const CONNECTION_TESTS: readonly string[] = [
  'POST /connections/test-analysis/',
  'POST /connectors/issue-tracker/test/',
  `POST ${CONNECTIONS}{connection}/test/`,
  `POST ${CONNECTIONS}{connection}/preview/`,
  // Only a run finds out that an issue is missing.
  `POST ${CONNECTIONS}{connection}/issues/{id}/recreate/`,
];

const verificationConnection = expectingActivities('plug', 'user', ...PLACE, 'verification_connection');

const VERIFICATIONS = '/projects/{project}/verification-connections/';

const makeTool = async ({ api }: TestApi): Promise<number> => (await makeConnector(api, '/connectors/analysis/')).id;

/** The project is connected to a verification tool. */
async function withVerification(
  test: TestApi,
  { id: ofProject }: { readonly id: number },
): Promise<{ id: number; connection: number }> {
  const body = { connector: await makeTool(test), project_key: 'acme:shop' };
  const path = VERIFICATIONS.replace('{project}', String(ofProject));
  const { id } = await bodyOf(test.api.post<{ id: number }>(path, body), 201);
  return { id, connection: id };
}

/** Writing operations of connections to verification tools. A request for a run records nothing. */
export const VERIFICATION_CONNECTION_WRITINGS: readonly Writing[] = [
  {
    operation: `POST ${VERIFICATIONS}`,
    activities: [verificationConnection('CreatedVerificationConnectionActivity')],
    prepare: async (test) => {
      const { id } = await makeProject(test);
      const connector = await makeTool(test);
      const path = VERIFICATIONS.replace('{project}', String(id));
      return () => test.api.post(path, { connector, project_key: 'acme:shop' });
    },
  },
  within(
    `PATCH ${VERIFICATIONS}{id}/`,
    [verificationConnection('UpdatedVerificationConnectionActivity')],
    { merge: 'combine' },
    withVerification,
  ),
  within(
    `DELETE ${VERIFICATIONS}{id}/`,
    [verificationConnection('DeletedVerificationConnectionActivity')],
    undefined,
    withVerification,
  ),
  within(`POST ${VERIFICATIONS}{connection}/sync/`, [], undefined, withVerification),
];
