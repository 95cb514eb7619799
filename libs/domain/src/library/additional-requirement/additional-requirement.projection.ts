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
import { placeOf } from '../countermeasure/additional-requirement-place.sql.js';
import { authorship } from '../../access/user/authorship.projection.js';

/** The read side of additional requirements, within their countermeasure. */
export const requirementProjection = projection({
  name: 'AdditionalRequirement',
  source: versionsWithinCountermeasure('additional_requirement'),
  key: { shape: idShape('additional_requirement'), column: sql`item.item_id`, order: idOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'TA3' }) },
    db_id: { sql: dbId, schema: schema.integer({ description: 'Negative for custom content.' }) },
    type: { sql: contentType('additional_requirement'), schema: schema.string({ enum: CONTENT_TYPES }) },
    title: column(schema.string(), { filter: 'Its title.', sortable: true }),
    text: column(schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' })),
    ordinal: {
      sql: (context) => placeOf('item', context),
      schema: schema.integer({
        description: 'Its position: from 1 after the text of the countermeasure, negative before it.',
      }),
    },
    active: column(schema.boolean(), { filter: 'Whether it is active.', sortable: true }),
    ...authorship.fields('created_date_time'),
  },
  includes: { match_conditions: matchConditionsInclude('additional_requirement'), references: provenanceFields },
  expands: { answers: {}, attributes: {} },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('additional_requirement')),
    type: filters.choice(contentType('additional_requirement'), 'Where it comes from.', CONTENT_TYPES),
    ...authorship.filters,
    ...matchConditionsFilter('additional_requirement'),
  },
  itemFilters: ['active'],
  orderings: {
    id: idOrder,
    ordinal: [sql`item.ordinal`, sql`item.is_custom`, sql`NOT item.active`],
    last_update_date: [sql`item.updated_at`],
  },
  defaultOrdering: 'ordinal',
  search: { text: sql`item.search_text`, fields: ['id', 'db_id', 'title'] },
  switches: ['to_html', 'show_original'],
});
