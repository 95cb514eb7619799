import createClient from 'openapi-fetch';
import type { Use } from './answers.js';
import type { paths } from './openapi-typescript.js';

export const use: Use = async (baseUrl, authorization) => {
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: authorization, Prefer: 'handling=strict' },
  });
  const comparison = await client.GET('/api/v2/library/tasks/', { params: { query: { priority__gte: 8 } } });
  const lists = await client.GET('/api/v2/library/tasks/', {
    params: {
      query: {
        phase__in: ['X2', 'X3'],
        ordering: ['-priority', 'title'],
        include: ['tags', 'match_conditions'],
        exclude: ['text', 'phase'],
      },
    },
  });
  const page = await client.GET('/api/v2/library/tasks/', { params: { query: { page: 2, page_size: 3 } } });
  const created = await client.POST('/api/v2/library/components/', { body: { title: 'Message broker' } });
  const id = created.data?.id ?? '';
  const changed = await client.PATCH('/api/v2/library/components/{id}/', {
    params: { path: { id } },
    body: { description: 'Passes **messages**.' },
  });
  return {
    comparison: comparison.data,
    lists: lists.data,
    page: page.data,
    created: created.data,
    changed: changed.data,
  };
};
