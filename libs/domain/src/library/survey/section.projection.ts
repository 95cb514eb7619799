import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { identityOrder, builtInAndCustom, builtInOrCustom } from '../../kernel/built-in.sql.js';

export const sectionProjection = projection({
  name: 'Section',
  source: builtInAndCustom('survey_section'),
  key: { shape: idShape('survey_section'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'S1' }) },
    title: column(schema.string(), { filter: 'Its title.', sortable: true }),
    ordinal: column(schema.integer({ description: 'Position in the survey.' }), {
      filter: 'Its position in the survey.',
      sortable: true,
    }),
    subsections: {
      sql: (context) =>
        jsonList(
          sql`SELECT ${jsonObject({
            id: sql`s.item_id`,
            title: sql`s.title`,
            questions: jsonList(
              sql`SELECT q.item_id AS entry FROM survey_question q
                WHERE q.subsection_id = s.id AND ${builtInOrCustom('q', context)} ORDER BY q.ordinal, q.id`,
            ),
          })} AS entry FROM survey_subsection s
            WHERE s.section_id = item.id AND ${builtInOrCustom('s', context)} ORDER BY s.ordinal, s.id`,
        ),
      schema: schema.list(
        schema.object({
          id: schema.string({ example: 'SS2' }),
          title: schema.string(),
          questions: schema.list(schema.string({ example: 'Q4' })),
        }),
      ),
    },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('survey_section')),
  },
  orderings: { id: identityOrder },
  defaultOrdering: 'ordinal',
  search: { text: sql`item.title`, fields: ['title'] },
});
