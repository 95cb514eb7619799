import type { Use } from './answers.js';
import { componentsCreate, componentsUpdate, countermeasuresList } from './orval.js';

/** The client has the origin built in. */
export const use: Use = async (_origin, authorization) => {
  const options = { headers: { Authorization: authorization, Prefer: 'handling=strict' } };
  const comparison = await countermeasuresList({ priority__gte: 8 }, options);
  const lists = await countermeasuresList(
    {
      phase__in: ['X2', 'X3'],
      ordering: ['-priority', 'title'],
      include: ['tags', 'match_conditions'],
      exclude: ['text', 'phase'],
    },
    options,
  );
  const page = await countermeasuresList({ page: 2, page_size: 3 }, options);
  const created = await componentsCreate({ title: 'Message broker' }, {}, options);
  const id = created.status === 201 ? created.data.id : '';
  const changed = await componentsUpdate(id, { description: 'Passes **messages**.' }, {}, options);
  return {
    comparison: comparison.data,
    lists: lists.data,
    page: page.data,
    created: created.data,
    changed: changed.data,
  };
};
