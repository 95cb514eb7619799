import { bodyOf, type ApiClient } from '../support/client.js';
import { type Query, queryBody } from '../support/reports.js';
import { expectingActivities, type Writing } from './writing.js';

const report = expectingActivities('chart', 'user', 'report');

const makeReport = async (api: ApiClient): Promise<string> =>
  `/queries/${(await bodyOf(api.post<Query>('/queries/', queryBody()), 201)).id}/`;

/** Writing operations of reports, with the activities that each must record. */
export const REPORT_WRITINGS: readonly Writing[] = [
  {
    operation: 'POST /queries/',
    activities: [report('CreatedReportActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/queries/', queryBody()),
  },
  {
    operation: 'POST /queries/from-template/',
    activities: [report('CreatedReportActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/queries/from-template/', { template: 'top-weaknesses' }),
  },
  {
    operation: 'PATCH /queries/{id}/',
    activities: [report('UpdatedReportActivity')],
    prepare: async ({ api }) => {
      const item = await makeReport(api);
      return () => api.patch(item, { title: 'Another' });
    },
  },
  {
    operation: 'DELETE /queries/{id}/',
    activities: [report('DeletedReportActivity')],
    prepare: async ({ api }) => {
      const item = await makeReport(api);
      return () => api.delete(item);
    },
  },
];

/** Operations of reports that only read. They use POST because a query may be too long for a URL. */
export const REPORT_READINGS: readonly string[] = [
  'POST /cubejs-api/v1/load/',
  'POST /cubejs-api/v1/sql/',
  'POST /cubejs-api/v1/dry-run/',
];
