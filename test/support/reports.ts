import type { TestApi, TestUser } from './api.js';
import { type Answer, ApiClient, bodyOf, type Json } from './client.js';

/** A saved report as the API returns it. */
export interface Query {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly created: string;
  readonly modified: string;
  readonly created_by: number;
  readonly query: Record<string, Json>;
  readonly chart: string;
  readonly chart_meta: Record<string, Json>;
  readonly type: 'D' | 'T';
}

/** A valid body of a report. */
export const queryBody = (fields: object = {}): { [name: string]: Json } => ({
  title: 'Countermeasures by priority',
  chart: 'table',
  query: { schema: 'library', measures: ['LibraryTask.count'], dimensions: ['LibraryTask.priority'] },
  ...fields,
});

/** A row of a result, keyed by member. */
export type ReportRow = Readonly<Record<string, string | boolean | null>>;

/** The response of `load`. */
export interface Loaded {
  readonly query: Record<string, Json>;
  readonly data: readonly ReportRow[];
  readonly annotation: Record<string, Record<string, Json>>;
  readonly lastRefreshTime: string;
  readonly total?: number;
  readonly truncated: boolean;
}

export interface CubeProblem {
  readonly type: string;
  readonly error: string;
}

/** A client of the Cube protocol, with a new token of a user. */
export async function reportClient(test: TestApi, user: TestUser = test.organization.admin): Promise<ApiClient> {
  const { token } = await bodyOf(user.api.get<{ token: string }>('/users/me/auth-token/'));
  return new ApiClient(test.origin, (answer) => test.check.check(answer)).with({ Authorization: `Bearer ${token}` });
}

const LOAD = '/cubejs-api/v1/load';

/** Runs a query as a user, by `POST`, which allows long queries. */
export const run = async (test: TestApi, query: object, user?: TestUser): Promise<Answer<Loaded>> => {
  const client = await reportClient(test, user);
  return client.post<Loaded>(`${test.origin}${LOAD}`, { query });
};

/** The rows of a valid query. */
export const rowsOfReport = async (test: TestApi, query: object, user?: TestUser): Promise<readonly ReportRow[]> =>
  (await bodyOf(run(test, query, user))).data;
