import { sql } from 'kysely';
import * as filters from '#query/filters.js';
import type { QueryContext } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { visible } from '../customization/customization.sql.js';

/** The tags of the countermeasures that an organization sees, with their numbers of uses. */
const tagsInUse = ({ organization }: QueryContext) => [
  {
    table: sql`(SELECT tag AS name, count(*)::int AS count FROM countermeasure_version c CROSS JOIN unnest(c.tags) tag
      WHERE ${visible('countermeasure', 'c', organization)} GROUP BY tag)`,
    where: sql`true`,
  },
];

export const tagProjection = projection({
  name: 'Tag',
  source: tagsInUse,
  key: { shape: /^.+$/s, column: sql`item.name`, order: [sql`item.name`] },
  fields: {
    name: { sql: sql`item.name`, schema: schema.string({ example: 'passwords' }) },
    count: { sql: sql`item.count`, schema: schema.integer({ description: 'Countermeasures with this tag.' }) },
  },
  filters: {
    name: filters.text(sql`item.name`, 'The tag.'),
    count: filters.integer(sql`item.count`, 'How many countermeasures have it.'),
  },
  orderings: { name: [sql`lower(item.name)`], count: [sql`item.count`] },
  defaultOrdering: 'name',
  search: { text: sql`item.name`, fields: ['name'] },
});
