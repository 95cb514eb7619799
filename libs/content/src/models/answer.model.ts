import { sql } from 'kysely';
import { answerFields } from '#domain/library/survey/survey.fields.js';
import { answerProjection } from '#domain/library/survey/answer.projection.js';
import { modelOf } from './content-model.js';

export const answerModel = modelOf(answerProjection, {
  name: 'answer',
  title: 'Answers of the survey',
  fields: answerFields,
  references: { section: 'section', subsection: 'subsection' },
  columns: { ordinal: { sql: sql`item.ordinal` } },
});
