import { sql } from 'kysely';
import * as filters from '#query/filters.js';
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
    id: { sql: sql`item.id`, schema: schema.integer({ example: 1 }) },
    name: { sql: sql`item.name`, schema: schema.string({ example: 'Authentication' }) },
  },
  filters: {
    id: filters.integer(sql`item.id`, 'Its id.'),
    name: filters.text(sql`item.name`, 'Its name.'),
  },
  orderings: { id: [sql`item.id`], name: [sql`lower(item.name)`] },
  defaultOrdering: 'name',
  search: { text: sql`item.name`, fields: ['name'] },
});
