import { boolean, line, references, text } from '../../kernel/fields/fields.js';

export const profileFields = {
  name: line(),
  description: text({ blank: true, optional: true }),
  answers: references('survey_answer', { optional: true, unordered: true }),
  default: boolean({ optional: true }),
  logo_url: line({ blank: true, optional: true, nullable: true }),
  active: boolean({ optional: true }),
};
