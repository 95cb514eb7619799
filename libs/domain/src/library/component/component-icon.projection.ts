import { sql } from 'kysely';
import * as filters from '#query/filters.js';
import type { Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { sharedByAll } from '../../kernel/built-in.sql.js';
import { SIMPLE_SLUG } from '../../kernel/fields/slug.js';

/** The path under which icons are served. */
export const ICONS_PATH = 'static/components/icons';

/** The path of an icon. */
export const iconUrl = (slug: Sql): Sql => sql`${`/${ICONS_PATH}/`} || ${slug} || '.svg'`;

export const componentIconProjection = projection({
  name: 'ComponentIcon',
  source: sharedByAll('component_icon'),
  key: { shape: SIMPLE_SLUG, column: sql`item.slug`, order: [sql`item.slug`] },
  fields: {
    slug: { sql: sql`item.slug`, schema: schema.string({ example: 'database' }) },
    name: { sql: sql`item.name`, schema: schema.string({ example: 'Database' }) },
    url: { sql: iconUrl(sql`item.slug`), schema: schema.string({ example: '/static/components/icons/database.svg' }) },
  },
  filters: {
    slug: filters.text(sql`item.slug`, 'Its slug.'),
    name: filters.text(sql`item.name`, 'Its name.'),
  },
  orderings: { slug: [sql`item.slug`], name: [sql`lower(item.name)`] },
  defaultOrdering: 'slug',
  search: {
    text: sql`item.slug || E'\n' || item.name || E'\n' || item.keywords`,
    fields: ['slug', 'name', 'keywords'],
  },
});
