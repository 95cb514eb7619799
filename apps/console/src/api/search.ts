import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { bodyOf, client } from './client.ts';

export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => bodyOf(client.GET('/api/v2/search/', { params: { query: { q, page_size: 50 } }, signal })),
    enabled: q.trim().length > 1,
    placeholderData: keepPreviousData,
  });
