import { sql } from 'kysely';
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
    name: { sql: sql`item.name`, schema: schema.string({ example: 'OWASP Top 10' }) },
    slug: { sql: sql`item.slug`, schema: schema.string({ example: 'owasp-top-10' }) },
    version: { sql: sql`item.version`, schema: schema.string({ example: '2021' }) },
    url: { sql: sql`item.url`, schema: schema.string({ description: 'Where its text is published.' }) },
    sections_count: { sql: sectionsCount, schema: schema.integer({ description: 'How many active sections it has.' }) },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('regulation')),
    name: filters.text(sql`item.name`, 'Its name.'),
    slug: filters.text(sql`item.slug`, 'Its slug.'),
    version: filters.text(sql`item.version`, 'Its version.'),
    sections_count: filters.integer(sectionsCount, 'How many active sections it has.'),
  },
  orderings: {
    id: identityOrder,
    name: [sql`lower(item.name)`],
    slug: [sql`item.slug`],
    sections_count: [sectionsCount],
  },
  defaultOrdering: 'name',
  search: { text: sql`item.name`, fields: ['name'] },
});
