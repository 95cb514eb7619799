import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { bodyOf, client } from './client.ts';

export interface LibraryFilters {
  readonly q?: string | undefined;
  readonly phase?: string | undefined;
  readonly priority?: number | undefined;
}

export const libraryCountermeasuresQuery = ({ q, phase, priority }: LibraryFilters) =>
  queryOptions({
    queryKey: ['library', 'tasks', q, phase, priority],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/library/tasks/', {
          params: {
            query: {
              search: q,
              phase,
              priority__gte: priority,
              active: true,
              ordering: ['-priority', 'title'],
              include: ['tags', 'facets'],
              exclude: ['text', 'url', 'created_by', 'created_date', 'last_updated_by', 'last_updated_date'],
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const libraryCountermeasureQuery = (id: string) =>
  queryOptions({
    queryKey: ['library', 'task', id],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/library/tasks/{id}/', {
          params: {
            path: { id },
            query: {
              include: ['amendments', 'how_tos', 'tags', 'references'],
              expand: ['phase', 'problem'],
              to_html: true,
            },
          },
          signal,
        }),
      ),
  });

export const weaknessesQuery = ({ q }: LibraryFilters) =>
  queryOptions({
    queryKey: ['library', 'problems', q],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/library/problems/', {
          params: {
            query: { search: q, active: true, ordering: ['title'], exclude: ['text', 'url', 'created', 'updated'] },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const weaknessQuery = (id: string) =>
  queryOptions({
    queryKey: ['library', 'problem', id],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/library/problems/{id}/', {
          params: { path: { id }, query: { include: ['related_tasks', 'references'], to_html: true } },
          signal,
        }),
      ),
  });

export const threatsQuery = ({ q }: LibraryFilters) =>
  queryOptions({
    queryKey: ['library', 'threats', q],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/library/threats/', {
          params: {
            query: { search: q, active: true, ordering: ['title'], exclude: ['text', 'url', 'created_by'] },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const threatQuery = (id: string) =>
  queryOptions({
    queryKey: ['library', 'threat', id],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/library/threats/{id}/', {
          params: { path: { id }, query: { include: ['references'], to_html: true } },
          signal,
        }),
      ),
  });
