import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, reference, text } from '../../kernel/fields/fields.js';

export const surveyCommentFields = {
  question: reference('survey_question', { description: 'The question that it is about.', example: 'Q4' }),
  text: text({ description: 'The comment.', example: 'To be asked at the next review.' }),
  pinned: boolean({ optional: true, default: false, description: 'Whether it is shown first.' }),
  locked: boolean({ optional: true, default: false, description: 'Whether its text can no longer be changed.' }),
};

export type SurveyCommentInput = InputOf<typeof surveyCommentFields>;
