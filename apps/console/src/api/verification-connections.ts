import { queryOptions } from '@tanstack/react-query';
import { bodyOf, client, type DataOf } from './client.ts';

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
