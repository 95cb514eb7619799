import type { Use } from './answers.js';
import { client } from './hey-api/client.gen.js';
import { componentsCreate, componentsUpdate, countermeasuresList } from './hey-api/index.js';

export const use: Use = async (baseUrl, authorization) => {
  client.setConfig({ baseUrl, auth: authorization, headers: { Prefer: 'handling=strict' } });
  const comparison = await countermeasuresList({ query: { priority__gte: 8 } });
  const lists = await countermeasuresList({
    query: {
      phase__in: ['X2', 'X3'],
      ordering: ['-priority', 'title'],
      include: ['tags', 'match_conditions'],
      exclude: ['text', 'phase'],
    },
  });
  const page = await countermeasuresList({ query: { page: 2, page_size: 3 } });
  const created = await componentsCreate({ body: { title: 'Message broker' } });
  const id = created.data?.id ?? '';
  const changed = await componentsUpdate({ path: { id }, body: { description: 'Passes **messages**.' } });
  return {
    comparison: comparison.data,
    lists: lists.data,
    page: page.data,
    created: created.data,
    changed: changed.data,
  };
};
