import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { sharedByAll } from '../../kernel/built-in.sql.js';

const MEANINGS = ['DONE', 'TODO', 'NA'] as const;

const ID = /^TS[1-9]\d{0,8}$/;

const idOrder = [sql`item.id`];

/** The statuses of countermeasures in projects, which are the same for all organizations. */
export const taskStatusProjection = projection({
  name: 'TaskStatus',
  source: sharedByAll('task_status'),
  key: { shape: ID, column: sql`item.item_id`, order: idOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'TS1' }) },
    meaning: column(schema.string({ enum: MEANINGS, description: 'Its meaning.' }), {
      filter: true,
      sortable: true,
    }),
    name: column(schema.string({ example: 'Complete' }), { filter: 'Its name.', sortable: true }),
    slug: column(schema.string({ example: 'complete' }), { filter: 'Its slug.' }),
    icon: column(schema.string({ example: 'check' })),
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, ID),
  },
  orderings: { id: idOrder },
  defaultOrdering: 'id',
  search: { text: sql`item.name`, fields: ['name'] },
});
