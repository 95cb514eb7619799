import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { bodyOf, client, type DataOf, ifUnchanged, taggedBodyOf } from './client.ts';
import { listQuery } from './lists.ts';

export type Status = 'TS1' | 'TS2' | 'TS3';

export interface CountermeasureFilters {
  readonly q?: string | undefined;
  readonly status?: Status | undefined;
  readonly phase?: string | undefined;
  readonly priority?: number | undefined;
  readonly problem?: string | undefined;
  readonly assignee?: string | undefined;
  readonly tag?: string | undefined;
  readonly order?: '-priority' | '-importance' | 'title' | '-updated' | undefined;
  /** Only the most important open ones. */
  readonly view?: 'first' | undefined;
}

/** With how many a team should begin. */
export const FIRST = 30;

/** What lists leave out: texts are loaded when an item is opened. */
const LEFT_OUT = [
  'url',
  'text',
  'relevant',
  'relevant_via_survey',
  'accepted',
  'manually_added_from_library',
  'project_specific',
  'ad_hoc',
  'artifact_proxy',
  'became_relevant',
  'status_updated',
  'updater',
  'library_task_created',
  'library_task_updated',
  'inclusion_reason',
] as const;

const listParameters = ({
  q,
  status,
  phase,
  priority,
  problem,
  assignee,
  tag,
  order,
  view,
}: CountermeasureFilters) => ({
  search: q,
  status: status ?? (view ? 'TS2' : undefined),
  phase,
  problem,
  assigned_to: assignee,
  tag: tag === undefined ? undefined : [tag],
  priority__gte: priority,
  // Items of equal rank keep a fixed order.
  ordering: [order ?? (view ? '-importance' : '-priority'), 'id' as const],
  ...(view && { page: 1, page_size: FIRST }),
  exclude: [...LEFT_OUT],
});

/** What a file names in words. Pages know the words. */
const NAMED = ['phase', 'status', 'problem'] as const;

export const countermeasuresQuery = (project: number, filters: CountermeasureFilters) =>
  listQuery({
    queryKey: ['countermeasures', project, filters],
    read: (options, isFile) =>
      client.GET('/api/v2/projects/{project}/tasks/', {
        params: {
          path: { project },
          query: { ...listParameters(filters), include: ['facets'], expand: isFile ? [...NAMED] : [] },
        },
        ...options,
      }),
    placeholderData: keepPreviousData,
  });

/** The countermeasures that are assigned to the user, in all projects. */
export const myCountermeasuresQuery = (filters: CountermeasureFilters) =>
  listQuery({
    queryKey: ['my-countermeasures', filters],
    read: (options, isFile) =>
      client.GET('/api/v2/users/me/tasks/', {
        params: {
          query: {
            ...listParameters(filters),
            include: ['facets'],
            expand: isFile ? ['project', ...NAMED] : ['project'],
          },
        },
        ...options,
      }),
    placeholderData: keepPreviousData,
  });

/** The longest text that facets are searched for. */
const MAX_FACET_SEARCH = 255;

/** A parameter that finds the values of a facet in which a text occurs. */
export const facetSearch = (facet: string, text: string): string => `${facet}:${text.slice(0, MAX_FACET_SEARCH)}`;

/** What a list is read with for its facets alone. */
export const ONLY_FACETS = { page: 1, page_size: 1, include: ['facets' as const] };

export type SearchedFacet = 'assigned_to' | 'problem' | 'tag';

/**
 * Finds values of a filter, with the number of countermeasures that have them.
 *
 * @param project that of the list; undefined for the countermeasures of the user
 */
export const facetValuesQuery = (
  project: number | undefined,
  filters: CountermeasureFilters,
  facet: SearchedFacet,
  text: string,
) => ({
  queryKey: [project === undefined ? 'my-countermeasures' : 'countermeasures', project, filters, facet, text],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const query = { ...listParameters(filters), ...ONLY_FACETS, facet_search: facetSearch(facet, text) };
    const { facets } = await (project === undefined
      ? bodyOf(client.GET('/api/v2/users/me/tasks/', { params: { query }, signal }))
      : bodyOf(client.GET('/api/v2/projects/{project}/tasks/', { params: { path: { project }, query }, signal })));
    const values = facets?.[facet] ?? [];
    return facet === 'tag' ? values : values.map((one) => ({ ...one, detail: one.value }));
  },
});

