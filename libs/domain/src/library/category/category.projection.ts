import { sql } from 'kysely';
import { column } from '#query/column.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { sharedByAll } from '../../kernel/built-in.sql.js';

/** The read side of categories: the areas that countermeasures and weaknesses belong to. */
export const categoryProjection = projection({
  name: 'Category',
  source: sharedByAll('category'),
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.', sortable: true }),
    name: column(schema.string({ example: 'Authentication' }), { filter: 'Its name.', sortable: true }),
  },
  orderings: {},
  defaultOrdering: 'name',
  search: { text: sql`item.name`, fields: ['name'] },
});
