import { sql } from 'kysely';
import { builtInOrCustom } from '#domain/kernel/built-in.sql.js';
import { questionProjection } from '#domain/library/survey/question.projection.js';
import { jsonList } from '#query/expressions.js';
import { integer, list } from './columns.js';
import { modelOf } from './content-model.js';

export const questionModel = modelOf(questionProjection, {
  name: 'question',
  title: 'Questions of the survey',
  writable: ['text', 'description', 'format', 'subsection', 'depends_on'],
  references: { section: 'section', subsection: 'subsection', depends_on: 'answer' },
  long: ['text', 'description'],
  required: ['text', 'format', 'subsection'],
  unordered: ['depends_on'],
  columns: {
    answers: {
      ...list('Its answers, in their order.', { readOnly: true, references: 'answer' }),
      sql: (reading) =>
        jsonList(sql`SELECT a.item_id AS entry FROM survey_answer a
          WHERE a.question_id = item.id AND ${builtInOrCustom('a', reading)} ORDER BY a.ordinal, a.id`),
    },
    ordinal: { ...integer('Place in its subsection.'), sql: sql`item.ordinal` },
  },
});
