import { queryOptions } from '@tanstack/react-query';
import { bodyOf, client, type DataOf, ifUnchanged, taggedBodyOf } from './client.ts';
import type { components } from './openapi.d.ts';

type Schemas = components['schemas'];

/** How many runs of a connection, and how many of its issues with problems, are shown. */
const SHOWN_RUNS = 5;
const SHOWN_ISSUES = 100;

/** The issue trackers that a project is connected to. */
export const trackerConnectionsQuery = (project: number) =>
  queryOptions({
    queryKey: ['tracker-connections', project],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/projects/{project}/issue-tracker-connections/', {
          params: { path: { project }, query: { exclude: ['created', 'updated'] } },
          signal,
        }),
      ),
  });

export type TrackerConnection = DataOf<typeof trackerConnectionsQuery>['results'][number];

/** A connection with its tag. */
export const trackerConnectionQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: ['tracker-connection', project, id],
    queryFn: ({ signal }) =>
      taggedBodyOf(
        client.GET('/api/v2/projects/{project}/issue-tracker-connections/{id}/', {
          params: { path: { project, id } },
          signal,
        }),
      ),
  });

const pathOf = (project: number, connection: number) => ({ project, connection });

/** What the latest runs of a connection did. */
export const trackerRunsQuery = (project: number, connection: number) =>
  queryOptions({
    queryKey: ['tracker-runs', project, connection],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/projects/{project}/issue-tracker-connections/{connection}/runs/', {
          params: { path: pathOf(project, connection), query: { page_size: SHOWN_RUNS } },
          signal,
        }),
      ),
    // A run has no event of its own: it is followed until it ends.
    refetchInterval: ({ state }) => (state.data?.results.some(isUnderWay) ? 2000 : false),
  });

export type TrackerRun = DataOf<typeof trackerRunsQuery>['results'][number];

const isUnderWay = ({ status }: { readonly status: string }): boolean => status === 'pending' || status === 'running';

/** The issues of a connection that need attention after its last run. */
export const issueProblemsQuery = (project: number, connection: number, lastRun: number | undefined) =>
  queryOptions({
    queryKey: ['issue-problems', project, connection, lastRun],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/projects/{project}/issue-tracker-connections/{connection}/issues/', {
          params: {
            path: pathOf(project, connection),
            query: { page_size: SHOWN_ISSUES, state__in: ['failed', 'missing'] },
          },
          signal,
        }),
      ),
  });

export type TrackedIssue = DataOf<typeof issueProblemsQuery>['results'][number];

/** The connectors to issue trackers, which an administrator has set up. */
export const trackerConnectorsQuery = () =>
  queryOptions({
    queryKey: ['tracker-connectors'],
    queryFn: ({ signal }) =>
      bodyOf(client.GET('/api/v2/connectors/issue-tracker/', { params: { query: { exclude: ['params'] } }, signal })),
  });

/** Connects a project, if the tracker has all that the connection names. */
export const createTrackerConnection = (project: number, body: Schemas['CreateTrackerConnection']) =>
  bodyOf(client.POST('/api/v2/projects/{project}/issue-tracker-connections/', { params: { path: { project } }, body }));

/** Changes a connection, if it is still as the tag says: otherwise, the error is a 412. */
export const changeTrackerConnection = (
  project: number,
  id: number,
  body: Schemas['ChangeTrackerConnection'],
  etag: string,
) =>
  taggedBodyOf(
    client.PATCH('/api/v2/projects/{project}/issue-tracker-connections/{id}/', {
      params: { path: { project, id }, header: ifUnchanged(etag) },
      body,
    }),
  );

export const removeTrackerConnection = (project: number, id: number) =>
  bodyOf(
    client.DELETE('/api/v2/projects/{project}/issue-tracker-connections/{id}/', { params: { path: { project, id } } }),
  );

/** Asks for a run now. It happens in the background. */
export const runTrackerSync = (project: number, connection: number) =>
  bodyOf(
    client.POST('/api/v2/projects/{project}/issue-tracker-connections/{connection}/sync/', {
      params: { path: pathOf(project, connection) },
    }),
  );

/** What a run would write now. */
export const previewTrackerSync = (project: number, connection: number) =>
  bodyOf(
    client.POST('/api/v2/projects/{project}/issue-tracker-connections/{connection}/preview/', {
      params: { path: pathOf(project, connection) },
    }),
  );

export type SyncPreview = Awaited<ReturnType<typeof previewTrackerSync>>;

/** Creates a new issue in place of one that is missing in the tracker. */
export const recreateIssue = (project: number, connection: number, id: number) =>
  bodyOf(
    client.POST('/api/v2/projects/{project}/issue-tracker-connections/{connection}/issues/{id}/recreate/', {
      params: { path: { ...pathOf(project, connection), id } },
    }),
  );
