import { sql } from 'kysely';
import { answerProjection } from '#domain/library/survey/answer.projection.js';
import { integer } from './columns.js';
import { modelOf } from './content-model.js';

export const answerModel = modelOf(answerProjection, {
  name: 'answer',
  title: 'Answers of the survey',
  writable: ['text', 'description', 'display_text', 'is_active', 'question', 'subquestion', 'attributes'],
  references: {
    question: 'question',
    section: 'section',
    subsection: 'subsection',
    subquestion: 'subquestion',
    attributes: 'attribute',
  },
  long: ['text', 'description'],
  required: ['text', 'question'],
  columns: { ordinal: { ...integer('Place in its question.'), sql: sql`item.ordinal` } },
});
