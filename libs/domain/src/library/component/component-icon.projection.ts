import { sql } from 'kysely';
import { column } from '#query/column.js';
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
    slug: column(schema.string({ example: 'database' }), { filter: 'Its slug.' }),
    name: column(schema.string({ example: 'Database' }), { filter: 'Its name.', sortable: true }),
    url: { sql: iconUrl(sql`item.slug`), schema: schema.string({ example: '/static/components/icons/database.svg' }) },
  },
  orderings: { slug: [sql`item.slug`] },
  defaultOrdering: 'slug',
  search: {
    text: sql`item.slug || E'\n' || item.name || E'\n' || item.keywords`,
    fields: ['slug', 'name', 'keywords'],
  },
});
