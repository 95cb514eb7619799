import { sql } from 'kysely';
import { identityOrder, builtInAndCustom } from '#domain/kernel/built-in.sql.js';
import { integer, text } from './columns.js';
import { modelOfColumns } from './content-model.js';

export const subquestionModel = modelOfColumns({
  name: 'subquestion',
  title: 'Subquestions of the survey',
  source: builtInAndCustom('survey_subquestion'),
  order: identityOrder,
  columns: {
    id: { ...text('Such as `SQ1`.'), sql: sql`item.item_id` },
    question: {
      ...text('The question that it belongs to.', { references: 'question', bounds: { required: true } }),
      sql: sql`(SELECT q.item_id FROM survey_question q WHERE q.id = item.question_id)`,
    },
    text: { ...text('', { long: true, bounds: { required: true } }), sql: sql`item.text` },
    ordinal: { ...integer('Place in its question.'), sql: sql`item.ordinal` },
  },
});
