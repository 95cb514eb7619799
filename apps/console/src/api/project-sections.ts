import { queryOptions } from '@tanstack/react-query';
import { bodyOf, client, type DataOf } from './client.ts';
import { listQuery } from './lists.ts';

/** Whether a project may be released, and what is missing. */
export const gateQuery = (id: number) =>
  queryOptions({
    queryKey: ['gate', id],
    queryFn: ({ signal }) => bodyOf(client.GET('/api/v2/projects/{id}/gate/', { params: { path: { id } }, signal })),
  });

export type Gate = DataOf<typeof gateQuery>;

export const riskPoliciesQuery = queryOptions({
  queryKey: ['risk-policies'],
  queryFn: ({ signal }) =>
    bodyOf(
      client.GET('/api/v2/risk-policies/', {
        params: { query: { ordering: ['name'], exclude: ['description', 'filters', 'conditions'] } },
        signal,
      }),
    ),
});

export const projectRolesQuery = queryOptions({
  queryKey: ['project-roles'],
  queryFn: ({ signal }) =>
    bodyOf(client.GET('/api/v2/project-roles/', { params: { query: { exclude: ['permissions'] } }, signal })),
  staleTime: Infinity,
});

/** Whom a project could be given: users and groups whose name contains a text. */
export const candidatesQuery = (q: string) =>
  queryOptions({
    queryKey: ['candidates', q],
    queryFn: async ({ signal }) => {
      const page = { search: q || undefined, page: 1, page_size: 20 };
      const [users, groups] = await Promise.all([
        bodyOf(client.GET('/api/v2/users/', { params: { query: { ...page, is_active: true } }, signal })),
        bodyOf(client.GET('/api/v2/groups/', { params: { query: page }, signal })),
      ]);
      return { users: users.results, groups: groups.results };
    },
  });

export const projectWeaknessesQuery = (project: number, q: string | undefined) =>
  listQuery({
    queryKey: ['project-weaknesses', project, q],
    read: (options) =>
      client.GET('/api/v2/projects/{project}/problems/', {
        params: { path: { project }, query: { search: q, ordering: ['-risk_rating', 'title'], exclude: ['text'] } },
        ...options,
      }),
  });

export const projectThreatsQuery = (project: number, q: string | undefined) =>
  listQuery({
    queryKey: ['project-threats', project, q],
    read: (options) =>
      client.GET('/api/v2/projects/{project}/threats/', {
        params: { path: { project }, query: { search: q, ordering: ['-severity', 'title'], exclude: ['text'] } },
        ...options,
      }),
  });

/** Countermeasures on which the project and the library differ. */
export const countermeasureUpdatesQuery = (project: number) =>
  listQuery({
    queryKey: ['project-updates', project, 'countermeasures'],
    read: (options) =>
      client.GET('/api/v2/projects/{project}/task-updates/', {
        params: { path: { project }, query: { ordering: ['-priority', 'id'], exclude: ['text'] } },
        ...options,
      }),
  });

export type CountermeasureUpdate = DataOf<typeof countermeasureUpdatesQuery>['results'][number];

/** Changes of the library to components that the project has not applied. */
export const componentUpdatesQuery = (project: number) =>
  queryOptions({
    queryKey: ['project-updates', project, 'components'],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/projects/{project}/component-updates/', {
          params: { path: { project }, query: { ordering: ['title'] } },
          signal,
        }),
      ),
  });

export type ComponentUpdate = DataOf<typeof componentUpdatesQuery>['results'][number];

/** Makes a countermeasure part of a project, or not. */
export const acceptCountermeasure = (project: number, id: string, accepted: boolean) =>
  bodyOf(
    client.PATCH('/api/v2/projects/{project}/tasks/{id}/', { params: { path: { project, id } }, body: { accepted } }),
  );

export const applyComponentUpdates = (project: number, components: readonly string[]) =>
  bodyOf(
    client.POST('/api/v2/projects/{project}/component-updates/', {
      params: { path: { project } },
      body: { component_ids: [...components] },
    }),
  );

/** The address of the report about a project: a page that a browser prints. */
export const reportAddress = (base: string, project: number): string => `${base}api/v2/projects/${project}/report/`;
