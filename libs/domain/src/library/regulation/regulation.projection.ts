import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { identityOrder, builtInAndCustom, builtInOrCustom } from '../../kernel/built-in.sql.js';

const sectionsCount = (context: QueryContext): Sql =>
  sql`(SELECT count(*) FROM regulation_section s
    WHERE s.regulation_id = item.id AND s.active AND ${builtInOrCustom('s', context)})`;

/** The read side of regulations: catalogs whose sections name countermeasures. */
export const regulationProjection = projection({
  name: 'Regulation',
  source: builtInAndCustom('regulation'),
  key: { shape: idShape('regulation'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'REG1' }) },
    name: column(schema.string({ example: 'OWASP Top 10' }), { filter: 'Its name.', sortable: true }),
    slug: column(schema.string({ example: 'owasp-top-10' }), { filter: 'Its slug.' }),
    version: column(schema.string({ example: '2021' }), { filter: 'Its version.' }),
    url: column(schema.string({ description: 'Where its text is published.' })),
    sections_count: { sql: sectionsCount, schema: schema.integer({ description: 'How many active sections it has.' }) },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('regulation')),
    sections_count: filters.integer(sectionsCount, 'How many active sections it has.'),
  },
  orderings: {
    id: identityOrder,
    slug: [sql`item.slug`],
    sections_count: [sectionsCount],
  },
  defaultOrdering: 'name',
  search: { text: sql`item.name`, fields: ['name'] },
});
