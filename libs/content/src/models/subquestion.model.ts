import { sql } from 'kysely';
import { builtInAndCustom, identityOrder } from '#domain/kernel/built-in.sql.js';
import { subquestionFields } from '#domain/library/survey/survey.fields.js';
import { modelOf, idField } from './content-model.js';

export const subquestionModel = modelOf(
  { source: builtInAndCustom('survey_subquestion'), key: { order: identityOrder }, fields: idField('SQ1') },
  {
    name: 'subquestion',
    title: 'Subquestions of the survey',
    fields: subquestionFields,
    columns: {
      question: { sql: sql`(SELECT q.item_id FROM survey_question q WHERE q.id = item.question_id)` },
      text: { sql: sql`item.text` },
      ordinal: { sql: sql`item.ordinal` },
    },
  },
);
