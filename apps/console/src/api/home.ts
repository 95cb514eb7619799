import { queryOptions } from '@tanstack/react-query';
import { bodyOf, client, type DataOf } from './client.ts';

export const homeQuery = () =>
  queryOptions({
    queryKey: ['home'],
    queryFn: ({ signal }) => bodyOf(client.GET('/api/v2/home/', { signal })),
  });

export type HomeData = DataOf<typeof homeQuery>;
