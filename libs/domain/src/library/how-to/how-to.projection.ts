import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { matchConditionsFilter, matchConditionsInclude } from '../match-condition/match-condition.projection.js';
import { CONTENT_TYPES, contentType, dbId, idOrder } from '../customization/customization.sql.js';
import { versionsWithinCountermeasure } from '../customization/within.sql.js';
import { provenanceFields } from '../item-reference/provenance.projection.js';
import { authorship } from '../../access/user/authorship.projection.js';

/** The read side of how-tos, within their countermeasure. */
export const howToProjection = projection({
  name: 'HowTo',
  source: versionsWithinCountermeasure('how_to'),
  key: { shape: idShape('how_to'), column: sql`item.item_id`, order: idOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'I5' }) },
    db_id: { sql: dbId, schema: schema.integer({ description: 'Negative for custom content.' }) },
    type: { sql: contentType('how_to'), schema: schema.string({ enum: CONTENT_TYPES }) },
    title: column(schema.string(), { filter: 'Its title.', sortable: true }),
    text: column(schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' })),
    slug: column(schema.string({ example: 'spring-security' })),
    active: column(schema.boolean(), { filter: 'Whether it is active.', sortable: true }),
    ...authorship.fields('created_date_time'),
  },
  includes: {
    match_conditions: matchConditionsInclude('how_to'),
    references: {
      ...provenanceFields,
      versions: {
        sql: sql`item.versions`,
        schema: schema.string({
          description: 'The product versions that it applies to.',
          example: 'Spring Security 7',
        }),
      },
    },
  },
  expands: { answers: {}, attributes: {} },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('how_to')),
    type: filters.choice(contentType('how_to'), 'Where it comes from.', CONTENT_TYPES),
    ...authorship.filters,
    ...matchConditionsFilter('how_to'),
  },
  itemFilters: ['active'],
  orderings: {
    id: idOrder,
    last_update_date: [sql`item.updated_at`],
  },
  defaultOrdering: 'id',
  search: { text: sql`item.search_text`, fields: ['id', 'db_id', 'title'] },
  switches: ['to_html', 'show_original'],
});
