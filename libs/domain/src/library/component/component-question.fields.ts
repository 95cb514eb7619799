import type { InputOf } from '../../kernel/fields/field.js';
import { choice, line, objectList, reference, text } from '../../kernel/fields/fields.js';
import { QUESTION_TYPES } from './component-question.projection.js';

/** A question in a component's questionnaire, with the answer to another question that unlocks it. */
export const questionnaireEntryFields = {
  question: reference('component_question', { description: 'A question; may occur only once.', example: 'AQ1' }),
  parent_answer: reference('component_answer', {
    optional: true,
    nullable: true,
    description: 'The answer to another question of the questionnaire that opens this one; null: always asked.',
    example: 'AA2',
  }),
};

export type QuestionnaireEntry = InputOf<typeof questionnaireEntryFields>;

/** An answer within a question: the id of an existing answer, an id that was never used, or none. */
export const answerFields = {
  id: line({ nullable: true }),
  text: text(),
  description: text({ blank: true, default: '' }),
  attribute: reference('attribute', { nullable: true }),
};

/** A question about components, with all its answers. */
export const componentQuestionFields = {
  text: text(),
  description: text({ blank: true, optional: true }),
  question_type: choice(QUESTION_TYPES),
  answers: objectList('ComponentAnswer', answerFields, { optional: true }),
};
