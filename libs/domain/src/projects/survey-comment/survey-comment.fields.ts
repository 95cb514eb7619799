import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, reference, text } from '../../kernel/fields/fields.js';

export const surveyCommentFields = {
  question: reference('survey_question', { description: 'The question that it is about.', example: 'Q4' }),
  text: text({ description: 'What you have to say.', example: 'To be asked at the next review.' }),
  pinned: boolean({ optional: true, default: false, description: 'To be shown first.' }),
  locked: boolean({ optional: true, default: false, description: 'Its text stays as it is.' }),
};

export type SurveyCommentInput = InputOf<typeof surveyCommentFields>;
