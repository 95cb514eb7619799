import { sql } from 'kysely';
import { questionFields } from '#domain/library/survey/survey.fields.js';
import { builtInOrCustom } from '#domain/kernel/built-in.sql.js';
import { questionProjection } from '#domain/library/survey/question.projection.js';
import { jsonList } from '#query/expressions.js';
import { modelOf } from './content-model.js';

export const questionModel = modelOf(questionProjection, {
  name: 'question',
  title: 'Questions of the survey',
  fields: questionFields,
  references: { section: 'section', answers: 'answer' },
  columns: {
    answers: {
      about: 'Its answers, in their order.',
      sql: (context) =>
        jsonList(sql`SELECT a.item_id AS entry FROM survey_answer a
          WHERE a.question_id = item.id AND ${builtInOrCustom('a', context)} ORDER BY a.ordinal, a.id`),
    },
    ordinal: { sql: sql`item.ordinal` },
  },
});
