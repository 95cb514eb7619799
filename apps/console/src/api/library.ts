import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { bodyOf, client } from './client.ts';
import { listQuery } from './lists.ts';
import { facetSearch, ONLY_FACETS } from './countermeasures.ts';

export interface LibraryFilters {
  readonly q?: string | undefined;
  readonly phase?: string | undefined;
  readonly priority?: number | undefined;
  readonly tag?: string | undefined;
}

const listParameters = ({ q, phase, priority, tag }: LibraryFilters) => ({
  search: q,
  phase,
  priority__gte: priority,
  tag: tag === undefined ? undefined : [tag],
  active: true,
});

export const libraryCountermeasuresQuery = (filters: LibraryFilters) =>
  listQuery({
    queryKey: ['library', 'tasks', filters],
    read: (options, isFile) =>
      client.GET('/api/v2/library/tasks/', {
        params: {
          query: {
            ...listParameters(filters),
            ordering: ['-priority', 'title'],
            include: ['tags', 'facets'],
            expand: isFile ? ['phase', 'problem'] : [],
            exclude: ['text', 'url', 'created_by', 'created_date', 'last_updated_by', 'last_updated_date'],
          },
        },
        ...options,
      }),
    placeholderData: keepPreviousData,
  });

/** Finds tags, with the number of countermeasures that have them. */
export const libraryTagsQuery = (filters: LibraryFilters, text: string) => ({
  queryKey: ['library', 'tags', filters, text],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const query = { ...listParameters(filters), ...ONLY_FACETS, facet_search: facetSearch('tag', text) };
    return (await bodyOf(client.GET('/api/v2/library/tasks/', { params: { query }, signal }))).facets?.tag ?? [];
  },
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
              include: ['amendments', 'how_tos', 'tags', 'references', 'match_conditions'],
              expand: ['phase', 'problem', 'answers'],
              to_html: true,
            },
          },
          signal,
        }),
      ),
  });

export const weaknessesQuery = ({ q }: LibraryFilters) =>
  listQuery({
    queryKey: ['library', 'problems', q],
    read: (options) =>
      client.GET('/api/v2/library/problems/', {
        params: {
          query: { search: q, active: true, ordering: ['title'], exclude: ['text', 'url', 'created', 'updated'] },
        },
        ...options,
      }),
    placeholderData: keepPreviousData,
  });

/** The titles of all weaknesses, also of inactive ones: projects keep these. */
export const weaknessTitlesQuery = queryOptions({
  queryKey: ['library', 'problems', 'titles'],
  queryFn: async ({ signal }) => {
    const exclude = ['text', 'url', 'cwe', 'type', 'created', 'updated'] as const;
    const query = { exclude: [...exclude] };
    const { results } = await bodyOf(client.GET('/api/v2/library/problems/', { params: { query }, signal }));
    return results.map(({ id, title }) => [id, title] as const);
  },
  staleTime: 60_000,
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
  listQuery({
    queryKey: ['library', 'threats', q],
    read: (options) =>
      client.GET('/api/v2/library/threats/', {
        params: {
          query: { search: q, active: true, ordering: ['title'], exclude: ['text', 'url', 'created_by'] },
        },
        ...options,
      }),
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
