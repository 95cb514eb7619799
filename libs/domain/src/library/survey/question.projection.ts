import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { identityOrder, builtInAndCustom, builtInOrCustom, identitiesByItemId } from '../../kernel/built-in.sql.js';

export const QUESTION_FORMATS = ['MC', 'SC'] as const;

const sectionOf = sql`(SELECT s.section_id FROM survey_subsection s WHERE s.id = item.subsection_id)`;

/** The answers of a question or subquestion, in the order of the survey. */
const answers = (within: Sql, context: QueryContext): Sql =>
  jsonList(sql`SELECT ${jsonObject({ id: sql`a.item_id`, text: sql`a.text` })} AS entry
    FROM survey_answer a WHERE ${within} AND ${builtInOrCustom('a', context)} ORDER BY a.ordinal, a.id`);

const answersSchema = schema.list(schema.object({ id: schema.string({ example: 'A12' }), text: schema.string() }));

export const questionProjection = projection({
  name: 'Question',
  source: builtInAndCustom('survey_question'),
  key: { shape: idShape('survey_question'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'Q4' }) },
    text: column(schema.string(), { filter: 'Its text.', sortable: true }),
    description: column(schema.string()),
    format: column(schema.string({ enum: QUESTION_FORMATS, description: '`MC` allows several answers, `SC` one.' }), {
      filter: 'How many answers can be chosen.',
    }),
    section: {
      sql: sql`(SELECT o.item_id FROM survey_section o WHERE o.id = ${sectionOf})`,
      schema: schema.string({ example: 'S1' }),
    },
    subsection: {
      sql: sql`(SELECT o.item_id FROM survey_subsection o WHERE o.id = item.subsection_id)`,
      schema: schema.string({ example: 'SS2' }),
    },
    depends_on: {
      sql: (context) =>
        jsonList(sql`SELECT a.item_id AS entry FROM survey_answer a
          WHERE a.id = ANY(item.depends_on) AND ${builtInOrCustom('a', context)}
            ORDER BY a.organization_id NULLS FIRST, a.number`),
      schema: schema.list(schema.string(), {
        description: 'The question is shown only if one of these answers is selected; if empty, always.',
      }),
    },
    answers: {
      sql: (context) => answers(sql`a.question_id = item.id`, context),
      schema: { ...answersSchema, description: 'All its answers, including those of its subquestions.' },
    },
    subquestions: {
      sql: (context) =>
        jsonList(sql`SELECT ${jsonObject({
          id: sql`s.item_id`,
          text: sql`s.text`,
          answers: answers(sql`a.subquestion_id = s.id`, context),
        })} AS entry FROM survey_subquestion s
          WHERE s.question_id = item.id AND ${builtInOrCustom('s', context)} ORDER BY s.ordinal, s.id`),
      schema: schema.list(
        schema.object({ id: schema.string({ example: 'SQ1' }), text: schema.string(), answers: answersSchema }),
      ),
    },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('survey_question')),
    section: filters.reference(
      sectionOf,
      'Questions of this section.',
      identitiesByItemId('survey_section'),
      idShape('survey_section'),
    ),
    subsection: filters.reference(
      sql`item.subsection_id`,
      'Questions of this subsection.',
      identitiesByItemId('survey_subsection'),
      idShape('survey_subsection'),
    ),
    depends_on: filters.related(
      'Questions that are shown only after this answer.',
      (ids, context) =>
        ids === null
          ? sql`item.depends_on <> '{}'`
          : sql`item.depends_on && ARRAY(${identitiesByItemId('survey_answer')(ids, context)})`,
      { shape: idShape('survey_answer') },
    ),
  },
  orderings: { id: identityOrder },
  defaultOrdering: 'id',
  search: { text: sql`item.item_id || E'\n' || item.text`, fields: ['id', 'text'] },
});
