import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../item-id.js';
import { identitiesByItemId } from '../overlay/overlay.sql.js';
import { identityOrder, shippedAndOwn } from '../overlay/shipped.sql.js';

export const QUESTION_FORMATS = ['MC', 'SC'] as const;

const sectionOf = sql`(SELECT s.section_id FROM survey_subsection s WHERE s.id = item.subsection_id)`;

/** The read side of the survey's questions. */
export const questionProjection = projection({
  name: 'Question',
  source: shippedAndOwn('survey_question'),
  key: { shape: idShape('survey_question'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'Q4' }) },
    text: { sql: sql`item.text`, schema: schema.string() },
    description: { sql: sql`item.description`, schema: schema.string() },
    format: {
      sql: sql`item.format`,
      schema: schema.string({ enum: QUESTION_FORMATS, description: '`MC` takes several answers, `SC` one.' }),
    },
    section: {
      sql: sql`(SELECT o.item_id FROM survey_section o WHERE o.id = ${sectionOf})`,
      schema: schema.string({ example: 'S1' }),
    },
    subsection: {
      sql: sql`(SELECT o.item_id FROM survey_subsection o WHERE o.id = item.subsection_id)`,
      schema: schema.string({ example: 'SS2' }),
    },
    depends_on: {
      sql: jsonList(
        sql`SELECT a.item_id AS entry FROM survey_answer a WHERE a.id = ANY(item.depends_on) ORDER BY a.number`,
      ),
      schema: schema.list(schema.string(), {
        description: 'The question is shown only after one of these answers; always, where empty.',
      }),
    },
    answers: {
      sql: jsonList(sql`SELECT ${jsonObject({ id: sql`a.item_id`, text: sql`a.text` })} AS entry
        FROM survey_answer a WHERE a.question_id = item.id ORDER BY a.ordinal`),
      schema: schema.list(schema.object({ id: schema.string({ example: 'A12' }), text: schema.string() })),
    },
  },
  filters: {
    id: filters.text(sql`item.item_id`, 'Its id.'),
    format: filters.choice(sql`item.format`, 'How many answers it takes.', QUESTION_FORMATS),
    section: filters.reference(sectionOf, 'Questions of this section.', identitiesByItemId('survey_section')),
    subsection: filters.reference(
      sql`item.subsection_id`,
      'Questions of this subsection.',
      identitiesByItemId('survey_subsection'),
    ),
  },
  orderings: { id: identityOrder, text: [sql`lower(item.text)`] },
  defaultOrdering: 'id',
  search: { text: sql`item.item_id || E'\n' || item.text`, fields: ['id', 'text'] },
});