export type CountermeasureList = DataOf<typeof countermeasuresQuery>;
export type ListedCountermeasure = CountermeasureList['results'][number];

const DETAILS = {
  include: ['problem' as const, 'tags' as const, 'amendments' as const, 'how_tos' as const],
  to_html: true,
};

export const countermeasureQuery = (project: number, id: string) =>
  queryOptions({
    queryKey: ['countermeasure', project, id],
    queryFn: ({ signal }) =>
      taggedBodyOf(
        client.GET('/api/v2/projects/{project}/tasks/{id}/', {
          params: { path: { project, id }, query: DETAILS },
          signal,
        }),
      ),
  });

export type OpenCountermeasure = DataOf<typeof countermeasureQuery>;
export type Countermeasure = OpenCountermeasure['item'];

/** Changes to whom a countermeasure is assigned, or its tags, if it is still as the tag of the response says. */
export const changeCountermeasure = (
  project: number,
  id: string,
  body: { readonly assigned_to?: { readonly email: string }[]; readonly tags?: string[] },
  etag: string,
) =>
  taggedBodyOf(
    client.PATCH('/api/v2/projects/{project}/tasks/{id}/', {
      params: { path: { project, id }, query: DETAILS, header: ifUnchanged(etag) },
      body,
    }),
  );

/** What people and scanners found out about a countermeasure, newest first. */
export const verificationQuery = (project: number, task: string) =>
  queryOptions({
    queryKey: ['verification', project, task],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/projects/{project}/tasks/{task}/analysis-notes/', {
          params: { path: { project, task }, query: { ordering: ['-created'] } },
          signal,
        }),
      ),
  });

export type Finding = DataOf<typeof verificationQuery>['results'][number];

export const explanationQuery = (project: number, id: string) =>
  queryOptions({
    queryKey: ['explanation', project, id],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/projects/{project}/tasks/{id}/explain/', { params: { path: { project, id } }, signal }),
      ),
  });

export type Reason = DataOf<typeof explanationQuery>['reasons'][number];

export const notesQuery = (project: number, task: string) =>
  queryOptions({
    queryKey: ['notes', project, task],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/projects/{project}/tasks/{task}/notes/', { params: { path: { project, task } }, signal }),
      ),
  });

export const addNote = (project: number, task: string, text: string) =>
  bodyOf(
    client.POST('/api/v2/projects/{project}/tasks/{task}/notes/', {
      params: { path: { project, task } },
      body: { text },
    }),
  );

export interface StatusChange {
  readonly status: Status;
  readonly note: string;
}

/** Changes the status of a countermeasure, if it is still as the tag says: otherwise, the error is a 412. */
export const changeStatus = (project: number, id: string, { status, note }: StatusChange, etag: string) =>
  taggedBodyOf(
    client.PATCH('/api/v2/projects/{project}/tasks/{id}/', {
      params: { path: { project, id }, header: ifUnchanged(etag) },
      body: note === '' ? { status } : { status, status_note: note },
    }),
  );

export const phasesQuery = queryOptions({
  queryKey: ['phases'],
  queryFn: ({ signal }) =>
    bodyOf(client.GET('/api/v2/phases/', { params: { query: { ordering: ['ordinal'] } }, signal })),
  staleTime: Infinity,
});

export interface BulkChanges {
  readonly status?: Status;
  readonly assigned_to?: { readonly email: string }[];
  readonly note?: string;
  readonly tags?: string[];
}

/** Changes countermeasures of a project in one step; those that can't be changed are in the result. */
export const changeAll = (project: number, ids: readonly string[], changes: BulkChanges) =>
  bodyOf(
    client.PATCH('/api/v2/projects/{project}/tasks/bulk/', {
      params: { path: { project } },
      body: { ids: [...ids], changes },
    }),
  );

/** How many countermeasures one step may change. */
export const MAX_BULK = 1000;
