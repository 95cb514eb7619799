import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { times } from '../user/authorship.projection.js';
import { userObject, userReferenceSchema } from '../user/user-reference.js';

const table = sql.table('saved_view');

/** The read side of saved views: the caller's own, and those that others in the organization share. */
export const savedViewProjection = projection({
  name: 'SavedView',
  source: ({ organization, user }) => [
    { table, where: sql`item.user_id = ${user}` },
    { table, where: sql`item.organization_id = ${organization} AND item.shared AND item.user_id <> ${user}` },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: column(schema.integer({ example: 5 }), { filter: 'Its id.', sortable: true }),
    name: column(schema.string({ example: 'Urgent and open' }), { filter: 'Its name.', sortable: true }),
    page: column(schema.string({ example: 'project-countermeasures' })),
    query: column({
      type: 'object',
      additionalProperties: true,
      description: 'What the page shows, such as filters and an ordering.',
      example: { status: 'TS2', priority__gte: 7, ordering: '-priority' },
    }),
    shared: column(schema.boolean({ description: 'Whether everyone in the organization sees it.' }), {
      filter: true,
    }),
    owner: {
      sql: userObject(sql`item.user_id`),
      schema: { ...userReferenceSchema, description: 'Who can change it.' },
    },
    ...times.fields,
  },
  filters: {
    // `page` is the number of a page of the list.
    page_name: filters.text(sql`item.page`, 'The page that it belongs to.'),
  },
  orderings: { page: [sql`item.page`], ...times.orderings },
  defaultOrdering: 'id',
  search: { text: sql`item.name || E'\\n' || item.page`, fields: ['name', 'page'] },
});
