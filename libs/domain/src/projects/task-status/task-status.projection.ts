import { sql } from 'kysely';
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
    meaning: { sql: sql`item.meaning`, schema: schema.string({ enum: MEANINGS, description: 'Its meaning.' }) },
    name: { sql: sql`item.name`, schema: schema.string({ example: 'Complete' }) },
    slug: { sql: sql`item.slug`, schema: schema.string({ example: 'complete' }) },
    icon: { sql: sql`item.icon`, schema: schema.string({ example: 'check' }) },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, ID),
    meaning: filters.choice(sql`item.meaning`, 'Its meaning.', MEANINGS),
    name: filters.text(sql`item.name`, 'Its name.'),
    slug: filters.text(sql`item.slug`, 'Its slug.'),
  },
  orderings: { id: idOrder, name: [sql`lower(item.name)`], meaning: [sql`item.meaning`] },
  defaultOrdering: 'id',
  search: { text: sql`item.name`, fields: ['name'] },
});
