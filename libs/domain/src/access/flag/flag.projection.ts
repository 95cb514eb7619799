import { sql } from 'kysely';
import { column } from '#query/column.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { FLAG_SHAPE } from './flags.js';

/** The read side of flags: those that are on. */
export const flagProjection = projection({
  name: 'Flag',
  source: ({ organization }) => [
    { table: sql.table('feature_flag'), where: sql`item.organization_id = ${organization}` },
  ],
  key: { shape: FLAG_SHAPE, column: sql`item.name`, order: [sql`item.name`] },
  fields: { name: column(schema.string({ example: 'Webhooks' }), { filter: 'Its name.', sortable: true }) },
  orderings: {},
  defaultOrdering: 'name',
  search: { text: sql`item.name`, fields: ['name'] },
});
