import { STORABLE_NUMBERS } from '../../kernel/fields/field-checks.js';
import { boolean, choice, integer, line, reference, references, text } from '../../kernel/fields/fields.js';
import { QUESTION_FORMATS } from './question.projection.js';

const description = text({ blank: true, optional: true });

const positionIn = (within: string) =>
  integer({ ...STORABLE_NUMBERS, optional: true, description: `Position in ${within}.` });

export const sectionFields = { title: line(), ordinal: positionIn('the survey') };

export const subsectionFields = {
  section: reference('survey_section', { description: 'The section that it belongs to.' }),
  title: line(),
  ordinal: positionIn('the survey'),
};

export const questionFields = {
  text: text(),
  description,
  format: choice(QUESTION_FORMATS),
  subsection: reference('survey_subsection'),
  depends_on: references('survey_answer', { optional: true, unordered: true }),
  ordinal: positionIn('its subsection'),
};

export const subquestionFields = {
  question: reference('survey_question', { description: 'The question that it belongs to.' }),
  text: text(),
  ordinal: positionIn('its question'),
};

export const answerFields = {
  text: text(),
  description,
  display_text: line({ blank: true, optional: true }),
  is_active: boolean({ optional: true }),
  question: reference('survey_question'),
  subquestion: reference('survey_subquestion', { optional: true, nullable: true }),
  attributes: references('attribute', { optional: true }),
  ordinal: positionIn('its question'),
};
