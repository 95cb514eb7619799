import { sql } from 'kysely';
import { column } from '#query/column.js';
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
    name: column(schema.string({ example: 'passwords' }), { filter: 'The tag.', sortable: true }),
    count: column(schema.integer({ description: 'Countermeasures with this tag.' }), {
      filter: 'How many countermeasures have it.',
      sortable: true,
    }),
  },
  orderings: {},
  defaultOrdering: 'name',
  search: { text: sql`item.name`, fields: ['name'] },
});
