import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { bodyOf, client, type DataOf, ifUnchanged, taggedBodyOf } from './client.ts';
import { listQuery } from './lists.ts';
import type { components } from './openapi.d.ts';

export interface ProjectFilters {
  readonly q?: string | undefined;
  readonly unit?: number | undefined;
  readonly application?: number | undefined;
  readonly active?: 'false' | 'all' | undefined;
  readonly order?: 'name' | '-updated' | '-created' | undefined;
}

export const projectsQuery = ({ q, unit, application, active, order }: ProjectFilters) =>
  listQuery({
    queryKey: ['projects', q, unit, application, active, order],
    read: (options) =>
      client.GET('/api/v2/projects/', {
        params: {
          query: {
            search: q,
            business_unit: unit,
            application,
            active: active ?? 'true',
            ordering: [order ?? 'name'],
            include: ['task_counts'],
            exclude: ['description', 'users', 'groups', 'custom_attributes', 'creator', 'application_tags'],
          },
        },
        ...options,
      }),
    placeholderData: keepPreviousData,
  });

const DETAILS = { include: ['permissions' as const, 'task_counts' as const] };

/** A project with its tag. */
export const taggedProjectQuery = (id: number) =>
  queryOptions({
    queryKey: ['project', id],
    queryFn: ({ signal }) =>
      taggedBodyOf(client.GET('/api/v2/projects/{id}/', { params: { path: { id }, query: DETAILS }, signal })),
  });

export type ProjectDetails = DataOf<typeof taggedProjectQuery>['item'];

export const projectQuery = (id: number) => ({
  ...taggedProjectQuery(id),
  select: ({ item }: { readonly item: ProjectDetails }) => item,
});

/** Changes a project, if it is still as the tag says: otherwise, the error is a 412. */
export const changeProject = (id: number, body: components['schemas']['ChangeProject'], etag: string) =>
  taggedBodyOf(
    client.PATCH('/api/v2/projects/{id}/', {
      params: { path: { id }, query: DETAILS, header: ifUnchanged(etag) },
      body,
    }),
  );

export const applicationsQuery = queryOptions({
  queryKey: ['applications'],
  queryFn: ({ signal }) =>
    bodyOf(
      client.GET('/api/v2/applications/', {
        params: { query: { ordering: ['name'], exclude: ['description', 'tags', 'custom_attributes'] } },
        signal,
      }),
    ),
  staleTime: 60_000,
});

export const profilesQuery = queryOptions({
  queryKey: ['profiles'],
  queryFn: ({ signal }) =>
    bodyOf(client.GET('/api/v2/profiles/', { params: { query: { exclude: ['answers'], active: true } }, signal })),
  staleTime: 60_000,
});

export const businessUnitsQuery = queryOptions({
  queryKey: ['business-units'],
  queryFn: ({ signal }) =>
    bodyOf(client.GET('/api/v2/business-units/', { params: { query: { ordering: ['name'] } }, signal })),
});

export type Project = DataOf<typeof projectsQuery>['results'][number];

export const createProject = (body: {
  name: string;
  application: number;
  description?: string;
  profile?: string | null;
}) => bodyOf(client.POST('/api/v2/projects/', { body }));

export const createApplication = (body: { name: string; business_unit: number }) =>
  bodyOf(client.POST('/api/v2/applications/', { body }));

export const createBusinessUnit = (body: { name: string }) => bodyOf(client.POST('/api/v2/business-units/', { body }));
