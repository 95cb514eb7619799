import { queryOptions } from '@tanstack/react-query';
import { bodyOf, client, type DataOf, ifUnchanged, taggedBodyOf } from './client.ts';
import type { components } from './openapi.d.ts';

type Schemas = components['schemas'];

/** The verification tools that a project is connected to, with the results of their last runs. */
export const verificationConnectionsQuery = (project: number) =>
  queryOptions({
    queryKey: ['verification-connections', project],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/projects/{project}/verification-connections/', {
          params: { path: { project }, query: { exclude: ['created', 'updated'] } },
          signal,
        }),
      ),
  });

export type VerificationConnection = DataOf<typeof verificationConnectionsQuery>['results'][number];

/** A connection with its tag. */
export const verificationConnectionQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: ['verification-connection', project, id],
    queryFn: ({ signal }) =>
      taggedBodyOf(
        client.GET('/api/v2/projects/{project}/verification-connections/{id}/', {
          params: { path: { project, id } },
          signal,
        }),
      ),
  });

/** The connectors to verification tools, which an administrator has set up. */
export const toolConnectorsQuery = () =>
  queryOptions({
    queryKey: ['tool-connectors'],
    queryFn: ({ signal }) =>
      bodyOf(client.GET('/api/v2/connectors/analysis/', { params: { query: { exclude: ['params'] } }, signal })),
  });

export const createVerificationConnection = (project: number, body: Schemas['CreateVerificationConnection']) =>
  bodyOf(client.POST('/api/v2/projects/{project}/verification-connections/', { params: { path: { project } }, body }));

/** Changes a connection, if it is still as the tag says: otherwise, the error is a 412. */
export const changeVerificationConnection = (
  project: number,
  id: number,
  body: Schemas['ChangeVerificationConnection'],
  etag: string,
) =>
  taggedBodyOf(
    client.PATCH('/api/v2/projects/{project}/verification-connections/{id}/', {
      params: { path: { project, id }, header: ifUnchanged(etag) },
      body,
    }),
  );

export const removeVerificationConnection = (project: number, id: number) =>
  bodyOf(
    client.DELETE('/api/v2/projects/{project}/verification-connections/{id}/', { params: { path: { project, id } } }),
  );

/** Asks for a run now. It happens in the background. */
export const runVerification = (project: number, connection: number) =>
  bodyOf(
    client.POST('/api/v2/projects/{project}/verification-connections/{connection}/sync/', {
      params: { path: { project, connection } },
    }),
  );

/** Verifies countermeasures of a project from the report of a scanner. */
export function uploadScanReport(project: number, system: string, file: File) {
  const form = new FormData();
  form.append('project', String(project));
  form.append('system', system);
  form.append('report_file', file);
  return bodyOf(
    client.POST('/api/v2/jobs/analysis-file/', {
      body: { project, system, report_file: file.name },
      bodySerializer: () => form,
    }),
  );
}

export type ScanResult = Awaited<ReturnType<typeof uploadScanReport>>;
